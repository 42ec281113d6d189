package io.siltstone.spark.files;

import io.siltstone.catalog.Catalog;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.liveset.Recovery;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The listing of a directory with SSTables of a table.
 *
 * @param path of the directory
 * @param files all files in it
 * @param directories the names of its child directories
 */
public record TableDirectory(String path, List<ListedFile> files, List<String> directories) {
  private static final String DATA = "-" + Component.DATA.fileName();
  private static final int MOST_TEXT_BYTES = 16 << 20;

  /** Copies the lists. */
  public TableDirectory {
    files = List.copyOf(files);
    directories = List.copyOf(directories);
  }

  /**
   * Lists a directory.
   *
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  public static TableDirectory list(Storage storage, String path) throws IOException {
    Directory directory = storage.open(path);
    List<ListedFile> files = new ArrayList<>();
    List<String> directories = new ArrayList<>();
    for (Directory.Entry entry : directory.entries()) {
      if (entry.isDirectory()) {
        directories.add(entry.name());
      } else {
        files.add(
            new ListedFile(
                entry.name(),
                directory.path(),
                entry.name(),
                length(storage, directory, entry),
                entry.lastModifiedMillis()));
      }
    }
    return new TableDirectory(directory.path(), files, directories);
  }

  private static long length(Storage storage, Directory directory, Directory.Entry entry)
      throws IOException {
    // The length of an encrypted file's content is in the file. An empty file is that of a lock.
    return storage.isEncrypted() && entry.length() > 0
        ? directory.length(entry.name())
        : entry.length();
  }

  /** Writes the definition of a table to its directory, if there is none. */
  public static void define(Directory directory, TableSchema schema) throws IOException {
    if (!directory.exists(Catalog.SCHEMA_FILE)) {
      TextFile.replace(directory, Catalog.SCHEMA_FILE, schema.toCql());
    }
  }

  /** Returns the file of a name, if it is there. */
  public Optional<ListedFile> file(String name) {
    return files.stream().filter(file -> file.name().equals(name)).findAny();
  }

  /**
   * Returns whether a flush or compaction was interrupted, or is running, so that only the logs of
   * its transactions say which SSTables are live.
   */
  public boolean hasTransactions() {
    return files.stream().anyMatch(file -> Recovery.isTransactionLog(file.name()));
  }

  /**
   * Returns the SSTables by name: all that have a component, live or not.
   *
   * @throws UnsupportedSSTableException if one is of a version that cannot be read; the message
   *     names the file
   */
  public List<ListedSSTable> sstables() throws UnsupportedSSTableException {
    Map<String, List<ListedFile>> byName = new TreeMap<>();
    for (ListedFile file : files) {
      Optional<Descriptor> descriptor = descriptor(file);
      if (descriptor.isPresent()) {
        byName.computeIfAbsent(descriptor.get().toString(), name -> new ArrayList<>()).add(file);
      }
    }
    List<ListedSSTable> sstables = new ArrayList<>();
    byName.forEach((name, components) -> sstables.add(new ListedSSTable(name, components)));
    return sstables;
  }

  private static Optional<Descriptor> descriptor(ListedFile file)
      throws UnsupportedSSTableException {
    try {
      Descriptor descriptor = Descriptor.parse(file.name());
      boolean isComponent =
          descriptor.version().components().stream()
              .anyMatch(component -> descriptor.fileName(component).equals(file.name()));
      return isComponent ? Optional.of(descriptor) : Optional.empty();
    } catch (IllegalArgumentException e) {
      if (file.name().endsWith(DATA)) {
        throw new UnsupportedSSTableException(file.path() + ": " + e.getMessage(), e);
      }
      return Optional.empty();
    }
  }

  /** Reads a file of text, which is at most 16 MiB long. */
  public static String text(Storage storage, ListedFile file) throws IOException {
    if (file.length() > MOST_TEXT_BYTES) {
      throw new CorruptFileException(
          file.path(),
          CorruptFileException.WHOLE_FILE,
          "has " + file.length() + " bytes, allowed " + MOST_TEXT_BYTES);
    }
    return TextFile.read(storage.open(file.directory()), file.realName());
  }
}
