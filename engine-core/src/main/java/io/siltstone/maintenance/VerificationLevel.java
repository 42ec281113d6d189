package io.siltstone.maintenance;

/** How thoroughly the files of an SSTable are checked before it becomes part of a table. */
public enum VerificationLevel {
  /**
   * Checks only what opening an SSTable checks: that its components are there, that {@code
   * Statistics.db} has the right checksums, and that the first and last keys agree. Damage in the
   * data is found when it is read.
   */
  NONE,

  /**
   * Reads the whole data file, and compares it with {@code Digest.crc32} and with the checksums of
   * its chunks, as far as these exist. Compares each key and position in the index with the data,
   * the filter, the summary and the number of partitions. If there is neither a digest nor a
   * checksum, nothing else can prove the data, and this is the same as {@link #FULL}.
   */
  DIGEST,

  /**
   * Does what {@link #DIGEST} does, and parses each row as {@code SSTableVerifier} does. This is
   * the only level that finds damage in the blocks of wide partitions in the index.
   */
  FULL
}
