package io.siltstone.tools.terminal;

import io.siltstone.io.NioDirectory;
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

/**
 * An SSTable as the user named it, by the path of its data file. Immutable; holds nothing open.
 *
 * @param path of the data file
 * @param directory of its files
 * @param descriptor what their names begin with
 */
public record TableFile(Path path, NioDirectory directory, Descriptor descriptor) {

  /**
   * The table that a path names.
   *
   * @param path of its {@code Data.db}, or of another of its files
   * @throws NoSuchFileException if there is no such file, or it has no {@code Data.db} beside it
   * @throws AccessDeniedException if its directory may not be entered
   * @throws UsageException if the name is not that of an SSTable's file, or of a version that
   *     cannot be read
   */
  public static TableFile of(Path path) throws IOException {
    requireThere(path);
    Path name = path.getFileName();
    if (Files.isDirectory(path) || name == null) {
      throw new UsageException(path + " is a directory; expected the path of an SSTable's Data.db");
    }
    Descriptor descriptor = descriptor(name.toString());
    Path data = path.resolveSibling(descriptor.fileName(Component.DATA));
    requireThere(data);
    return ofData(data, descriptor);
  }

  /**
   * Unlike {@link Files#exists}, tells a file that is not there from one that cannot be reached.
   */
  private static void requireThere(Path path) throws IOException {
    path.getFileSystem().provider().checkAccess(path);
  }

  /** The table whose data file that is, or should be. */
  static TableFile ofData(Path data, Descriptor descriptor) throws IOException {
    Path parent = data.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      throw new UsageException(data + " lies in no directory");
    }
    return new TableFile(data, NioDirectory.openExisting(parent), descriptor);
  }

  /**
   * What a file's name begins with.
   *
   * @throws UsageException as of {@link #of}
   */
  static Descriptor descriptor(String fileName) {
    try {
      return Descriptor.parse(fileName);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Opens the table, every checksum to be compared. The caller closes it. */
  public SSTable open(MemoryBudget budget) throws IOException {
    return SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, budget);
  }

  /** The directory's own name. */
  public String directoryName() {
    Path name = Path.of(directory.path()).getFileName();
    return name == null ? "" : name.toString();
  }
}
