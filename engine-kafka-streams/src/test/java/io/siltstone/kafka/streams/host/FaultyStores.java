package io.siltstone.kafka.streams.host;

import io.siltstone.Database;
import io.siltstone.SharedResources;
import io.siltstone.io.Directory;
import io.siltstone.kafka.streams.store.StoreTables;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The tables of stores in a database with little memory, whose files fail by rules. */
public final class FaultyStores implements Closeable {
  private static final int MIB = 1 << 20;

  private final SharedResources resources =
      SharedResources.builder()
          .memoryBytes(32 * MIB)
          .memtableBytes(8 * MIB)
          .chunkCacheBytes(4 * MIB)
          .build();
  private final StoreDatabase stores;

  /**
   * Opens the database.
   *
   * @param directory to which the paths of markers are relative
   * @param files those of the database
   */
  public FaultyStores(Path directory, Directory files, Fault... faults) throws IOException {
    stores =
        StoreDatabase.open(
            directory, new FaultyDirectory(files, 1, faults), resources, new MaintenanceThread());
  }

  /** Returns the tables, of which each is opened for the task of the context. */
  public StoreTables tables() {
    return (context, name, format) -> {
      Path task = context.stateDir().toPath();
      return stores.openTable(
          new StoreName(name, task.getFileName().toString(), format, task), () -> {});
    };
  }

  /** Returns the database. */
  public Database database() {
    return stores.database();
  }

  @Override
  public void close() throws IOException {
    try {
      stores.close();
    } finally {
      resources.close();
    }
  }
}
