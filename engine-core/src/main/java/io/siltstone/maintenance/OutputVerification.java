package io.siltstone.maintenance;

/** How thoroughly an SSTable is verified before it is committed. */
public enum OutputVerification {
  /**
   * While it is written, an independent parser reads the framing of each partition, row, marker and
   * cell from the bytes that go to the compressor. Compares counts and key hashes with those of the
   * source; compares index, summary, filter and statistics with the data; and reads back the
   * checksum of every chunk. Costs about a tenth of the CPU of a compaction of small rows, less for
   * larger ones.
   */
  STRUCTURE,
  /**
   * As {@link #STRUCTURE}; then all files are read back whole, as {@code SSTableVerifier} does,
   * with every value. Takes about as long again as a scan of the SSTable, which the page cache may
   * serve.
   */
  FULL
}
