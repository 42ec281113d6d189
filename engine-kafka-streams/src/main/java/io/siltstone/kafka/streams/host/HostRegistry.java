package io.siltstone.kafka.streams.host;

import io.siltstone.SharedResources;
import io.siltstone.io.NioDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
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
 * last database. When an application begins, Kafka opens and closes the stores of its tasks one
 * after the other; the database stays open for a while then, instead of being opened as often as
 * there are tasks. Safe for use by all threads.
 */
public final class HostRegistry {
  /** The registry of the JVM. */
  public static final HostRegistry OF_JVM = new HostRegistry();

  private static final Logger LOG = LoggerFactory.getLogger(HostRegistry.class);
  // From the beginning of an application until it gets its tasks, unless the group is slow.
  private static final long STARTUP_SECONDS = 10;

  private record Key(Path stateDirectory, String applicationId) {}

  private static final class Shared {
    private final DatabaseHome home;
    private final StoreDatabase database;
    private int users;
    // Closes the database after a while without users; null if it has users.
    private @Nullable Closeable idle;

    Shared(DatabaseHome home, StoreDatabase database) {
      this.home = home;
      this.database = database;
    }

    void close() throws IOException {
      boolean stays = database.hasGlobalStores();
      database.close();
      if (!stays) {
        home.putAside();
      }
    }
  }

  private final Map<Key, Shared> databases = new HashMap<>();
  private final JvmResources resources = new JvmResources();
  private final MaintenanceThread maintenance = new MaintenanceThread();
  private final long startupSeconds;

  private HostRegistry() {
    this(STARTUP_SECONDS);
  }

  /**
   * @param startupSeconds for how long a database without users stays open at the beginning of an
   *     application
   */
  HostRegistry(long startupSeconds) {
    this.startupSeconds = startupSeconds;
  }

  /**
   * Opens the database of a host, which is not counted: the host closes it.
   *
   * @param directory of the database, with an absolute path
   * @param shared its memory and threads, not taken over
   */
  public StoreDatabase openDatabase(Path directory, SharedResources shared) throws IOException {
    return StoreDatabase.open(directory, NioDirectory.open(directory), shared, maintenance);
  }

  /**
   * Opens the table of a store in the database of its application.
   *
   * @param stateDirectory the state directory of the configuration
   * @param memoryBytes the limit of the memory of all databases of the JVM, if this is the first
   * @param isStartup whether the application is beginning, so that its stores will be opened again
   *     soon
   */
  public StoreTable openTable(
      Path stateDirectory,
      String applicationId,
      long memoryBytes,
      StoreName store,
      boolean isStartup)
      throws IOException {
    Key key = new Key(canonical(stateDirectory), applicationId);
    StoreDatabase database = acquire(key, memoryBytes);
    try {
      return database.openTable(store, () -> release(key, isStartup));
    } catch (Throwable e) {
      try {
        release(key, isStartup);
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  private static Path canonical(Path directory) throws IOException {
    try {
      return directory.toRealPath();
    } catch (NoSuchFileException e) {
      NioDirectory.open(directory);
      return directory.toRealPath();
    }
  }

  private synchronized StoreDatabase acquire(Key key, long memoryBytes) throws IOException {
    Shared present = databases.get(key);
    if (present == null) {
      DatabaseHome home = new DatabaseHome(key.stateDirectory().resolve(key.applicationId()));
      SharedResources shared = resources.acquire(memoryBytes);
      try {
        present =
            new Shared(
                home, StoreDatabase.open(home.directory(), home.take(), shared, maintenance));
      } catch (Throwable e) {
        resources.release();
        throw e;
      }
      databases.put(key, present);
      LOG.info("opened {}", present.database);
    }
    present.users++;
    Closeable idle = present.idle;
    if (idle != null) {
      present.idle = null;
      idle.close();
    }
    return present.database;
  }

  private synchronized void release(Key key, boolean isStartup) throws IOException {
    Shared present = databases.get(key);
    if (present == null || --present.users > 0) {
      return;
    }
    if (isStartup) {
      present.idle = maintenance.repeat(() -> closeIdle(key, present), startupSeconds);
    } else {
      close(key, present);
    }
  }

  private void close(Key key, Shared closed) throws IOException {
    databases.remove(key);
    try {
      closed.close();
      LOG.info("closed {}", closed.database);
    } finally {
      resources.release();
    }
  }

  private synchronized void closeIdle(Key key, Shared idle) {
    Closeable timer = idle.idle;
    if (timer == null) {
      return; // It has users again.
    }
    idle.idle = null;
    try (timer) {
      close(key, idle);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} could not be closed", idle.database, e);
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

  /** Returns whether nothing is open, and neither memory nor a thread is in use. */
  public synchronized boolean isEmpty() {
    return databases.isEmpty() && !resources.isInUse() && maintenance.isIdle();
  }
}
