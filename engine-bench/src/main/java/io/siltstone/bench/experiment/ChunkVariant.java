package io.siltstone.bench.experiment;

import io.siltstone.sstable.format.FormatVersion;

/**
 * A compressor with a chunk length, as the chunk length experiment compares them.
 *
 * @param kib chunk length in KiB
 * @param compressor simple class name
 */
record ChunkVariant(int kib, String compressor) {
  private static final String LZ4 = "LZ4Compressor";
  private static final String DICTIONARY = "ZstdDictionaryCompressor";

  /** Returns LZ4, the default. */
  static ChunkVariant lz4(int kib) {
    return new ChunkVariant(kib, LZ4);
  }

  /** Returns Zstandard. */
  static ChunkVariant zstd(int kib) {
    return new ChunkVariant(kib, "ZstdCompressor");
  }

  /** Returns Zstandard with a dictionary. */
  static ChunkVariant dictionary(int kib) {
    return new ChunkVariant(kib, DICTIONARY);
  }

  boolean hasDictionary() {
    return compressor.equals(DICTIONARY);
  }

  /** Returns the name of its database. */
  String name() {
    return kib + (compressor.equals(LZ4) ? "" : "-" + compressor);
  }

  /** Returns the compressor as a reader knows it. */
  String shortCompressor() {
    return hasDictionary() ? "Zstd + dictionary" : compressor.replace("Compressor", "");
  }

  /** Returns what it is, for a reader. */
  String label() {
    return kib + " KiB" + (compressor.equals(LZ4) ? "" : ", " + shortCompressor());
  }

  /** Returns the {@code compression} option of a table. */
  String option() {
    return "{'class': '" + compressor + "', 'chunk_length_in_kb': " + kib + "}";
  }

  /** Returns the version of SSTables, which decides whether they can have a dictionary. */
  FormatVersion version() {
    return hasDictionary() ? FormatVersion.PA : FormatVersion.OA;
  }
}
