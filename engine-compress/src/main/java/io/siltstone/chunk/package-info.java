/**
 * Data files in chunks: written by {@code ChunkWriter}, described by {@code CompressionInfo} (or
 * {@code CRC.db} if uncompressed), read through {@link io.siltstone.chunk.ChunkSource}.
 *
 * <p>Two kinds of reads, two types: {@code RandomChunks} reads one chunk by one read; {@code
 * SequentialChunks} reads ahead, 256 KiB by default. They never share a buffer.
 */
@NullMarked
package io.siltstone.chunk;

import org.jspecify.annotations.NullMarked;
