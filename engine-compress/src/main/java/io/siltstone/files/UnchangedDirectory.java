package io.siltstone.files;

import java.util.Map;

/**
 * A directory in which no file was added, removed or written since something was noted about its
 * files. Immutable.
 *
 * @param listing what is in it
 * @param notes a line of text by the beginning of the names of the files that it is about
 */
public record UnchangedDirectory(DirectoryListing listing, Map<String, String> notes) {
  /** Copies the map. */
  public UnchangedDirectory {
    notes = Map.copyOf(notes);
  }
}
