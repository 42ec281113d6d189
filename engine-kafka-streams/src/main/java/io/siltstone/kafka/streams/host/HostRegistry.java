package io.siltstone.kafka.streams.host;

import io.siltstone.SharedResources;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases that stores of this JVM have open, by the state directory and the id of their
 * application. Kafka instantiates suppliers of stores itself, several times and with copies of the
 * configuration, so that nothing but a registry can let the stores of an instance share a database,
 * and all instances share their memory.
 *
 * <p>Entries are counted: a database is closed with its last table, the memory is freed with the
 * last database. Safe for use by all threads.
 */
public final class HostRegistry {
  /** The registry of the JVM. */
  public static final HostRegistry OF_JVM = new HostRegistry();

  private static final Logger LOG = LoggerFactory.getLogger(HostRegistry.class);

  /** The directory of the database in that of the application. */
  static final String DIRECTORY = "siltstone";

  private record Key(Path stateDirectory, String applicationId) {}

  private static final class Shared {
    private final StoreDatabase database;
    private int users;

    Shared(StoreDatabase database) {
      this.database = database;
    }
  }

  private final Map<Key, Shared> databases = new HashMap<>();
  private final JvmResources resources = new JvmResources();

  HostRegistry() {}

  /**
   * Opens the table of a store in the database of its application.
   *
   * @param stateDirectory the state directory of the configuration
   * @param memoryBytes the limit of the memory of all databases of the JVM, if this is the first
   */
  public StoreTable openTable(
      Path stateDirectory, String applicationId, long memoryBytes, StoreName store)
      throws IOException {
    NioDirectory.open(stateDirectory);
    Key key = new Key(stateDirectory.toRealPath(), applicationId);
    StoreDatabase database = acquire(key, memoryBytes);
    try {
      return database.openTable(store, () -> release(key));
    } catch (Throwable e) {
      try {
        release(key);
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  private synchronized StoreDatabase acquire(Key key, long memoryBytes) throws IOException {
    Shared present = databases.get(key);
    if (present == null) {
      Path directory = key.stateDirectory().resolve(key.applicationId()).resolve(DIRECTORY);
      SharedResources shared = resources.acquire(memoryBytes);
      try {
        present = new Shared(StoreDatabase.open(directory, shared));
      } catch (Throwable e) {
        resources.release();
        throw e;
      }
      databases.put(key, present);
      LOG.info("opened {}", present.database);
    }
    present.users++;
    return present.database;
  }

  private synchronized void release(Key key) throws IOException {
    Shared present = databases.get(key);
    if (present != null && --present.users == 0) {
      databases.remove(key);
      try {
        present.database.close();
        LOG.info("closed {}", present.database);
      } finally {
        resources.release();
      }
    }
  }

  /** Returns the memory and threads that all databases of the JVM share, to be released. */
  public SharedResources acquireResources(long memoryBytes) {
    return resources.acquire(memoryBytes);
  }

  /** Ends a use of the shared memory and threads. */
  public void releaseResources() {
    resources.release();
  }

  /** Returns the database of an application, for tests; null if none is open. */
  synchronized @Nullable StoreDatabase find(Path stateDirectory, String applicationId)
      throws IOException {
    Shared present = databases.get(new Key(stateDirectory.toRealPath(), applicationId));
    return present == null ? null : present.database;
  }

  /** Returns whether nothing is open, and no memory is in use. */
  public synchronized boolean isEmpty() {
    return databases.isEmpty() && !resources.isInUse();
  }
}
