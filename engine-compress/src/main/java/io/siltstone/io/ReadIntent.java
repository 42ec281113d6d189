package io.siltstone.io;

/**
 * The purpose for which a file is opened. Only the directory turns it into a way of access (mapped,
 * buffered, direct, advice to the kernel), as its options determine.
 */
public enum ReadIntent {
  /** Reads a few bytes at unpredictable positions of a data file. */
  POINT_READ,
  /**
   * Reads a few bytes at unpredictable positions of an index file; the first candidate for mapping.
   */
  INDEX,
  /** Reads all or much of a file from front to back, while a caller waits. */
  SCAN,
  /** Reads a whole file from front to back in the background; may bypass the page cache. */
  COMPACTION,
  /** Reads a small file as a whole and closes it at once; it may be read when it is opened. */
  WHOLE
}
