package io.siltstone.sstable.format;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A version of Cassandra's BIG format that this engine reads, and what distinguishes it.
 *
 * <p>Source: Cassandra {@code BigFormat.BigVersion}.
 */
public enum FormatVersion {
  /** Cassandra 4.0-rc1. Read only. */
  NA,
  /** Cassandra 4.0 to 4.1, and 5.0 in its compatibility mode: adds the originating host. */
  NB,
  /**
   * Cassandra 5.0: deletion times to 2106, covered clusterings, first and last key and
   * partition-deletion marker in the statistics.
   */
  OA;

  /** As in file names: {@code na}, {@code nb}, {@code oa}. */
  public String text() {
    return switch (this) {
      case NA -> "na";
      case NB -> "nb";
      case OA -> "oa";
    };
  }

  /** Whether the engine also writes this version. */
  public boolean isWritable() {
    return this != NA;
  }

  /**
   * Local deletion times are unsigned 32-bit seconds, and a partition without deletion takes one
   * byte for it.
   */
  public boolean hasUnsignedDeletionTimes() {
    return this == OA;
  }

  /** Statistics name the host that wrote the table. */
  public boolean hasOriginatingHostId() {
    return this != NA;
  }

  /**
   * Statistics have covered clusterings as a slice, instead of lists of least and greatest values.
   */
  public boolean hasCoveredClustering() {
    return this == OA;
  }

  /** Statistics say whether some partition was deleted as a whole. */
  public boolean hasPartitionDeletionMarker() {
    return this == OA;
  }

  /** Statistics hold the first and the last key. */
  public boolean hasKeyRange() {
    return this == OA;
  }

  /** Statistics hold the share of the token space that the table covers. */
  public boolean hasTokenSpaceCoverage() {
    return this == OA;
  }

  /** Latest local deletion time that can be written, in seconds since 1970. */
  public long maxLocalDeletionTime() {
    // The greatest value of either encoding is taken by "no deletion".
    return hasUnsignedDeletionTimes() ? 0xFFFF_FFFDL : Integer.MAX_VALUE - 1L;
  }

  /**
   * The version of that name.
   *
   * @throws IllegalArgumentException naming it and the versions there are
   */
  public static FormatVersion of(String text) {
    for (FormatVersion version : values()) {
      if (version.text().equals(text)) {
        return version;
      }
    }
    throw new IllegalArgumentException(
        "SSTable version '"
            + text
            + "' is not supported; supported are "
            + Arrays.stream(values()).map(FormatVersion::text).collect(Collectors.joining(", "))
            + " of the BIG format");
  }
}
