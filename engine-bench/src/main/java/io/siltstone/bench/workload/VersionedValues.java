package io.siltstone.bench.workload;

import io.siltstone.rows.Row;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The values of a table, which depend on their owner and on when they were written: the timestamp
 * of a version is the beginning of the workload plus as many microseconds as its number. Immutable.
 *
 * @param text that values are pieces of
 * @param size of a value
 * @param epochMicros beginning of the workload; later than everything written before
 */
record VersionedValues(BookText text, BookValue size, long epochMicros) {
  /** Returns the timestamp of a version. */
  long timestamp(long version) {
    return epochMicros + version;
  }

  /** Returns the value of a version. */
  ByteBuffer value(long owner, long version) {
    return text.value(size, owner, timestamp(version));
  }

  /** Returns the value of an owner that is written only once. */
  ByteBuffer only(long owner, long number) {
    return text.value(size, owner, number);
  }

  /** Returns the version that a column of a row has; 0 if it is from before, or there is none. */
  long version(Row row, String column) {
    OptionalLong timestamp = row.timestamp(column);
    return timestamp.isEmpty() ? 0 : Math.max(0, timestamp.getAsLong() - epochMicros);
  }

  /** Checks that a column has the value of its version; returns what is wrong, or null. */
  @Nullable String wrong(Row row, String column, long owner) {
    OptionalLong timestamp = row.timestamp(column);
    if (timestamp.isEmpty()) {
      return "no " + column;
    }
    return wrong(row, column, text.value(size, owner, timestamp.getAsLong()));
  }

  /** Checks that a column has a value; returns what is wrong, or null. */
  @Nullable String wrong(Row row, String column, ByteBuffer expected) {
    ByteBuffer found = row.getSerialized(column);
    if (found == null) {
      return "no " + column;
    }
    int at = expected.mismatch(found);
    return at < 0
        ? null
        : column
            + " of "
            + found.remaining()
            + " bytes differs at "
            + at
            + " from the "
            + expected.remaining()
            + " written";
  }
}
