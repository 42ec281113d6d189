package io.siltstone.kafka.streams;

import static java.util.Objects.requireNonNull;

import io.siltstone.Database;
import io.siltstone.SharedResources;
import io.siltstone.io.NioDirectory;
import io.siltstone.kafka.streams.host.HostRegistry;
import io.siltstone.kafka.streams.host.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The database that has the state stores of a Kafka Streams application, with a table for each
 * store and partition. An application needs none: without it, the stores open a database in their
 * state directory, share it, and close it with the last of them. With it, the application decides
 * where the database is and how much memory it has, and has the {@link #database} for statistics
 * and checkpoints:
 *
 * <pre>{@code
 * try (StoreHost host = StoreHost.builder(directory).memoryBytes(1L << 30).open()) {
 *   properties.put(StoreHost.HOST_CONFIG, host);
 *   try (KafkaStreams streams = new KafkaStreams(topology, properties)) { ... }
 * }
 * }</pre>
 *
 * <p>Safe for use by all threads. The caller that opens a host closes it, after the applications
 * that use it. Several may, if they have different state directories or ids.
 */
public final class StoreHost implements AutoCloseable {
  /** The property whose value is the host of an application, a {@link StoreHost}; optional. */
  public static final String HOST_CONFIG = "siltstone.store.host";

  /**
   * The property with the limit in bytes of the off-heap memory of all state stores of the JVM
   * together, hosts with resources of their own excepted. It counts for the first store that is
   * opened, and stays until the last is closed. At least 32 MiB; {@link #DEFAULT_MEMORY_BYTES} if
   * it is missing.
   */
  public static final String MEMORY_BYTES_CONFIG = "siltstone.memory.bytes";

  /** The limit of memory without {@link #MEMORY_BYTES_CONFIG}: 256 MiB. */
  public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  static final long LEAST_MEMORY_BYTES = 32L << 20;

  private final StoreDatabase database;
  private final boolean sharesMemory;
  private boolean isClosed;

  private StoreHost(StoreDatabase database, boolean sharesMemory) {
    this.database = database;
    this.sharesMemory = sharesMemory;
  }

  /** Returns a builder of a host whose database is in a directory, which is created if missing. */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** Collects options. Not safe for use by several threads. */
  public static final class Builder {
    private final Path directory;
    private long memoryBytes = DEFAULT_MEMORY_BYTES;
    private @Nullable SharedResources resources;

    private Builder(Path directory) {
      this.directory = requireNonNull(directory, "directory");
    }

    /** Sets the limit of memory as {@link StoreHost#MEMORY_BYTES_CONFIG} does. */
    public Builder memoryBytes(long value) {
      if (value < LEAST_MEMORY_BYTES) {
        throw new IllegalArgumentException(
            "memory of " + value + " bytes for state stores, allowed 33554432 (32 MiB) or more");
      }
      memoryBytes = value;
      return this;
    }

    /**
     * Sets memory and threads of the host's own, instead of those that all state stores of the JVM
     * share. They are not taken over: the caller closes them after the host.
     */
    public Builder resources(@Nullable SharedResources value) {
      resources = value;
      return this;
    }

    /**
     * Opens the host, and drops the tables of stores that are gone.
     *
     * @return the host, to be closed by the caller
     * @throws IOException as {@link Database#open(Path)}
     */
    public StoreHost open() throws IOException {
      NioDirectory.open(directory);
      Path real = directory.toRealPath();
      SharedResources own = resources;
      if (own != null) {
        return new StoreHost(HostRegistry.OF_JVM.openDatabase(real, own), false);
      }
      SharedResources shared = HostRegistry.OF_JVM.acquireResources(memoryBytes);
      try {
        return new StoreHost(HostRegistry.OF_JVM.openDatabase(real, shared), true);
      } catch (Throwable e) {
        HostRegistry.OF_JVM.releaseResources();
        throw e;
      }
    }
  }

  /**
   * Returns the database. Its tables have a comment that names their store; they must not be
   * changed by others than the stores.
   */
  public Database database() {
    return database.database();
  }

  /**
   * Drops the tables of stores whose directory Kafka has deleted, which also happens when the host
   * is opened and every ten minutes.
   *
   * @return the number of tables that were dropped
   */
  public int dropUnused() throws IOException {
    return database.sweep();
  }

  StoreDatabase stores() {
    return database;
  }

  /** Closes the database. Stores that are open fail from now on. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    try {
      database.close();
    } finally {
      if (sharesMemory) {
        HostRegistry.OF_JVM.releaseResources();
      }
    }
  }

  @Override
  public String toString() {
    return "host of state stores in " + database;
  }
}
