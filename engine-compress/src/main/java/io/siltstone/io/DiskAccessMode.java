package io.siltstone.io;

/** Which files are mapped into memory; the names are Cassandra's {@code disk_access_mode}. */
public enum DiskAccessMode {
  /** None: every read is a system call. */
  STANDARD,
  /** Data and index files that are read at points. */
  MMAP,
  /** Index files only: data is read by chunks, which a page fault of 4 KiB serves badly. */
  MMAP_INDEX_ONLY
}
