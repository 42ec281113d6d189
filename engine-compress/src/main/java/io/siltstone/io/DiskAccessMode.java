package io.siltstone.io;

/**
 * The files that are mapped into memory; the names are those of Cassandra's {@code
 * disk_access_mode}.
 */
public enum DiskAccessMode {
  /** Maps no files: every read is a system call. */
  STANDARD,
  /** Maps data and index files that are read at unpredictable positions. */
  MMAP,
  /**
   * Maps index files only: data is read by chunks, for which page faults of 4 KiB are too small.
   */
  MMAP_INDEX_ONLY
}
