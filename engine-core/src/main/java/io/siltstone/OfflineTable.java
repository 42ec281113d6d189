package io.siltstone;

import io.siltstone.annotation.Expert;
import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.catalog.TableHome;
import io.siltstone.catalog.TableLock;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.event.EngineListener;
import io.siltstone.event.RecoveryReport;
import io.siltstone.files.WriteGuard;
import io.siltstone.history.CompactionHistory;
import io.siltstone.io.Directory;
import io.siltstone.liveset.AtomicFlushes;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Split;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.RebuildOptions;
import io.siltstone.sstable.SSTableRebuild;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.ComponentRebuild;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.DatabaseLock;
import io.siltstone.table.DatabaseOfTable;
import io.siltstone.table.GuardedListener;
import io.siltstone.table.OfflineTableHost;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The SSTables of one table, opened in order to read, compact, scrub or rewrite them while no
 * database has them open: files that Cassandra or Siltstone wrote, a snapshot, a backup.
 *
 * <p><b>Exclusive access.</b> No other process may write to the directory at the same time. A
 * {@link TableLock} excludes others that open it with this class, unless it is opened for reading
 * only. Cassandra leaves no lock, so the caller must know whether a node is running.
 *
 * <p><b>Tables of a database.</b> Do not use {@link #open} for the directory of a table in a {@link
 * Database}: the commit log may contain data that a compaction must know of. Use {@link
 * #openInDatabase}.
 *
 * <p>Safe for use by any number of threads. The caller that opened it closes it, which ends its
 * compactions.
 */
public final class OfflineTable implements Closeable {
  private static final String TRANSACTION = "_txn_";

  private final OfflineMemory memory;
  private final OfflineTableHost host;
  private final Compactor compactor;
  private final Closeable lock;

  private OfflineTable(
      OfflineMemory memory, OfflineTableHost host, Compactor compactor, Closeable lock) {
    this.memory = memory;
    this.host = host;
    this.compactor = compactor;
    this.lock = lock;
  }

  /**
   * Opens a directory of the default file system by its {@code schema.cql}, for reading only and
   * without compaction, so that {@link #compact} fails. Otherwise as {@link #open(Directory,
   * TableSchema, FormatVersion, DatabaseOptions)}.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   */
  public static OfflineTable openReadOnly(Path path) throws IOException {
    return open(
        path,
        null,
        null,
        DatabaseOptions.builder().readOnly(true).compaction(Compaction.none()).build());
  }

  /**
   * Opens a directory of the default file system. Otherwise as {@link #open(Directory, TableSchema,
   * FormatVersion, DatabaseOptions)}.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   */
  public static OfflineTable open(
      Path path,
      @Nullable TableSchema schema,
      @Nullable FormatVersion version,
      DatabaseOptions options)
      throws IOException {
    TableHome home = home(options.pathFiles().openExisting(path), schema);
    return open(
        home.withCommitted(DatabaseOfTable.committed(path, options.pathFiles())), version, options);
  }

  /**
   * Opens a directory. A change that a crash has interrupted is completed or undone first, unless
   * the directory is opened for reading only.
   *
   * @param schema the table's definition; null to take it from the directory's {@code schema.cql}
   * @param version the format version of the SSTables that are written; null for the highest
   *     version that the directory contains
   * @param options only these are used: files and keys at a path, memory, also shared, listener,
   *     compaction, reading only and lenient. With {@link DatabaseOptions#isLenient()}, an SSTable
   *     is opened even if its index, summary or filter is damaged or missing, so that a scrub can
   *     repair it. Other damaged components are rebuilt as by {@link #rebuild}, unless the
   *     directory is opened for reading only. An SSTable that still cannot be opened is left out
   * @return the open table, to be closed by the caller
   * @throws IOException if the directory is a database, if there is no schema or it cannot be read,
   *     if somebody else has the directory open for writing, or if an SSTable is damaged or does
   *     not fit the schema; the message names the file
   */
  public static OfflineTable open(
      Directory directory,
      @Nullable TableSchema schema,
      @Nullable FormatVersion version,
      DatabaseOptions options)
      throws IOException {
    return open(home(directory, schema), version, options);
  }

  private static OfflineTable open(
      TableHome home, @Nullable FormatVersion version, DatabaseOptions options) throws IOException {
    if (options.isReadOnly()) {
      return open(home, version, options, EngineListener.NONE, () -> {}, WriteGuard.NONE);
    }
    TableLock lock = TableLock.take(home.directory());
    try {
      return open(home, version, options, EngineListener.NONE, lock, lock);
    } catch (Throwable e) {
      try (lock) {
        throw e;
      }
    }
  }

  /**
   * Opens a table of a database that is not open, even of one that is too damaged to open, so that
   * the table can be scrubbed.
   *
   * <p>First the database itself is opened leniently and closed again, which writes the contents of
   * its commit log to SSTables. Then the database stays locked until the table is closed. If the
   * table is opened for reading only, neither happens. Compactions are recorded in the database's
   * history.
   *
   * @param path the directory of the database
   * @param which chooses the table: receives the definitions of all tables and returns one of them
   * @param version the format version of the SSTables that are written; null for the highest
   *     version that the table's directory contains
   * @param options as of {@link #open(Directory, TableSchema, FormatVersion, DatabaseOptions)}
   * @return the open table, to be closed by the caller
   * @throws java.nio.file.NoSuchFileException if there is no such directory, or no database in it
   * @throws IllegalArgumentException if {@code which} returns something else than one of the tables
   * @throws IOException if the database is open elsewhere and the table is not opened for reading
   *     only; also as {@link #open(Directory, TableSchema, FormatVersion, DatabaseOptions)}
   */
  public static OfflineTable openInDatabase(
      Path path,
      Function<List<TableSchema>, TableSchema> which,
      @Nullable FormatVersion version,
      DatabaseOptions options)
      throws IOException {
    Directory root = options.pathFiles().openExisting(path);
    // The table is chosen before anything is changed.
    TableSchema chosen = choose(root, which);
    if (!options.isReadOnly()) {
      DatabaseOptions replaying =
          options.toBuilder()
              .compaction(Compaction.none())
              .createIfMissing(false)
              .lenient(true)
              .listener(new LogDamage(options.listener()))
              .build();
      Database.open(root, replaying).close();
    }
    Closeables lock = new Closeables();
    try {
      WriteGuard guard = WriteGuard.NONE;
      if (!options.isReadOnly()) {
        DatabaseLock taken = lock.add(DatabaseLock.take(root));
        taken.takeSecond(DatabaseLayout.open(root, false, null).data());
        guard = taken;
      }
      List<TableHome> homes = tables(DatabaseLayout.open(root, false, null));
      TableHome home =
          homes.stream()
              .filter(each -> each.schema().cqlName().equals(chosen.cqlName()))
              .findAny()
              .orElseThrow(() -> new IOException(root.path() + " has lost the table meanwhile"));
      CompactionHistory history = CompactionHistory.of(root, options.clock());
      Closeable both =
          () -> {
            try (lock) {
              history.close();
            }
          };
      return open(
          home.withCommitted(AtomicFlushes.committed(root)),
          version,
          options,
          history,
          both,
          guard);
    } catch (Throwable e) {
      lock.closeAfter(e);
      throw e;
    }
  }

  /** Reads the tables leniently: one that is damaged must not prevent the repair of others. */
  private static List<TableHome> tables(DatabaseLayout databaseLayout) throws IOException {
    return Catalog.openReadOnly(databaseLayout.data(), databaseLayout.definitions(true)).tables();
  }

  private static TableSchema choose(Directory root, Function<List<TableSchema>, TableSchema> which)
      throws IOException {
    List<TableSchema> schemas =
        tables(DatabaseLayout.open(root, false, null)).stream().map(TableHome::schema).toList();
    TableSchema chosen = which.apply(schemas);
    if (!schemas.contains(chosen)) {
      throw new IllegalArgumentException("none of the database's tables was chosen");
    }
    return chosen;
  }

  /**
   * Settings of {@link #rebuild}. Immutable.
   *
   * @param schema the table's definition; null to take it from the directory's {@code schema.cql},
   *     if there is one
   * @param bases delta bases of the SSTable, if the caller knows them; null if not
   * @param isDryRun whether nothing is changed
   */
  public record RebuildSettings(
      @Nullable TableSchema schema, @Nullable DeltaBases bases, boolean isDryRun) {
    /**
     * The bases of delta encoding of an SSTable, which are needed if its {@code Statistics.db} was
     * completely lost. With other numbers than those of the SSTable, all its times would change.
     *
     * @param minTimestamp the base of timestamps, in microseconds since 1970
     * @param minLocalDeletionTime the base of deletion times, in seconds since 1970
     * @param minTtl the base of TTLs, in seconds
     */
    public record DeltaBases(long minTimestamp, long minLocalDeletionTime, int minTtl) {}

    /** Takes the definition from {@code schema.cql}, knows no bases, and changes files. */
    public static final RebuildSettings DEFAULT = new RebuildSettings(null, null, false);

    /** Returns a copy with a table's definition. */
    public RebuildSettings withSchema(@Nullable TableSchema other) {
      return new RebuildSettings(other, bases, isDryRun);
    }

    /** Returns a copy with delta bases of the SSTable. */
    public RebuildSettings withBases(@Nullable DeltaBases other) {
      return new RebuildSettings(schema, other, isDryRun);
    }

    private @Nullable EncodingStats encodingStats() {
      return bases == null
          ? null
          : new EncodingStats(bases.minTimestamp, bases.minLocalDeletionTime, bases.minTtl);
    }

    /** Returns a copy that changes nothing, or does. */
    public RebuildSettings withDryRun(boolean other) {
      return new RebuildSettings(schema, bases, other);
    }
  }

  /**
   * Rebuilds components of one SSTable that are missing or wrong from those that are intact. The
   * data is not changed, and a result that is not certain is refused.
   *
   * @param path the directory of the SSTable, which nobody has open for writing: of a table, alone
   *     or in a database
   * @param descriptor version and generation of the SSTable
   * @param settings schema, delta bases and dry run
   * @param options only files, keys and memory are used
   * @throws io.siltstone.sstable.format.CorruptSSTableException if the data is damaged, or lost
   *     content cannot be determined for certain; nothing has changed then
   * @throws java.nio.file.NoSuchFileException if there is no such directory or SSTable
   * @throws IOException if somebody else has the directory or its database open for writing, or a
   *     change of it was interrupted and has not been completed yet
   */
  public static RebuildReport rebuild(
      Path path, Descriptor descriptor, RebuildSettings settings, DatabaseOptions options)
      throws IOException {
    Directory directory = options.pathFiles().openExisting(path);
    OfflineMemory memory = OfflineMemory.of(directory.path(), options);
    Closeable lock =
        settings.isDryRun()
            ? () -> {}
            : DatabaseLock.takeAround(path, directory, options.pathFiles());
    try (lock) {
      for (String file : directory.files()) {
        if (file.contains(TRANSACTION)) {
          throw new IOException(
              directory.path()
                  + " has the log of a change that was interrupted, "
                  + file
                  + ": a scrub, or opening the table, completes it");
        }
      }
      TableSchema schema = settings.schema();
      if (schema == null && Catalog.isTable(directory)) {
        schema = Catalog.read(directory).schema();
      }
      RebuildOptions rebuilding =
          ComponentRebuild.options(directory, schema)
              .withBases(settings.encodingStats())
              .withDryRun(settings.isDryRun());
      return SSTableRebuild.run(directory, descriptor, rebuilding, memory.budget());
    } finally {
      memory.close();
    }
  }

  /**
   * @param first is notified of events before the listener in the options
   * @param lock is closed with the table; the caller closes it if this throws
   * @param guard is called before each change
   */
  private static OfflineTable open(
      TableHome home,
      @Nullable FormatVersion version,
      DatabaseOptions options,
      EngineListener first,
      Closeable lock,
      WriteGuard guard)
      throws IOException {
    OfflineMemory memory = OfflineMemory.of(home.directory().path(), options);
    @Nullable OfflineTableHost host = null;
    try {
      host =
          OfflineTableHost.open(
              home,
              version,
              memory.budget(),
              GuardedListener.of(new FlightRecorderListener(), first, options.listener()),
              options.clock(),
              options.isReadOnly(),
              options.isLenient(),
              guard);
      return new OfflineTable(memory, host, options.compaction().create(host), lock);
    } catch (Throwable e) {
      if (host != null) {
        host.close();
      }
      memory.close();
      throw e;
    }
  }

  private static TableHome home(Directory directory, @Nullable TableSchema schema)
      throws IOException {
    if (Identity.isIn(directory)) {
      throw new IOException(directory.path() + " is a database, not the directory of a table");
    }
    if (schema == null) {
      if (!Catalog.isTable(directory)) {
        throw new IOException(
            directory.path() + " has no " + Catalog.SCHEMA_FILE + ": the schema must be given");
      }
      return Catalog.read(directory);
    }
    return TableHome.of(directory, schema);
  }

  /** Returns the table's keyspace, name and UUID. */
  public TableId id() {
    return host.table();
  }

  /** Returns the table's columns and options. */
  public TableSchema schema() {
    return host.schema(id());
  }

  /** Returns the metadata of the table's live SSTables at this moment, by first key. */
  public List<LiveSSTable> sstables() {
    return live().forUsers();
  }

  /** Returns the table's live SSTables at this moment, with all that strategies know of them. */
  @Expert
  @SuppressWarnings("exports")
  public LiveTables live() {
    return host.live(id());
  }

  /** Returns what was found, completed and undone when the directory was opened. */
  public RecoveryReport report() {
    return host.report();
  }

  /** Begins a query of the table's rows. */
  public Query.Builder query() {
    return host.reads().queries().query();
  }

  /**
   * Reads rows, merged from all SSTables, as they were when the first row is asked for. Nothing is
   * cached between reads. The rows are closed by the caller, at the latest with this table.
   *
   * @throws IllegalArgumentException if the query is of a table with other columns or partitioner
   * @throws IllegalStateException if this table is closed
   */
  public LiveRows read(Query query) {
    return host.reads().rows(query);
  }

  /** Reads a query as {@link #read}, into vectors as {@link Table#readColumns}. */
  public ColumnarReader readColumns(Query query) {
    return host.reads().columns(query);
  }

  /** Divides the table into splits as {@link Table#splits}. */
  public List<Split> splits(long bytes) throws IOException {
    return host.reads().splits(bytes);
  }

  /** Estimates the size of a range of partitions as {@link Table#estimate}. */
  public TableStatistics.Estimate estimate(PartitionRange range) throws IOException {
    return TableStatistics.Estimate.of(host.reads().estimate(range));
  }

  /**
   * Adds all SSTables of a directory, all at once, as {@link Table#importTables(Directory,
   * VerificationLevel)} does.
   *
   * @param replaces whether the same step removes all SSTables that are here, with the deletions of
   *     ranges of keys
   * @throws IllegalStateException if this table is closed or opened for reading only, or if a
   *     compaction works on an SSTable that is to be removed
   */
  public List<Descriptor> importTables(Directory source, VerificationLevel level, boolean replaces)
      throws IOException {
    return host.importTables(source, level, replaces);
  }

  /**
   * Compacts the table as requested. Nothing is compacted unless it is requested.
   *
   * @param request {@link CompactionRequest#of} one of {@link CompactionRequest.Operation}
   * @return completes on a thread of the compactor when all jobs of the request have ended. It
   *     completes normally even if some jobs failed; {@link CompactionReport#orThrow} turns that
   *     into an exception. It completes exceptionally with
   *     <ul>
   *       <li>an {@link IOException} if nothing could be done
   *       <li>an {@link IllegalStateException} if the table is opened for reading only
   *       <li>an {@link IllegalArgumentException} if the request cannot apply to the table
   *       <li>a {@link java.util.concurrent.CancellationException} if the table is closed before
   *           the jobs have ended
   *     </ul>
   */
  public CompletionStage<CompactionReport> compact(CompactionRequest request) {
    return compactor.run(id(), request);
  }

  /**
   * Cancels compactions, which leaves their inputs as they were, and closes the SSTables.
   *
   * @throws IllegalStateException if called on a thread of the compactor, such as from an action
   *     that is attached to the stage of {@link #compact}
   */
  @Override
  public void close() throws IOException {
    if (compactor.isOwnThread()) {
      throw new IllegalStateException(
          id() + " cannot be closed by a thread of its compaction, as by what follows a compact");
    }
    try (lock;
        memory;
        host) {
      compactor.close();
    }
  }

  /** Returns keyspace, name and id of the table. */
  @Override
  public String toString() {
    return id().toString();
  }
}
