package io.siltstone.memory;

/** What off-heap memory is used for; the budget counts each kind apart. */
public enum MemoryKind {
  /** Decompressed chunks kept for further reads. */
  CHUNK_CACHE,
  /** Where each chunk of a compressed file begins. */
  CHUNK_OFFSETS,
  /** Bloom filters of open tables, and of those being written, with bits on their way there. */
  BLOOM_FILTER,
  /** Sampled keys of open tables. */
  INDEX_SUMMARY,
  /** Buffers that sequential readers fill ahead. */
  READ_AHEAD,
  /** Buffers of chunk readers and writers: one chunk, plain and compressed. */
  CHUNK_BUFFER,
  /** Index blocks of the partition being written. */
  PARTITION_INDEX,
  /** Rows not yet flushed. */
  MEMTABLE,
  /** Records of the commit log that are not yet written to its file. */
  COMMIT_LOG
}
