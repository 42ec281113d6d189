package io.siltstone.testkit;

import java.util.Locale;

/** The kinds of operations on a directory and its files. Mapping a file is an {@link #OPEN}. */
public enum Operation {
  /** {@code Directory.open}. */
  OPEN,
  /** {@code ReadableFile.read}. */
  READ,
  /** {@code Directory.create}. */
  CREATE,
  /** {@code Directory.append}. */
  APPEND,
  /** {@code WritableFile.write}. */
  WRITE,
  /** {@code WritableFile.sync}. */
  SYNC,
  /** {@code Directory.truncate}. */
  TRUNCATE,
  /** {@code Directory.sync}. */
  SYNC_DIRECTORY,
  /** {@code Directory.rename}. */
  RENAME,
  /** {@code Directory.link}. */
  LINK,
  /** {@code Directory.delete}. */
  DELETE,
  /** {@code Directory.files} and {@code Directory.directories}. */
  LIST,
  /** {@code Directory.exists}, {@code Directory.length} and others of that kind. */
  LOOK_UP,
  /** {@code Directory.directory}. */
  MAKE_DIRECTORY,
  /** {@code Directory.deleteDirectory}. */
  DELETE_DIRECTORY,
  /** {@code Directory.lock}. */
  LOCK;

  /** Returns the name in lower case, as in messages. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
