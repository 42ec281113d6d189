package io.siltstone;

import io.siltstone.cache.ReadCaches;
import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.catalog.TableHome;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.files.WriteGuard;
import io.siltstone.history.CompactionHistory;
import io.siltstone.io.Directory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.DatabaseLock;
import io.siltstone.table.Gate;
import io.siltstone.table.GuardedListener;
import io.siltstone.table.Handles;
import io.siltstone.table.Health;
import io.siltstone.table.OpenTablesHost;
import io.siltstone.table.ReadOnlyTables;
import io.siltstone.table.Services;
import io.siltstone.table.TableStore;
import io.siltstone.table.TableStores;
import io.siltstone.table.Threads;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.ParallelSteps;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles the parts of an open database, starts them in order, and stops them in the opposite
 * order: the gate, which admits no more calls; handles; the compactor; the timer; the last flush;
 * the log; the tables; caches; memory; and the lock.
 *
 * <p>Safe for all threads.
 */
final class Engine implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private static final int READERS_AT_REST = 256;

  // File systems with a journal do the syncs together that wait at the same time.
  private static final int PARALLEL_STEPS = 16;

  final Directory root;
  final String path;
  final DatabaseOptions options;
  final Gate gate;
  final Services services;
  final Handles handles;
  final CompactionHistory history;
  final TableStores stores = new TableStores();

  /** Runs steps of many tables at once; most of them wait for the disk. */
  final ParallelSteps parallel;

  private final Closeables closeables = new Closeables();
  private final Threads threads;
  private @Nullable WritePath writePath;
  private @Nullable ReadOnlyTables readOnlyTables;
  private volatile @Nullable Compactor compactor;

  /**
   * @param resources closed with the engine
   * @param lock of the database; {@link WriteGuard#NONE} for reading only
   */
  private Engine(
      Directory root,
      DatabaseOptions options,
      DatabaseResources resources,
      Identity identity,
      WriteGuard lock) {
    this.root = root;
    this.path = root.path();
    this.options = options;
    closeables.add(resources);
    this.gate = new Gate(path);
    this.threads = resources.threads();
    this.history = CompactionHistory.of(root, options.clock());
    closeables.add(history);
    GuardedListener listener =
        GuardedListener.of(new FlightRecorderListener(), history, options.listener());
    this.handles = new Handles(listener);
    PartitionReaders readers = new PartitionReaders(READERS_AT_REST);
    MemoryBudget budget = resources.budget(readers::clear);
    closeables.add(budget);
    ReadCaches caches = resources.caches(budget, closeables);
    closeables.add(readers);
    ExecutorService cleaner = threads.pool(Threads.Purpose.CLEANER, 1);
    closeables.add(Threads.ending(cleaner));
    @Nullable ExecutorService scans = null;
    if (options.scanThreads() > 0) {
      scans = threads.pool(Threads.Purpose.SCAN, options.scanThreads());
      closeables.add(Threads.ending(scans));
    }
    ExecutorService steps = threads.pool(Threads.Purpose.TABLES, PARALLEL_STEPS - 1);
    closeables.add(Threads.ending(steps));
    this.parallel = new ParallelSteps(steps, PARALLEL_STEPS);
    Health health = new Health(path, listener);
    WriteClock clock = WriteClock.following(options.clock());
    this.services =
        new Services(
            identity,
            new Services.Settings(
                options.formatVersion(),
                options.flushCompression(),
                options.columnIndexSizeBytes(),
                options.isLenient(),
                options.isReadOnly(),
                slowReadNanos(options)),
            new Services.Memory(budget, resources.memtables(budget, listener), caches, readers),
            new Services.Background(cleaner, scans, parallel),
            clock,
            new ListPaths(clock::reached, UUID.randomUUID().getLeastSignificantBits()),
            health,
            health.guarding(lock),
            listener);
    closeables.add(() -> stores.all().forEach(TableStore::close));
    if (!options.isReadOnly()) {
      // Closed live sets delete nothing any more, so the cleaner ends first.
      closeables.add(Threads.drained(cleaner));
    }
  }

  private static long slowReadNanos(DatabaseOptions options) {
    Duration threshold = options.slowReadThreshold();
    // The conversion saturates at 292 years.
    return threshold.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(threshold);
  }

  static Engine open(Directory root, DatabaseOptions options) throws IOException {
    return open(
        root,
        options,
        resources ->
            options.isReadOnly()
                ? openReadOnly(root, options, resources)
                : openForWriting(root, options, resources));
  }

  /** Opens an engine with resources that it takes over. */
  @FunctionalInterface
  private interface Opening {
    Engine with(DatabaseResources resources) throws IOException;
  }

  private static Engine open(Directory root, DatabaseOptions options, Opening opening)
      throws IOException {
    DatabaseResources resources = DatabaseResources.of(root, options);
    try {
      return opening.with(resources);
    } catch (Throwable e) {
      Closeables.closeAfter(resources, e);
      throw e;
    }
  }

  // For writing.

  private static Engine openForWriting(
      Directory root, DatabaseOptions options, DatabaseResources resources) throws IOException {
    // Checked before the lock is taken, which would otherwise leave its file in a directory that is
    // no database.
    if (searched(root, options).isEmpty()) {
      var unused = DatabaseLayout.find(root, options.createIfMissing());
    }
    DatabaseLock lock = DatabaseLock.take(root);
    Closeables closeables = new Closeables();
    closeables.add(lock);
    try {
      Optional<DatabaseLayout> assumed = searched(root, options);
      DatabaseLayout databaseLayout =
          assumed.isPresent()
              ? assumed.get()
              : DatabaseLayout.open(root, options.createIfMissing(), options.partitioner());
      lock.takeSecond(databaseLayout.data());
      Engine engine = new Engine(root, options, resources, databaseLayout.identity(), lock);
      closeables.add(engine.closeables);
      engine.start(databaseLayout);
      engine.closeables.addFirst(lock);
      return engine;
    } catch (Throwable e) {
      closeables.closeAfter(e);
      throw e;
    }
  }

  /** Returns the database whose identity is inferred from its tables, for a lenient opening. */
  private static Optional<DatabaseLayout> searched(Directory root, DatabaseOptions options)
      throws IOException {
    return options.isLenient()
        ? DatabaseLayout.search(root, options.partitioner())
        : Optional.empty();
  }

  private void start(DatabaseLayout databaseLayout) throws IOException {
    databaseLayout.writeAssumed();
    reportAssumption(databaseLayout);
    WritePath opened =
        new WritableOpening(
                databaseLayout,
                options,
                services,
                threads,
                closeables,
                stores,
                this::open,
                parallel)
            .run();
    writePath = opened;
    closeables.add(
        new PeriodicTasks(path, options, services, opened, stores, handles, () -> compactor)
            .start(threads));
    startCompactor();
    closeables.add(handles);
  }

  private void startCompactor() {
    Compactor made =
        options.compaction().create(new OpenTablesHost(path, stores, services, options.clock()));
    closeables.add(made);
    compactor = made;
    LiveSetChange opened = LiveSetChange.nothing(LiveSetChange.Cause.OPEN);
    stores.all().forEach(store -> made.onChange(store.id(), opened));
  }

  /** Opens a table that no other thread knows yet. */
  TableStore open(TableHome home) throws IOException {
    return TableStore.open(home, services, this::changed, null);
  }

  private void changed(TableStore store, LiveSetChange change) {
    Compactor present = compactor;
    if (present != null) {
      present.onChange(store.id(), change);
    }
  }

  // For reading only.

  private static Engine openReadOnly(
      Directory root, DatabaseOptions options, DatabaseResources resources) throws IOException {
    if (Catalog.isTable(root)) {
      return openTable(Catalog.read(root), true, options, resources);
    }
    Optional<DatabaseLayout> assumed = searched(root, options);
    DatabaseLayout databaseLayout =
        assumed.isPresent()
            ? assumed.get()
            : DatabaseLayout.open(root, false, options.partitioner());
    Engine engine =
        new Engine(root, options, resources, databaseLayout.identity(), WriteGuard.NONE);
    engine.reportAssumption(databaseLayout);
    OpeningMemory memory = new OpeningMemory(engine.path, engine.services.budget(), 0);
    return opened(
        engine,
        ReadOnlyTables.of(databaseLayout, engine.services, engine.stores),
        refusal -> memory.readOnlyRefused(refusal, databaseLayout));
  }

  /** Opens the directory of one table as a database of that table. */
  static Engine openTable(TableHome home, DatabaseOptions options) throws IOException {
    return open(home.directory(), options, resources -> openTable(home, false, options, resources));
  }

  private static Engine openTable(
      TableHome home,
      boolean isDefinitionRead,
      DatabaseOptions options,
      DatabaseResources resources)
      throws IOException {
    Directory root = home.directory();
    Partitioner wanted = options.partitioner();
    Engine engine =
        new Engine(
            root,
            options,
            resources,
            new Identity(
                UUID.randomUUID(),
                wanted != null ? wanted : DatabaseLayout.partitionerOf(root, options.isLenient())),
            WriteGuard.NONE);
    OpeningMemory memory = new OpeningMemory(engine.path, engine.services.budget(), 0);
    return opened(
        engine,
        ReadOnlyTables.of(home, isDefinitionRead, engine.services, engine.stores),
        refusal -> memory.tablesRefused(refusal, List.of(home)));
  }

  /** Makes the error for an opening that has run out of memory. */
  @FunctionalInterface
  private interface Refusal {
    OutOfBudgetException of(OutOfBudgetException refusal) throws IOException;
  }

  private static Engine opened(Engine engine, ReadOnlyTables tables, Refusal refusal)
      throws IOException {
    try {
      open(tables, refusal);
      engine.readOnlyTables = tables;
    } catch (Throwable e) {
      engine.closeables.closeAfter(e);
      throw e;
    }
    engine.closeables.add(engine.handles);
    return engine;
  }

  private static void open(ReadOnlyTables tables, Refusal refusal) throws IOException {
    try {
      tables.open();
    } catch (OutOfBudgetException e) {
      throw refusal.of(e);
    }
  }

  private void reportAssumption(DatabaseLayout databaseLayout) {
    databaseLayout
        .assumption()
        .ifPresent(
            event -> {
              LOG.warn("{}: {}", event.path(), event.assumption());
              services.listener().recoveryAssumed(event);
            });
  }

  /**
   * Shows what is on the disk now.
   *
   * @return whether anything may have changed
   * @throws IllegalStateException if the database is open for writing
   */
  boolean refresh() throws IOException {
    ReadOnlyTables tables = readOnlyTables;
    if (tables == null) {
      throw new IllegalStateException(
          path
              + " is open for writing, and shows all changes: only what is open for reading only is"
              + " refreshed");
    }
    return tables.refresh();
  }

  // While it is open.

  DatabaseState state() {
    if (gate.isClosed()) {
      return DatabaseState.CLOSED;
    }
    if (options.isReadOnly()) {
      return DatabaseState.READ_ONLY;
    }
    return services.health().isGood() ? DatabaseState.OPEN : DatabaseState.STOPPED;
  }

  /**
   * Returns the parts that change the database.
   *
   * @throws IllegalStateException if the database is open for reading only
   */
  WritePath writePath() {
    WritePath present = writePath;
    if (present == null) {
      throw new IllegalStateException(path + " is open for reading only");
    }
    return present;
  }

  /**
   * Prevents a deadlock: a listener that is notified of a flush runs on the thread that flushes. If
   * it changed or flushed a table there, it would wait for its own flush, or for a flush thread, of
   * which it occupies one.
   *
   * @throws IllegalStateException if the calling thread is flushing a table
   */
  void requireNotFlushing() {
    for (TableStore store : stores.all()) {
      if (store.isFlushedHere()) {
        throw new IllegalStateException(
            "tables can be neither changed nor flushed by a listener that is told of a flush, as now"
                + " of "
                + store);
      }
    }
  }

  /**
   * Returns the compactor.
   *
   * @throws IllegalStateException if the database is open for reading only
   */
  Compactor compactor() {
    var unused = writePath();
    Compactor present = compactor;
    if (present == null) {
      throw new IllegalStateException(path + " is not open yet");
    }
    return present;
  }

  /**
   * Checks that a store is one of this database, and of this opening of it.
   *
   * @throws IllegalArgumentException if it is not
   */
  void requireOwn(KeyValueStore store) {
    if (store.engine() != this) {
      throw new IllegalArgumentException(
          store
              + " is a store of the database "
              + store.engine().path
              + ", allowed are those of "
              + path
              + ", which were made for the same opening of it");
    }
  }

  /** A call that must not overlap with closing the database. */
  @FunctionalInterface
  interface Action<T> {
    T run() throws IOException;
  }

  /**
   * Runs a call inside the gate: closing the database waits for it.
   *
   * @throws IllegalStateException if the database is closed
   */
  <T> T inside(Action<T> action) throws IOException {
    gate.enter();
    try {
      return action.run();
    } finally {
      gate.leave();
    }
  }

  /** An {@link Action} without a result. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** Runs a step as {@link #inside}. */
  void run(Step step) throws IOException {
    gate.enter();
    try {
      step.run();
    } finally {
      gate.leave();
    }
  }

  @Override
  public void close() throws IOException {
    if (services.listener().isNotifying()) {
      throw new IllegalStateException(
          path + " cannot be closed by a listener: what it is told of is not over");
    }
    if (threads.isOwn()) {
      throw new IllegalStateException(
          path + " cannot be closed by a thread of its own, as by what follows a writeAsync");
    }
    Compactor present = compactor;
    if (present != null && present.isOwnThread()) {
      throw new IllegalStateException(
          path + " cannot be closed by a thread of its compaction, as by what follows a compact");
    }
    if (gate.close()) {
      stores.all().forEach(TableStore::endPace);
      gate.awaitEmpty();
      closeables.close();
    }
  }
}
