package io.siltstone.files;

import io.siltstone.io.Directory;
import java.io.IOException;

/** Directories with all that is in them. */
public final class DirectoryTree {
  private DirectoryTree() {}

  /** Deletes all files and child directories of a directory, without a sync. */
  public static void empty(Directory directory) throws IOException {
    for (String name : directory.files()) {
      directory.delete(name);
    }
    emptyChildren(directory);
  }

  /** Deletes all child directories of a directory with all that is in them, without a sync. */
  public static void emptyChildren(Directory directory) throws IOException {
    for (String name : directory.directories()) {
      empty(directory.directory(name));
      directory.deleteDirectory(name);
    }
  }

  /** Syncs a directory and all directories below it, the innermost first. */
  public static void sync(Directory directory) throws IOException {
    for (String name : directory.directories()) {
      sync(directory.directory(name));
    }
    directory.sync();
  }
}
