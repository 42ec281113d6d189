package io.siltstone.peers;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * A table of the {@link LocalNode}, whose SSTables are replaced again and again. It calls only what
 * Cassandra 5.0 and 6.0 have in common.
 */
final class LocalTable {
  private static final int DELETION_CHECKS = 12_000;
  private static final int DELETION_MILLIS = 5;
  // More generations than a node assigns while this runs.
  private static final int GENERATIONS_PER_LOAD = 100_000;

  private final ColumnFamilyStore table;
  private int loads;

  private LocalTable(ColumnFamilyStore table) {
    this.table = table;
  }

  /** Returns a table that was defined. */
  static LocalTable named(String name) {
    return new LocalTable(Keyspace.open(LocalNode.KEYSPACE).getColumnFamilyStore(name));
  }

  /** Returns Cassandra's table. */
  ColumnFamilyStore store() {
    return table;
  }

  /**
   * Replaces the SSTables.
   *
   * @param files all components, to which links are made
   */
  // Loads the files as nodetool refresh does, whose replacement differs between the versions.
  @SuppressWarnings("deprecation")
  void load(List<Path> files) throws IOException, InterruptedException {
    table.truncateBlockingWithoutSnapshot();
    Path directory = Path.of(table.getDirectories().getDirectoryForNewSSTables().path());
    awaitDeletions(directory);
    if (files.isEmpty()) {
      return;
    }
    loads++;
    for (Path file : files) {
      // Not under an earlier generation, whose deletion may not have ended within Cassandra.
      String[] name = requireNonNull(file.getFileName()).toString().split("-", 3);
      long generation = Long.parseLong(name[1]) + (long) loads * GENERATIONS_PER_LOAD;
      Files.createLink(directory.resolve(name[0] + "-" + generation + "-" + name[2]), file);
    }
    table.loadNewSSTables();
    if (table.getLiveSSTables().isEmpty()) {
      throw new IOException("none of the SSTables was loaded from " + directory);
    }
  }

  /** Waits for deletions in the background. */
  private static void awaitDeletions(Path directory) throws IOException, InterruptedException {
    for (int i = 0; i < DELETION_CHECKS; i++) {
      try (Stream<Path> files = Files.list(directory)) {
        if (files.noneMatch(file -> file.toString().endsWith(".db"))) {
          return;
        }
      }
      Thread.sleep(DELETION_MILLIS);
    }
    throw new IOException("files of an emptied table are left in " + directory);
  }

  /** Merges all SSTables. */
  void compact() {
    table.forceMajorCompaction();
  }

  /** Returns the files of all live SSTables, with all components. */
  List<Path> liveFiles() {
    List<Path> files = new ArrayList<>();
    for (SSTableReader live : table.getLiveSSTables()) {
      for (Component component : live.getComponents()) {
        files.add(Path.of(live.descriptor.fileFor(component).path()));
      }
    }
    return files;
  }
}
