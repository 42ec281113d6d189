package io.siltstone.bench.workload;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The options of a profile; an empty option leaves the choice to the profile. Immutable.
 *
 * @param partitions number of partitions, 1 or more
 * @param rows rows per partition, 1 or more; not for profiles with one row per partition
 * @param limit greatest number of rows that a read returns, 1 or more; not for profiles that read
 *     one row
 * @param value size of each value
 */
public record ProfileOptions(
    OptionalLong partitions, OptionalInt rows, OptionalInt limit, BookValue value) {
  /** All options left to the profile. */
  public static final ProfileOptions DEFAULT =
      new ProfileOptions(
          OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty(), BookValue.DEFAULT);

  /** Checks the ranges. */
  public ProfileOptions {
    if (partitions.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "partitions = " + partitions.getAsLong() + ", allowed 1 or more");
    }
    if (rows.orElse(1) < 1) {
      throw new IllegalArgumentException("rows = " + rows.getAsInt() + ", allowed 1 or more");
    }
    if (limit.orElse(1) < 1) {
      throw new IllegalArgumentException("limit = " + limit.getAsInt() + ", allowed 1 or more");
    }
  }

  /** Returns these options with a number of partitions. */
  public ProfileOptions withPartitions(long count) {
    return new ProfileOptions(OptionalLong.of(count), rows, limit, value);
  }

  /** Returns these options with a number of rows per partition. */
  public ProfileOptions withRows(int count) {
    return new ProfileOptions(partitions, OptionalInt.of(count), limit, value);
  }

  /** Returns these options with a limit of rows per read. */
  public ProfileOptions withLimit(int count) {
    return new ProfileOptions(partitions, rows, OptionalInt.of(count), value);
  }

  /** Returns these options with a size of values. */
  public ProfileOptions withValue(BookValue size) {
    return new ProfileOptions(partitions, rows, limit, size);
  }
}
