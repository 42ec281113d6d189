package io.siltstone.interop;

import java.util.Locale;

/**
 * The options of the Cassandra node in this JVM. Immutable.
 *
 * @param version format version of new SSTables: {@code nb} (from Cassandra 4.0 on) or {@code oa}
 *     (5.0)
 * @param partitioner order of partitions
 * @param columnIndexSizeKib size of the rows of a partition between two entries of its index, in
 *     KiB
 */
record NodeOptions(String version, Partitioner partitioner, int columnIndexSizeKib) {

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
    if (!version.equals("nb") && !version.equals("oa")) {
      throw new IllegalArgumentException("version " + version + ", allowed nb, oa");
    }
  }

  /**
   * Returns the options for this JVM's test run, from the system properties {@code interop.version}
   * (nb or oa, default oa), {@code interop.partitioner} (murmur3 or byte_ordered, default murmur3)
   * and {@code interop.columnIndexKib}.
   */
  static NodeOptions fromSystemProperties() {
    return new NodeOptions(
        System.getProperty("interop.version", "oa"),
        Partitioner.valueOf(
            System.getProperty("interop.partitioner", "murmur3").toUpperCase(Locale.ROOT)),
        Integer.getInteger("interop.columnIndexKib", SMALL_COLUMN_INDEX_KIB));
  }

  /**
   * Returns the value of {@code storage_compatibility_mode} that makes Cassandra 5.0 write this
   * version.
   */
  String storageCompatibilityMode() {
    return version.equals("nb") ? "CASSANDRA_4" : "NONE";
  }
}
