package io.siltstone.interop;

import io.siltstone.sstable.format.FormatVersion;
import java.util.List;
import java.util.Locale;

/**
 * The options of the Cassandra node in this JVM. Immutable.
 *
 * @param version format version of new SSTables in the format BIG: {@code nb} (from Cassandra 4.0
 *     on), {@code oa} (5.0) or {@code pa} (6.0)
 * @param partitioner order of partitions
 * @param columnIndexSizeKib size of the rows of a partition between two entries of its index, in
 *     KiB
 */
record NodeOptions(String version, Partitioner partitioner, int columnIndexSizeKib) {

  private static final List<String> VERSIONS = List.of("nb", "oa", "pa");

  /** Small, so that partitions of a few hundred rows have an index of several blocks. */
  static final int SMALL_COLUMN_INDEX_KIB = 4;

  enum Partitioner {
    MURMUR3("org.apache.cassandra.dht.Murmur3Partitioner"),
    BYTE_ORDERED("org.apache.cassandra.dht.ByteOrderedPartitioner");

    final String className;

    Partitioner(String className) {
      this.className = className;
    }
  }

  NodeOptions {
    if (!VERSIONS.contains(version)) {
      throw new IllegalArgumentException("version " + version + ", allowed " + VERSIONS);
    }
  }

  /**
   * Returns the options for this JVM's test run, from the system properties {@code interop.version}
   * (nb, oa or pa, default oa), {@code interop.partitioner} (murmur3 or byte_ordered, default
   * murmur3) and {@code interop.columnIndexKib}.
   */
  static NodeOptions fromSystemProperties() {
    return new NodeOptions(
        System.getProperty("interop.version", "oa"),
        Partitioner.valueOf(
            System.getProperty("interop.partitioner", "murmur3").toUpperCase(Locale.ROOT)),
        Integer.getInteger("interop.columnIndexKib", SMALL_COLUMN_INDEX_KIB));
  }

  /**
   * Returns the value of {@code storage_compatibility_mode} that makes Cassandra 5.0 write {@code
   * nb} or {@code oa}, or Cassandra 6.0 {@code pa}.
   */
  String storageCompatibilityMode() {
    return version.equals("nb") ? "CASSANDRA_4" : "NONE";
  }

  /** Returns whether deletion times reach to 2106, and there is a format BTI. */
  boolean isSinceFive() {
    return !version.equals("nb");
  }

  /** Returns the versions that the node writes, the one of BIG first. */
  List<FormatVersion> written() {
    FormatVersion big = FormatVersion.of(version);
    return switch (big) {
      case OA -> List.of(big, FormatVersion.DA);
      case PA -> List.of(big, FormatVersion.EA);
      default -> List.of(big);
    };
  }

  /** Returns whether the node reads a version. */
  boolean reads(FormatVersion other) {
    return version.equals("pa")
        || (other != FormatVersion.PA
            && other != FormatVersion.EA
            && (isSinceFive() || other == FormatVersion.NB));
  }
}
