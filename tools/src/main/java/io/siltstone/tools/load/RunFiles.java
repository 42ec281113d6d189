package io.siltstone.tools.load;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.Descriptor;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The temporary files of one external sort. Closing removes the remaining ones. */
final class RunFiles implements Closeable {
  private static final Pattern OF_LOADS = Pattern.compile("[a-z]{2}-[0-9]+-big-load-[0-9]+\\.tmp");

  private final Directory directory;
  private final String prefix;
  private final List<String> names = new ArrayList<>();
  private int made;

  /**
   * @param prefix of the names; no other file may have it
   */
  RunFiles(Directory directory, String prefix) {
    this.directory = directory;
    this.prefix = prefix;
  }

  /** Returns the prefix of the file names for the SSTable that is loaded. */
  static String prefixOf(Descriptor loaded) {
    return loaded + "-load-";
  }

  /**
   * Removes files that killed loads have left. No other load may run in the directory meanwhile.
   */
  static void removeLeftovers(Directory directory) throws IOException {
    for (String name : directory.files()) {
      if (OF_LOADS.matcher(name).matches()) {
        directory.delete(name);
      }
    }
  }

  /** Creates a file, whose name is {@link #last()}. The caller closes it. */
  WritableFile create() throws IOException {
    String name = prefix + ++made + ".tmp";
    WritableFile file = directory.create(name, WriteIntent.OTHER);
    names.add(name);
    return file;
  }

  /** Returns the name of the file created last. */
  String last() {
    return names.get(names.size() - 1);
  }

  /** Opens a complete file. The caller closes it. */
  ReadableFile open(String name) throws IOException {
    return directory.open(name, ReadIntent.SCAN);
  }

  /** Removes a file. */
  void delete(String name) throws IOException {
    directory.delete(name);
    names.remove(name);
  }

  /** Returns how many files were created. */
  int made() {
    return made;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (String name : List.copyOf(names)) {
      try {
        delete(name);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
