package io.siltstone.memory;

/** The uses of off-heap memory, which the budget counts separately. */
public enum MemoryKind {
  /** Decompressed chunks that are cached for further reads. */
  CHUNK_CACHE,
  /** Offsets of the chunks of compressed files. */
  CHUNK_OFFSETS,
  /** Bloom filters of open SSTables, and of those being written, including buffered bits. */
  BLOOM_FILTER,
  /** Index summaries of open SSTables. */
  INDEX_SUMMARY,
  /** Read-ahead buffers of sequential readers. */
  READ_AHEAD,
  /** Buffers of chunk readers and writers: one chunk, uncompressed and compressed. */
  CHUNK_BUFFER,
  /** Index blocks of the partition being written. */
  PARTITION_INDEX,
  /** Rows of memtables, which have not been flushed yet. */
  MEMTABLE,
  /** Records of the commit log that are not yet written to its file. */
  COMMIT_LOG,
  /** Prepared compression dictionaries of open files, and of those being written; an estimate. */
  COMPRESSION_DICTIONARY
}
