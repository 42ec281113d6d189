package io.siltstone.io;

/** Why a file is created. The directory turns it into a way of access, as its options say. */
public enum WriteIntent {
  /** A table written from memory; it will be read soon. */
  FLUSH,
  /** The output of a merge in the background; may bypass the page cache. */
  COMPACTION,
  /** A log: small appends, each of them synced or soon to be. */
  LOG,
  /** Anything small, and temporary files. */
  OTHER
}
