package io.siltstone;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.catalog.TableHome;
import io.siltstone.catalog.TableLock;
import io.siltstone.event.EngineListener;
import io.siltstone.event.FlightRecorderListener;
import io.siltstone.event.GuardedListener;
import io.siltstone.event.RecoveryReport;
import io.siltstone.history.CompactionHistory;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.PooledMemory;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionReport;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.DirectoryHost;
import io.siltstone.table.Layout;
import io.siltstone.table.TableChanges;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The SSTables of one table in a directory that no engine has open: what Cassandra or an engine
 * wrote, a snapshot, a backup. It is opened to look after the files; what is in them is read with a
 * {@link Database} that is opened for reading only.
 *
 * <p>Nobody else may write there meanwhile. Others who open it so are kept away by a {@link
 * TableLock}, unless it is opened for reading only; Cassandra leaves no lock that could be looked
 * for. The directory of a table of a {@link Database} is not to be opened by {@link #open}, since
 * its commit log may have what a compaction must know of: for that there is {@link
 * #openInDatabase}.
 *
 * <p>Safe for all threads. Closed by its opener, which ends its compactions.
 */
public final class OfflineTable implements Closeable {
  private final MemoryBudget budget;
  private final DirectoryHost host;
  private final Compactor compactor;
  private final Closeable lock;

  private OfflineTable(
      MemoryBudget budget, DirectoryHost host, Compactor compactor, Closeable lock) {
    this.budget = budget;
    this.host = host;
    this.compactor = compactor;
    this.lock = lock;
  }

  /**
   * As the other, from a path.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   */
  public static OfflineTable open(
      Path path,
      @Nullable TableSchema schema,
      @Nullable FormatVersion version,
      DatabaseOptions options)
      throws IOException {
    return open(NioDirectory.openExisting(path, options.files()), schema, version, options);
  }

  /**
   * Opens a directory. What an interrupted transaction has left there is completed or undone first,
   * unless it is opened for reading only.
   *
   * @param schema of the table, null for that of the directory's {@code schema.cql}
   * @param version of what is written, null for the greatest that is there
   * @param options of which are used: memory, listener, compaction, whether it is only read, and
   *     whether it is opened leniently: with SSTables whose index, summary or filter is damaged or
   *     missing, of which a scrub then makes whole ones, and without those that cannot be opened
   * @throws IOException if it is a database; if there is no schema, or it cannot be read; if
   *     somebody else has the directory open so; if an SSTable is damaged or does not fit; names
   *     the file
   */
  public static OfflineTable open(
      Directory directory,
      @Nullable TableSchema schema,
      @Nullable FormatVersion version,
      DatabaseOptions options)
      throws IOException {
    TableHome home = home(directory, schema);
    Closeable lock = options.isReadOnly() ? () -> {} : TableLock.take(directory);
    try {
      return open(home, version, options, EngineListener.NONE, lock);
    } catch (Throwable e) {
      try (lock) {
        throw e;
      }
    }
  }

  /**
   * Opens a table of a database that nobody has open, and that perhaps does not open but leniently,
   * to scrub it. What its commit log has is written to SSTables first, and the database is locked
   * until the table is closed; neither if the table is opened for reading only. What is compacted
   * is in the database's history.
   *
   * @param which given the schemas of all tables, returns that of the one to open
   * @param version of what is written, null for the greatest that is there
   * @param options as of the other; the database is opened leniently
   * @throws java.nio.file.NoSuchFileException if there is no such directory, or no database in it
   * @throws IOException if the database is open and would be changed; and as of the other
   */
  public static OfflineTable openInDatabase(
      Path path,
      Function<List<TableSchema>, TableSchema> which,
      @Nullable FormatVersion version,
      DatabaseOptions options)
      throws IOException {
    Directory root = NioDirectory.openExisting(path, options.files());
    // Chosen before anything is changed.
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
    Closeable lock = options.isReadOnly() ? () -> {} : Layout.lock(root);
    try {
      Directory data = Layout.open(root, false, null).data();
      List<TableHome> homes = catalog(data, options.isReadOnly()).tables();
      TableHome home =
          homes.stream()
              .filter(each -> isNamedAs(each.schema(), chosen))
              .findAny()
              .orElseThrow(() -> new IOException(root.path() + " has lost the table meanwhile"));
      CompactionHistory history = CompactionHistory.of(root, options.clock());
      Closeable both =
          () -> {
            try (lock) {
              history.close();
            }
          };
      return open(home, version, options, history, both);
    } catch (Throwable e) {
      try (lock) {
        throw e;
      }
    }
  }

  private static Catalog catalog(Directory data, boolean isReadOnly) throws IOException {
    return isReadOnly ? Catalog.openReadOnly(data) : Catalog.open(data, TableChanges.PREPARED);
  }

  private static TableSchema choose(Directory root, Function<List<TableSchema>, TableSchema> which)
      throws IOException {
    Directory data = Layout.open(root, false, null).data();
    List<TableSchema> schemas =
        Catalog.openReadOnly(data).tables().stream().map(TableHome::schema).toList();
    TableSchema chosen = which.apply(schemas);
    if (!schemas.contains(chosen)) {
      throw new IllegalArgumentException("none of the database's tables was chosen");
    }
    return chosen;
  }

  private static boolean isNamedAs(TableSchema schema, TableSchema other) {
    return schema.keyspace().equals(other.keyspace()) && schema.name().equals(other.name());
  }

  /** Tells of damage to the commit log; that of SSTables is told of when they are opened. */
  private record LogDamage(EngineListener listener) implements EngineListener {
    @Override
    public void corruptionFound(CorruptionFound event) {
      if (event.table() == null) {
        listener.corruptionFound(event);
      }
    }
  }

  /**
   * @param first told of events before the listener of the options
   * @param lock closed with the table, if that can be opened
   */
  private static OfflineTable open(
      TableHome home,
      @Nullable FormatVersion version,
      DatabaseOptions options,
      EngineListener first,
      Closeable lock)
      throws IOException {
    MemoryBudget budget = PooledMemory.withLimit(options.memoryBytes());
    @Nullable DirectoryHost host = null;
    try {
      host =
          DirectoryHost.open(
              home,
              version,
              budget,
              GuardedListener.of(new FlightRecorderListener(), first, options.listener()),
              options.isReadOnly(),
              options.isLenient());
      return new OfflineTable(budget, host, options.compaction().create(host), lock);
    } catch (Throwable e) {
      if (host != null) {
        host.close();
      }
      budget.close();
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

  /** Which table it is. */
  public TableId id() {
    return host.table();
  }

  /** Columns and options. */
  public TableSchema schema() {
    return host.schema(id());
  }

  /** The live SSTables now. */
  public LiveTables live() {
    return host.live(id());
  }

  /** What was found in the directory when it was opened. */
  public RecoveryReport report() {
    return host.report();
  }

  /**
   * Does what is asked for; nothing is compacted unasked.
   *
   * @return completes on a thread of the compaction when all of it is done, normally also if single
   *     jobs have failed: {@link CompactionReport#orThrow} makes an exception of that.
   *     Exceptionally with an {@link IOException} if nothing could be done, an {@link
   *     IllegalStateException} if there is something to do and the table is open for reading only,
   *     an {@link IllegalArgumentException} if the request cannot apply to the table, a {@link
   *     java.util.concurrent.CancellationException} if it is closed or dropped before
   */
  public CompletionStage<CompactionReport> compact(CompactionRequest request) {
    return compactor.run(id(), request);
  }

  /** Ends compactions, whose inputs then stay, and closes the SSTables. */
  @Override
  public void close() throws IOException {
    if (compactor.isOwnThread()) {
      throw new IllegalStateException(
          id() + " cannot be closed by a thread of its compaction, as by what follows a compact");
    }
    try (lock) {
      compactor.close();
      host.close();
      budget.close();
    }
  }
}
