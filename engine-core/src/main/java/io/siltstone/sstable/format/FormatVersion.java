package io.siltstone.sstable.format;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A supported version of Cassandra's BIG format, and its properties.
 *
 * <p>Source: Cassandra {@code BigFormat.BigVersion}.
 */
public enum FormatVersion {
  /** The version of Cassandra 4.0-rc1, which is only read. */
  NA,
  /** Cassandra 4.0 to 4.1, and 5.0 in its compatibility mode: adds the originating host. */
  NB,
  /**
   * Cassandra 5.0: deletion times to 2106, covered clusterings, first and last key and
   * partition-deletion marker in the statistics.
   */
  OA;

  /** Returns the version as it is in file names: {@code na}, {@code nb}, {@code oa}. */
  public String text() {
    return switch (this) {
      case NA -> "na";
      case NB -> "nb";
      case OA -> "oa";
    };
  }

  /** Returns whether the engine also writes this version. */
  public boolean isWritable() {
    return this != NA;
  }

  /**
   * Returns whether local deletion times are unsigned 32-bit seconds, and a partition without
   * deletion has a single byte for it.
   */
  public boolean hasUnsignedDeletionTimes() {
    return this == OA;
  }

  /** Returns whether statistics have the host that wrote the SSTable. */
  public boolean hasOriginatingHostId() {
    return this != NA;
  }

  /**
   * Returns whether statistics have covered clusterings as a slice, rather than as lists of least
   * and greatest values.
   */
  public boolean hasCoveredClustering() {
    return this == OA;
  }

  /** Returns whether statistics record if any partition was deleted as a whole. */
  public boolean hasPartitionDeletionMarker() {
    return this == OA;
  }

  /** Returns whether statistics have the first and last key. */
  public boolean hasKeyRange() {
    return this == OA;
  }

  /** Returns whether statistics have the share of the token space that the SSTable covers. */
  public boolean hasTokenSpaceCoverage() {
    return this == OA;
  }

  /** Returns the latest local deletion time that can be written, in seconds since 1970. */
  public long maxLocalDeletionTime() {
    // The greatest value of either encoding stands for "no deletion".
    return hasUnsignedDeletionTimes() ? 0xFFFF_FFFDL : Integer.MAX_VALUE - 1L;
  }

  /**
   * Returns the version of a name.
   *
   * @throws IllegalArgumentException if there is none; the message has the name and all versions
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
