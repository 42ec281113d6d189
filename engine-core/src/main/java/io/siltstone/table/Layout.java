package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.Statistics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What lies where in the directory of a database.
 *
 * <pre>
 *   lock                       held by the process that writes
 *   siltstone.properties       {@link Identity}; there is a database if and only if it is there
 *   data/KEYSPACE/TABLE-ID/    {@link Catalog}
 *   commitlog/                 {@link io.siltstone.commitlog.CommitLog}
 * </pre>
 *
 * @param root of the database
 * @param identity of it
 */
public record Layout(Directory root, Identity identity) {
  private static final String LOCK = "lock";
  private static final String DATA = "data";
  private static final String COMMIT_LOG = "commitlog";
  private static final String IDENTITY = "siltstone.properties";

  // What a creation that was interrupted may have left.
  private static final Set<String> REMAINS = Set.of(LOCK, IDENTITY + ".tmp");

  /** Keeps others from writing the database; closed by the caller. */
  public static Closeable lock(Directory root) throws IOException {
    try {
      return root.lock(LOCK);
    } catch (LockedException e) {
      throw new IOException(
          root.path() + " is open already, here or in another process: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException(root.path() + " cannot be locked for writing: " + e, e);
    }
  }

  /**
   * Looks whether there is a database, and leaves nothing behind.
   *
   * @throws NoSuchFileException if there is none
   */
  public static void requireDatabase(Directory root) throws IOException {
    if (Identity.read(root).isEmpty()) {
      throw none(root);
    }
  }

  private static NoSuchFileException none(Directory root) {
    return new NoSuchFileException(root.path(), null, "there is no database");
  }

  /**
   * The database of a directory, made if there is none and that is wanted.
   *
   * @param partitioner that it must have, or null for any; of a new one {@code null} means Murmur3
   * @throws NoSuchFileException if there is none and none is wanted
   * @throws IOException if there is something else, or it has another partitioner
   */
  public static Layout open(
      Directory root, boolean createIfMissing, @Nullable Partitioner partitioner)
      throws IOException {
    Optional<Identity> found = Identity.read(root);
    if (found.isPresent()) {
      Identity identity = found.get();
      if (partitioner != null && partitioner != identity.partitioner()) {
        throw new IOException(
            root.path()
                + " is of "
                + identity.partitioner().className()
                + ", asked for is "
                + partitioner.className());
      }
      return new Layout(root, identity);
    }
    if (!createIfMissing) {
      throw none(root);
    }
    List<String> others =
        root.files().stream().filter(name -> !REMAINS.contains(name)).sorted().toList();
    if (!others.isEmpty() || !root.directories().isEmpty()) {
      throw new IOException(
          root.path()
              + " is neither empty nor a database: it has "
              + (others.isEmpty() ? root.directories() : others));
    }
    return create(root, partitioner == null ? Partitioner.MURMUR3 : partitioner);
  }

  /** Makes an empty database in an empty directory, durably. */
  public static Layout create(Directory root, Partitioner partitioner) throws IOException {
    Identity identity = new Identity(UUID.randomUUID(), partitioner);
    identity.write(root);
    return new Layout(root, identity);
  }

  /**
   * The partitioner of the SSTables in a table's directory, as the first says that can be read;
   * empty if there are none.
   *
   * @throws IOException if it can be read from none of them; tells why of the first
   */
  public static Optional<Partitioner> partitionerOf(Directory table) throws IOException {
    IOException failure = null;
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.STATISTICS)) {
        try {
          return Optional.of(
              Partitioner.ofClassName(
                  Statistics.read(table, name, Descriptor.parse(name).version())
                      .validation()
                      .partitioner()));
        } catch (IOException e) {
          // Whether a damaged one is refused or left aside is for those to say who open it.
          failure = failure == null ? e : failure;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return Optional.empty();
  }

  /**
   * The version in which to write beside the SSTables of a table's directory, so that whoever wrote
   * those can read it: the greatest of theirs, or the least after it that is written. That of a
   * directory without any is the default.
   */
  public static FormatVersion versionOf(Directory table) throws IOException {
    FormatVersion greatest = null;
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.DATA)) {
        FormatVersion found = Descriptor.parse(name).version();
        greatest = greatest == null || found.compareTo(greatest) > 0 ? found : greatest;
      }
    }
    for (FormatVersion version : FormatVersion.values()) {
      if (greatest != null && version.isWritable() && version.compareTo(greatest) >= 0) {
        return version;
      }
    }
    return FormatVersion.OA;
  }

  /**
   * Empties a directory after an attempt to make a database there has failed.
   *
   * @param failure gets that of cleaning up suppressed
   */
  public static void removeRemains(Directory root, Throwable failure) {
    try {
      removeAll(root);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void removeAll(Directory directory) throws IOException {
    for (String name : directory.files()) {
      directory.delete(name);
    }
    for (String name : directory.directories()) {
      removeAll(directory.directory(name));
      directory.deleteDirectory(name);
    }
  }

  /** Where the tables of a database in that directory are, made if it is missing. */
  public static Directory dataOf(Directory root) throws IOException {
    Directory data = root.directory(DATA);
    root.sync();
    return data;
  }

  /** The tables' directory, made if it is missing. */
  public Directory data() throws IOException {
    return child(DATA);
  }

  /** The commit log's directory, made if it is missing. */
  public Directory commitLog() throws IOException {
    return child(COMMIT_LOG);
  }

  private Directory child(String name) throws IOException {
    boolean isNew = !root.directories().contains(name);
    Directory child = root.directory(name);
    if (isNew) {
      root.sync();
    }
    return child;
  }

  /** The tables' directory, if there is one. */
  public Optional<Directory> existingData() throws IOException {
    return existing(DATA);
  }

  /** The commit log's directory, if there is one. */
  public Optional<Directory> existingCommitLog() throws IOException {
    return existing(COMMIT_LOG);
  }

  private Optional<Directory> existing(String name) throws IOException {
    return root.directories().contains(name) ? Optional.of(root.directory(name)) : Optional.empty();
  }
}
