package io.siltstone.io;

/**
 * Why a file is opened. The directory, and nobody else, turns it into a way of access (mapped,
 * buffered, direct, advice to the kernel), as its options say.
 */
public enum ReadIntent {
  /** A few bytes at unpredictable places of a data file. */
  POINT_READ,
  /** A few bytes at unpredictable places of an index file; the first candidate for mapping. */
  INDEX,
  /** All or much of a file from front to back, for a reader who waits for it. */
  SCAN,
  /** All of a file from front to back in the background; may bypass the page cache. */
  COMPACTION
}
