package io.siltstone.files;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A listing of a directory: its files with their lengths and times, and its child directories, as
 * they were at one moment. Immutable.
 */
public final class DirectoryListing {
  // Both sorted by name.
  private final List<Directory.Entry> files;
  private final List<String> names;
  private final List<String> directories = new ArrayList<>();

  private DirectoryListing(List<Directory.Entry> entries) {
    files = new ArrayList<>(entries.size());
    names = new ArrayList<>(entries.size());
    for (Directory.Entry entry : entries) {
      if (entry.isDirectory()) {
        directories.add(entry.name());
      } else {
        files.add(entry);
        names.add(entry.name());
      }
    }
  }

  /** Lists a directory. */
  public static DirectoryListing of(Directory directory) throws IOException {
    return new DirectoryListing(directory.entries());
  }

  /** Returns the names of the files, sorted. */
  public List<String> files() {
    return Collections.unmodifiableList(names);
  }

  /** Returns the names of the child directories, sorted. */
  public List<String> directories() {
    return List.copyOf(directories);
  }

  /** Returns whether there is a file of a name. */
  public boolean has(String file) {
    return Collections.binarySearch(names, file) >= 0;
  }

  /** Returns the files whose names begin with a prefix, sorted by name. */
  public List<Directory.Entry> withPrefix(String prefix) {
    int found = Collections.binarySearch(names, prefix);
    int from = found < 0 ? -found - 1 : found;
    int to = from;
    while (to < names.size() && names.get(to).startsWith(prefix)) {
      to++;
    }
    return Collections.unmodifiableList(files.subList(from, to));
  }

  /** Returns the sum of a number for each file. */
  public long sum(ToLongFunction<Directory.Entry> number) {
    long sum = 0;
    for (Directory.Entry entry : files) {
      sum += number.applyAsLong(entry);
    }
    return sum;
  }

  /** Returns the latest modification time of the files; {@link Long#MIN_VALUE} without files. */
  public long lastModifiedMillis() {
    long latest = Long.MIN_VALUE;
    for (Directory.Entry entry : files) {
      latest = Math.max(latest, entry.lastModifiedMillis());
    }
    return latest;
  }

  /**
   * Returns a hash of the names, lengths and times of the files, hexadecimal. Two listings with the
   * same one are of the same files, none of which was written meanwhile.
   */
  public String fingerprint() {
    Sha256 digest = new Sha256();
    ByteBuffer numbers = ByteBuffer.allocate(1 + 2 * Long.BYTES);
    for (Directory.Entry entry : files) {
      // No name has a slash.
      numbers.clear().put((byte) '/').putLong(entry.length()).putLong(entry.lastModifiedMillis());
      digest.add(entry.name()).add(numbers.flip());
    }
    return digest.end();
  }
}
