package io.siltstone.tools.inspect;

/**
 * What a table would be with some chunk length, by compressing a sample of its data.
 *
 * @param chunkBytes uncompressed bytes of a chunk
 * @param ratio stored by uncompressed bytes, checksums included
 * @param onDiskBytes of all data
 * @param bytesPerRead from disk for one row, from one SSTable, with nothing cached
 * @param metadataBytes of memory for where chunks begin
 * @param cassandraMetadataBytes likewise in Cassandra
 */
record ChunkFigures(
    int chunkBytes,
    double ratio,
    double onDiskBytes,
    double bytesPerRead,
    long metadataBytes,
    long cassandraMetadataBytes) {}
