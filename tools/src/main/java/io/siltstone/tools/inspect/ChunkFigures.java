package io.siltstone.tools.inspect;

/**
 * The estimated properties of a table with some chunk length, from a compressed sample of its data.
 *
 * @param chunkBytes uncompressed size of a chunk
 * @param ratio stored size by uncompressed size, checksums included
 * @param onDiskBytes size of all data
 * @param bytesPerRead bytes from disk for one row, from one SSTable, with nothing cached
 * @param metadataBytes memory for the offsets of chunks
 * @param cassandraMetadataBytes likewise in Cassandra
 */
record ChunkFigures(
    int chunkBytes,
    double ratio,
    double onDiskBytes,
    double bytesPerRead,
    long metadataBytes,
    long cassandraMetadataBytes) {}
