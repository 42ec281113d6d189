package io.siltstone;

import io.siltstone.cache.ReadCaches;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.BudgetShare;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.table.GuardedListener;
import io.siltstone.table.MemtablePool;
import io.siltstone.table.SharedMemtables;
import io.siltstone.table.SharedThreads;
import io.siltstone.table.Threads;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Memory, caches and threads that several databases of a process share: one limit of off-heap
 * memory, one chunk cache and one key cache, and one set of threads for flushes, scans, syncs of
 * commit logs, compaction and periodic tasks, however many databases there are.
 *
 * <pre>
 *   SharedResources shared = SharedResources.builder().memoryBytes(2L &lt;&lt; 30).build();
 *   DatabaseOptions options = DatabaseOptions.builder().sharedResources(shared).build();
 *   Database first = Database.open(path, options);
 *   Database second = Database.open(otherPath, options);
 *   ...                        // close the databases first
 *   shared.close();
 * </pre>
 *
 * <p><b>Fairness.</b> When memtables take half of their limit together, the database with the
 * largest memtables flushes, whoever writes. From three quarters on, only writers of databases that
 * use more than their fair share wait, which is the limit divided by the number of databases; the
 * others wait at the limit itself. Threads take the work of databases in turns.
 *
 * <p><b>Failures.</b> A database whose disk fails does not end the others. What its memtables hold
 * stays in memory until it is closed, and the others share what is left of the limit.
 *
 * <p>Safe for use by any number of threads. The caller that builds it closes it, after all
 * databases that use it.
 */
public final class SharedResources implements Closeable {
  private final DatabaseOptions limits;
  private final MemoryLimit shares;
  private final MemoryBudget budget;
  private final ReadCaches caches;
  private final SharedMemtables memtables;
  private final SharedThreads threads;
  private final Compaction compaction;
  private final List<Runnable> reclaimers = new CopyOnWriteArrayList<>();

  // Guarded by this list.
  private final List<Use> users = new ArrayList<>();
  private boolean isClosed;

  private SharedResources(Builder builder) {
    limits = builder.limits.build();
    shares = MemoryLimit.of(limits, PooledMemory.allowedByJvm());
    OwnResources.warnOfLess("shared resources", limits, shares);
    budget = PooledMemory.withLimit(shares.allBytes(), () -> reclaimers.forEach(Runnable::run));
    caches = OwnResources.caches(limits, shares, budget);
    memtables = new SharedMemtables(shares.memtableBytes(), budget);
    threads = new SharedThreads(limits.flushThreads(), limits.scanThreads());
    compaction = builder.compaction;
  }

  /** Returns a builder with the defaults of {@link DatabaseOptions}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Collects options. Not safe for use by several threads. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private final DatabaseOptions.Builder limits = DatabaseOptions.builder();
    private Compaction compaction = new FoundCompaction();

    private Builder() {}

    /**
     * Sets the maximum of off-heap memory of all databases together; 1 GiB by default. At least the
     * sum of {@link #memtableBytes}, {@link #chunkCacheBytes} and 5 MiB; the commit log of each
     * further database needs its buffer in addition. Lowered if the JVM allows less, as {@link
     * DatabaseOptions#memoryBytes()}.
     */
    public Builder memoryBytes(long value) {
      limits.memoryBytes(value);
      return this;
    }

    /** Sets the maximum of all memtables together; 256 MiB by default, at least 1 MiB. */
    public Builder memtableBytes(long value) {
      limits.memtableBytes(value);
      return this;
    }

    /** Sets the capacity of the one chunk cache; 256 MiB by default, 0 for none. */
    public Builder chunkCacheBytes(long value) {
      limits.chunkCacheBytes(value);
      return this;
    }

    /** Sets the capacity of the one key cache; 16 MiB by default, 0 for none. */
    public Builder keyCacheBytes(long value) {
      limits.keyCacheBytes(value);
      return this;
    }

    /** Sets how many tables can be flushed at the same time; 2 by default, 1 to 64. */
    public Builder flushThreads(int value) {
      limits.flushThreads(value);
      return this;
    }

    /**
     * Sets how many threads read ahead of scans, 0 to 64. By default one less than there are
     * processors, but at most 4.
     */
    public Builder scanThreads(int value) {
      limits.scanThreads(value);
      return this;
    }

    /**
     * Sets the compaction of the databases whose options choose none; by default one service that
     * is found as by {@link Compaction#found()}, whose threads they all share.
     */
    public Builder compaction(Compaction value) {
      compaction = Objects.requireNonNull(value, "compaction");
      return this;
    }

    /**
     * Returns the resources, to be closed by the caller.
     *
     * @throws IllegalArgumentException if values are out of range; the message names all of them
     */
    public SharedResources build() {
      return new SharedResources(this);
    }
  }

  /** Returns the maximum of off-heap memory in bytes. */
  public long memoryBytes() {
    return shares.allBytes();
  }

  /**
   * Returns the off-heap memory in use by purpose, of all databases together. {@link
   * Database#statistics} has that of one database, without the shared chunk cache, and {@link
   * Table#statistics} that of a table.
   */
  public Map<MemoryKind, Long> memoryInUse() {
    Map<MemoryKind, Long> kinds = new EnumMap<>(MemoryKind.class);
    for (MemoryKind kind : MemoryKind.values()) {
      kinds.put(kind, budget.used(kind));
    }
    return kinds;
  }

  /**
   * Returns the paths of the databases and offline tables that use it, in the order in which they
   * were opened.
   */
  public List<String> databases() {
    synchronized (users) {
      return users.stream().map(user -> user.path).toList();
    }
  }

  ResourceOptions limits() {
    return limits.resources();
  }

  Compaction compaction() {
    return compaction;
  }

  /**
   * Begins the use by a database.
   *
   * @throws IllegalStateException if it is closed
   */
  DatabaseResources use(String path) {
    synchronized (users) {
      if (isClosed) {
        throw new IllegalStateException(
            path + " cannot be opened: the shared resources of its options are closed");
      }
      Use use = new Use(path);
      users.add(use);
      return use;
    }
  }

  /**
   * Ends the threads and frees the memory. A second call does nothing.
   *
   * @throws IllegalStateException if databases use it, which the message names, or if called by one
   *     of its threads; nothing has changed then
   */
  @Override
  public void close() {
    synchronized (users) {
      if (isClosed) {
        return;
      }
      if (!users.isEmpty()) {
        throw new IllegalStateException(
            "the shared resources cannot be closed, since databases use them: "
                + String.join(", ", databases()));
      }
      if (threads.isOwn()) {
        throw new IllegalStateException(
            "the shared resources cannot be closed by one of their own threads");
      }
      isClosed = true;
    }
    threads.close();
    caches.chunks().close();
    budget.close();
  }

  /** The use by one database. */
  private final class Use implements DatabaseResources {
    private final String path;
    private final Threads own = threads.ofDatabase();
    private final List<Runnable> added = new CopyOnWriteArrayList<>();

    Use(String path) {
      this.path = path;
    }

    @Override
    public Threads threads() {
      return own;
    }

    @Override
    public MemoryBudget budget(Runnable reclaimer) {
      reclaimers.add(reclaimer);
      added.add(reclaimer);
      return new BudgetShare(budget);
    }

    @Override
    public ReadCaches caches(MemoryBudget share, Closeables closeables) {
      return caches;
    }

    @Override
    public MemtablePool memtables(MemoryBudget share, GuardedListener listener) {
      return new MemtablePool(memtables, share, listener);
    }

    @Override
    public void close() {
      reclaimers.removeAll(added);
      synchronized (users) {
        users.remove(this);
      }
    }
  }
}
