package io.siltstone.tools.inspect;

/**
 * The trial of a compressor on a sample of a table's data.
 *
 * @param compressor simple class name
 * @param chunkBytes uncompressed size of a chunk
 * @param dictionaryBytes size of the dictionary that was trained for it; 0 for none
 * @param ratio stored size by uncompressed size of chunks that trained no dictionary, checksums
 *     included, and a copy of the dictionary for each SSTable
 * @param compressMicros processor time in microseconds that compresses a chunk
 * @param decompressMicros the same for decompression
 */
record CompressorTrial(
    String compressor,
    int chunkBytes,
    int dictionaryBytes,
    double ratio,
    double compressMicros,
    double decompressMicros) {
  /** Returns the compressor as a reader knows it. */
  String name() {
    String simple = compressor.replace("Dictionary", "").replace("Compressor", "");
    return dictionaryBytes == 0 ? simple : simple + " + dictionary";
  }
}
