package io.siltstone.io;

/**
 * The purpose for which a file is created. The directory turns it into a way of access, as its
 * options determine.
 */
public enum WriteIntent {
  /** An SSTable of a flush, which will be read soon. */
  FLUSH,
  /** An SSTable of a compaction in the background; may bypass the page cache. */
  COMPACTION,
  /** A log with small appends, each of which is synced immediately or soon. */
  LOG,
  /** Any small or temporary file. */
  OTHER
}
