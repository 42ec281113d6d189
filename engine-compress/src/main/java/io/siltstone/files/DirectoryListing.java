package io.siltstone.files;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A listing of a directory: its files with their lengths and times, and its child directories, as
 * they were at one moment. Immutable.
 */
public final class DirectoryListing {
  private final Map<String, Directory.Entry> files = new LinkedHashMap<>();
  private final List<String> directories = new ArrayList<>();

  private DirectoryListing(List<Directory.Entry> entries) {
    for (Directory.Entry entry : entries) {
      if (entry.isDirectory()) {
        directories.add(entry.name());
      } else {
        files.put(entry.name(), entry);
      }
    }
  }

  /** Lists a directory. */
  public static DirectoryListing of(Directory directory) throws IOException {
    return new DirectoryListing(directory.entries());
  }

  /** Returns the names of the files, sorted. */
  public List<String> files() {
    return List.copyOf(files.keySet());
  }

  /** Returns the names of the child directories, sorted. */
  public List<String> directories() {
    return List.copyOf(directories);
  }

  /** Returns whether there is a file of a name. */
  public boolean has(String file) {
    return files.containsKey(file);
  }

  /**
   * Returns the modification time of a file, as {@link Directory#lastModifiedMillis}.
   *
   * @throws IllegalArgumentException if there is no such file
   */
  public long lastModifiedMillis(String file) {
    Directory.Entry entry = files.get(file);
    if (entry == null) {
      throw new IllegalArgumentException("there is no file " + file);
    }
    return entry.lastModifiedMillis();
  }

  /** Returns the sum of a number for each file. */
  public long sum(ToLongFunction<Directory.Entry> number) {
    long sum = 0;
    for (Directory.Entry entry : files.values()) {
      sum += number.applyAsLong(entry);
    }
    return sum;
  }

  /** Returns the latest modification time of the files; {@link Long#MIN_VALUE} without files. */
  public long lastModifiedMillis() {
    long latest = Long.MIN_VALUE;
    for (Directory.Entry entry : files.values()) {
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
    for (Directory.Entry entry : files.values()) {
      // No name has a slash.
      numbers.clear().put((byte) '/').putLong(entry.length()).putLong(entry.lastModifiedMillis());
      digest.add(entry.name()).add(numbers.flip());
    }
    return digest.end();
  }
}
