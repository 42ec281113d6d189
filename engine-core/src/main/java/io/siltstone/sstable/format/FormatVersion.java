package io.siltstone.sstable.format;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A supported version of Cassandra's formats BIG and BTI, and its properties. The formats differ in
 * the index. What reads a version also reads those before it.
 *
 * <p>Source: Cassandra {@code BigFormat.BigVersion}, {@code BtiFormat.BtiVersion}.
 */
public enum FormatVersion {
  /** BIG of Cassandra 4.0-rc1, which is only read. */
  NA,
  /** BIG of Cassandra 4.0 to 4.1, and 5.0 in its compatibility mode: adds the originating host. */
  NB,
  /**
   * BIG of Cassandra 5.0: deletion times to 2106, covered clusterings, first and last key and
   * partition-deletion marker in the statistics.
   */
  OA,
  /** BTI of Cassandra 5.0: {@link #OA} with a trie index. */
  DA,
  /**
   * BIG of Cassandra 6.0: {@link #OA}, and the compression information may contain a dictionary.
   */
  PA,
  /** BTI of Cassandra 6.0: {@link #DA} as {@link #PA} is {@link #OA}. */
  EA;

  private static final Set<Component> OF_BIG =
      Collections.unmodifiableSet(EnumSet.of(Component.PRIMARY_INDEX, Component.SUMMARY));
  private static final Set<Component> OF_BTI =
      Collections.unmodifiableSet(EnumSet.of(Component.PARTITIONS, Component.ROWS));

  /** Returns the version as it is in file names, such as {@code oa}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of its format as it is in file names: {@code big} or {@code bti}. */
  public String formatName() {
    return hasTrieIndex() ? "bti" : "big";
  }

  /** Returns whether the index consists of tries: the format BTI. */
  public boolean hasTrieIndex() {
    return this == DA || this == EA;
  }

  /** Returns the components that an SSTable of this version can have. */
  public Set<Component> components() {
    Set<Component> all = EnumSet.allOf(Component.class);
    all.removeAll(hasTrieIndex() ? OF_BIG : OF_BTI);
    return all;
  }

  /** Returns the components of the index, unmodifiable. */
  public Set<Component> indexComponents() {
    return hasTrieIndex() ? OF_BTI : OF_BIG;
  }

  /** Returns the component of the index in which keys are looked up. */
  public Component keyComponent() {
    return hasTrieIndex() ? Component.PARTITIONS : Component.PRIMARY_INDEX;
  }

  /** Returns the component that has the index blocks of wide partitions. */
  public Component blockComponent() {
    return hasTrieIndex() ? Component.ROWS : Component.PRIMARY_INDEX;
  }

  /** Returns whether the engine also writes this version. */
  public boolean isWritable() {
    return this != NA;
  }

  private boolean isOfCassandra5() {
    return compareTo(OA) >= 0;
  }

  /**
   * Returns whether local deletion times are unsigned 32-bit seconds, and a partition without
   * deletion has a single byte for it.
   */
  public boolean hasUnsignedDeletionTimes() {
    return isOfCassandra5();
  }

  /** Returns whether statistics have the host that wrote the SSTable. */
  public boolean hasOriginatingHostId() {
    return this != NA;
  }

  /** Returns whether the least and greatest clusterings in the statistics can be relied on. */
  public boolean hasReliableClusterings() {
    return this != NA;
  }

  /**
   * Returns whether statistics have covered clusterings as a slice, rather than as lists of least
   * and greatest values.
   */
  public boolean hasCoveredClustering() {
    return isOfCassandra5();
  }

  /** Returns whether statistics record if any partition was deleted as a whole. */
  public boolean hasPartitionDeletionMarker() {
    return isOfCassandra5();
  }

  /** Returns whether statistics have the first and last key. */
  public boolean hasKeyRange() {
    return isOfCassandra5();
  }

  /** Returns whether statistics have the share of the token space that the SSTable covers. */
  public boolean hasTokenSpaceCoverage() {
    return isOfCassandra5();
  }

  /**
   * Returns whether the compression information may contain a dictionary. Cassandra 6.0 also reads
   * one in {@link #OA} and {@link #DA}, but those are written for Cassandra 5.0, which does not.
   */
  public boolean hasCompressionDictionary() {
    return this == PA || this == EA;
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
            + namesOf("big")
            + " of the BIG format and "
            + namesOf("bti")
            + " of the BTI format");
  }

  private static String namesOf(String format) {
    return Arrays.stream(values())
        .filter(version -> version.formatName().equals(format))
        .map(FormatVersion::text)
        .collect(Collectors.joining(", "));
  }
}
