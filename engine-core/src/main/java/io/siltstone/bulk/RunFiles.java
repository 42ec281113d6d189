package io.siltstone.bulk;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.Failures;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The temporary files of one external sort, the sorted runs. Closing removes the remaining ones.
 *
 * <p>Their names are those of temporary files of an SSTable of generation 0, which does not exist:
 * so they are no SSTable for any reader, and the next opening of the table's directory for writing
 * removes what a killed process has left, as it does with unfinished SSTables.
 */
final class RunFiles implements Closeable {
  private final Directory directory;
  private final String prefix;
  private final List<String> names = new ArrayList<>();
  private int made;

  /**
   * @param directory of a table
   * @param version any of the table
   */
  RunFiles(Directory directory, FormatVersion version) {
    this.directory = directory;
    // Several sorts may go on in one directory.
    this.prefix =
        Descriptor.of(version, 0)
            + "-load-"
            + Long.toHexString(UUID.randomUUID().getMostSignificantBits())
            + "-";
  }

  /** Creates a file, whose name is {@link #last()}. The caller closes it. */
  WritableFile create() throws IOException {
    String name = prefix + ++made + Descriptor.TEMPORARY_SUFFIX;
    // Noted first: a creation that fails may have taken effect.
    names.add(name);
    return directory.create(name, WriteIntent.OTHER);
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
    try {
      directory.delete(name);
    } catch (NoSuchFileException e) {
      // It was never created, or the table was dropped.
    }
    names.remove(name);
  }

  /** Returns how many files were created. */
  int made() {
    return made;
  }

  @Override
  public void close() throws IOException {
    Throwable failure = null;
    for (String name : List.copyOf(names)) {
      failure = Closeables.close(() -> delete(name), failure);
    }
    Failures.rethrow(failure);
  }
}
