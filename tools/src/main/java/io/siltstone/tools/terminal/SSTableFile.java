package io.siltstone.tools.terminal;

import io.siltstone.io.Directory;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.RetentionFloorStore;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An SSTable named by the path of its data file. Immutable; holds no open file.
 *
 * @param path of the data file
 * @param directory of its files
 * @param descriptor common prefix of their names
 */
public record SSTableFile(Path path, Directory directory, Descriptor descriptor) {

  /**
   * Returns the SSTable that a path names.
   *
   * @param path of its {@code Data.db}, or of another of its files
   * @param keys of encrypted directories
   * @throws NoSuchFileException if there is no such file, or no {@code Data.db} beside it
   * @throws AccessDeniedException if its directory cannot be entered
   * @throws UsageException if the name is not that of an SSTable's file, or of a version that
   *     cannot be read
   */
  public static SSTableFile of(Path path, KeyFileOption keys) throws IOException {
    requireThere(path);
    Path name = path.getFileName();
    if (Files.isDirectory(path) || name == null) {
      throw new UsageException(path + " is a directory; expected the path of an SSTable's Data.db");
    }
    Descriptor descriptor = descriptor(name.toString());
    Path data = path.resolveSibling(descriptor.fileName(Component.DATA));
    requireThere(data);
    return ofData(data, descriptor, keys);
  }

  /** Unlike {@link Files#exists}, distinguishes a missing file from one that cannot be reached. */
  private static void requireThere(Path path) throws IOException {
    path.getFileSystem().provider().checkAccess(path);
  }

  /** Returns the SSTable with the given data file, which may be missing. */
  static SSTableFile ofData(Path data, Descriptor descriptor, KeyFileOption keys)
      throws IOException {
    Path parent = data.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      throw new UsageException(data + " has no parent directory");
    }
    return new SSTableFile(data, keys.existing(parent), descriptor);
  }

  /**
   * Returns the descriptor that a file's name begins with.
   *
   * @throws UsageException as in {@link #of}
   */
  static Descriptor descriptor(String fileName) {
    try {
      return Descriptor.parse(fileName);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns whether the table has deletions of ranges of keys, which no SSTable has. */
  public boolean hasDeletedRanges() throws IOException {
    return directory.exists(KeyRangeDeletionStore.FILE);
  }

  /** Returns as {@link #hasDeletedRanges()} for the table with a directory. */
  public static boolean hasDeletedRanges(Path directory) {
    return Files.exists(directory.resolve(KeyRangeDeletionStore.FILE));
  }

  /**
   * Returns the retention floor of the table that the directory is of, as text; empty if there is
   * none.
   *
   * @param opened the SSTable
   */
  public Optional<String> retentionFloor(SSTable opened) throws IOException {
    return RetentionFloorStore.valueIn(directory, opened.header().clusteringTypes())
        .map(Object::toString);
  }

  /** Opens the SSTable with verification of every checksum. The caller closes it. */
  public SSTable open(MemoryBudget budget) throws IOException {
    return SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, budget);
  }

  /** Returns the name of the directory. */
  public String directoryName() {
    Path name = Path.of(directory.path()).getFileName();
    return name == null ? "" : name.toString();
  }
}
