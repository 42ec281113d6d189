package io.siltstone.sstable.format;

/**
 * The files that make up one SSTable. Those of the index depend on the format; {@link
 * FormatVersion#components()} has the components of each version.
 */
public enum Component {
  /** Partitions and rows. */
  DATA("Data.db"),
  /** BIG: each key's position in the data file, with the index blocks of wide partitions. */
  PRIMARY_INDEX("Index.db"),
  /** BIG: sampled keys of the index. */
  SUMMARY("Summary.db"),
  /** BTI: a trie of keys, with their positions in the data file or in {@link #ROWS}. */
  PARTITIONS("Partitions.db"),
  /** BTI: a trie of index blocks for each wide partition. */
  ROWS("Rows.db"),
  /** Bloom filter over the keys. */
  FILTER("Filter.db"),
  /** Chunk offsets and the compressor's parameters. */
  COMPRESSION_INFO("CompressionInfo.db"),
  /** Validation, compaction and stats metadata, and the serialization header. */
  STATISTICS("Statistics.db"),
  /** CRC32 over the whole data file, as decimal text. */
  DIGEST("Digest.crc32"),
  /** Checksums of the chunks of an uncompressed data file. */
  CRC("CRC.db"),
  /** The names of the components, one a line. */
  TOC("TOC.txt");

  private final String fileName;

  Component(String fileName) {
    this.fileName = fileName;
  }

  /**
   * Returns whether a file of an SSTable belongs to a secondary index that Cassandra keeps beside
   * the data: SAI or SASI. No row depends on such files. The engine neither reads nor writes them,
   * and a node builds them again where they are missing.
   *
   * @param lastPart of the file's name, after the common part of all components
   */
  public static boolean isOfIndex(String lastPart) {
    return lastPart.endsWith(".db") && (lastPart.startsWith("SAI+") || lastPart.startsWith("SI_"));
  }

  /** Returns the last part of the file's name. */
  public String fileName() {
    return fileName;
  }
}
