package io.siltstone.bench.workload;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What may be changed of a profile; what is empty is the profile's own choice. Immutable.
 *
 * @param partitions how many there are, 1 and more
 * @param rows of each partition, 1 and more; not of profiles with one row a partition
 * @param limit most rows that a read takes, 1 and more; not of profiles that read one row
 * @param value size of each value
 */
public record ProfileOptions(
    OptionalLong partitions, OptionalInt rows, OptionalInt limit, BookValue value) {
  /** All left to the profile. */
  public static final ProfileOptions DEFAULT =
      new ProfileOptions(
          OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty(), BookValue.DEFAULT);

  /** Checks the ranges. */
  public ProfileOptions {
    if (partitions.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "partitions = " + partitions.getAsLong() + ", allowed from 1");
    }
    if (rows.orElse(1) < 1) {
      throw new IllegalArgumentException("rows = " + rows.getAsInt() + ", allowed from 1");
    }
    if (limit.orElse(1) < 1) {
      throw new IllegalArgumentException("limit = " + limit.getAsInt() + ", allowed from 1");
    }
  }

  /** With so many partitions. */
  public ProfileOptions withPartitions(long count) {
    return new ProfileOptions(OptionalLong.of(count), rows, limit, value);
  }

  /** With so many rows in each partition. */
  public ProfileOptions withRows(int count) {
    return new ProfileOptions(partitions, OptionalInt.of(count), limit, value);
  }

  /** With so many rows in a read at most. */
  public ProfileOptions withLimit(int count) {
    return new ProfileOptions(partitions, rows, OptionalInt.of(count), value);
  }

  /** With values of this size. */
  public ProfileOptions withValue(BookValue size) {
    return new ProfileOptions(partitions, rows, limit, size);
  }
}
