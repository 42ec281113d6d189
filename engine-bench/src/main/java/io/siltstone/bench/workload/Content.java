package io.siltstone.bench.workload;

import io.siltstone.rows.Row;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Values of a table, which follow from what they belong to and when they were written: a version is
 * written with the timestamp of the load's beginning and as many microseconds as its number.
 * Immutable.
 *
 * @param text of all values
 * @param size of a value
 * @param epochMicros when the load began; later than all that was written before
 */
record Content(BookText text, BookValue size, long epochMicros) {
  /** With which a version is written. */
  long timestamp(long version) {
    return epochMicros + version;
  }

  /** The value of a version. */
  ByteBuffer value(long owner, long version) {
    return text.value(size, owner, timestamp(version));
  }

  /** The value of an owner that is never written again. */
  ByteBuffer only(long owner, long number) {
    return text.value(size, owner, number);
  }

  /** The version that a row shows in a column; 0 if it is from before, or there is none. */
  long version(Row row, String column) {
    OptionalLong timestamp = row.timestamp(column);
    return timestamp.isEmpty() ? 0 : Math.max(0, timestamp.getAsLong() - epochMicros);
  }

  /** Whether a column has the value of the version that it shows; null if so. */
  @Nullable String wrong(Row row, String column, long owner) {
    OptionalLong timestamp = row.timestamp(column);
    if (timestamp.isEmpty()) {
      return "no " + column;
    }
    return wrong(row, column, text.value(size, owner, timestamp.getAsLong()));
  }

  /** Whether a column has a value; null if so. */
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
