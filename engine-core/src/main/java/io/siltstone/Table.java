package io.siltstone;

import io.siltstone.annotation.Expert;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.explain.Explained;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.rows.Split;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.StoredSummary;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.table.ConditionCheck;
import io.siltstone.table.MutationWriter;
import io.siltstone.table.TableReads;
import io.siltstone.table.TableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A table of an open {@link Database}: writes, queries, and work on the table as a whole. Much data
 * at once is loaded by a {@link BulkWriter}.
 *
 * <p>Safe for use by any number of threads, and cheap to obtain. There is nothing to close. After
 * the database was closed or the table dropped every method throws an {@link
 * IllegalStateException}, except {@link #id} and {@link #schema}, which return what they returned
 * last.
 *
 * <p>A method that changes something throws an {@link IllegalStateException} if the database is
 * open for reading only, and a {@link io.siltstone.event.ReadOnlyException} if an earlier failure
 * has made the database read-only.
 */
public final class Table {
  private final Engine engine;
  private final TableStore store;
  private final TableReads reads;

  Table(Engine engine, TableStore store, TableReads reads) {
    this.engine = engine;
    this.store = store;
    this.reads = reads;
  }

  Engine engine() {
    return engine;
  }

  TableStore store() {
    return store;
  }

  /** Returns the table's keyspace, name and UUID. */
  public TableId id() {
    return store.id();
  }

  /** Returns the table's columns and options as they are now. */
  public TableSchema schema() {
    return store.schema();
  }

  // Writes.

  /**
   * Begins a mutation of one partition, to be written by {@link #write} or as part of a {@link
   * io.siltstone.mutation.Batch}. Its automatic timestamp is taken with the first change that is
   * added to it, not when it is written.
   *
   * @param key a value for each column of the partition key, in the order of the columns
   * @throws IllegalArgumentException if the number of values is wrong, or if a value does not fit
   *     its column's type
   */
  public MutationBuilder mutation(@Nullable Object @Nullable ... key) {
    store.requireOpen();
    return store.mutations().mutation(key);
  }

  /**
   * Writes a mutation atomically: readers see all of it or nothing. Returns when the mutation is as
   * durable as the sync mode of the commit log promises; at once if the table has no {@link
   * io.siltstone.schema.TableOptions#durableWrites() durable_writes}.
   *
   * <p>While memtables take up all the memory that they may have, this waits for a flush; it does
   * not wait if called by a listener that is being notified of a flush.
   *
   * @throws IllegalArgumentException if the mutation belongs to another table, changes a column
   *     that no longer exists, does not fit into the off-heap memory, or has more than {@link
   *     io.siltstone.commitlog.CommitLogOptions#maxMutationBytes()}, 256 MiB by default
   * @throws io.siltstone.memory.OutOfBudgetException if there is no memory for the mutation, even
   *     after flushes. Nothing is written then, and the write can be tried again
   * @throws io.siltstone.event.ReadOnlyException if an earlier failure has made the database
   *     read-only
   * @throws IOException if the mutation could not be logged or synced. It is then unknown whether
   *     it will be there when the database is opened again
   */
  public void write(Mutation mutation) throws IOException {
    requireOwn(mutation);
    engine.run(() -> engine.writePath().write(writer -> writer.write(store, mutation)));
  }

  /**
   * Writes a mutation and returns as soon as readers can see it. Otherwise as {@link #write}.
   *
   * <p>One thread of the database completes all stages. An action that is attached to a stage runs
   * on that thread, so it must not wait for another stage; use the {@code Async} methods of the
   * stage for actions that do. While the operating system cannot provide that thread, stages stay
   * incomplete. If it cannot do so until the database is closed, the thread that closes the
   * database completes them.
   *
   * @return completes when the mutation is as durable as the sync mode promises; exceptionally if
   *     the sync failed
   */
  public CompletionStage<Void> writeAsync(Mutation mutation) throws IOException {
    requireOwn(mutation);
    return engine.inside(
        () -> engine.writePath().writeAsync(writer -> writer.write(store, mutation)));
  }

  private void requireOwn(Mutation mutation) {
    if (!mutation.schema().id().equals(Optional.of(store.id().id()))) {
      throw new IllegalArgumentException("the " + mutation + store.refusalOf(mutation.schema()));
    }
  }

  /**
   * Writes a mutation if a row of its partition meets all conditions. No other write to the
   * partition can come between the check and the write. The mutation's timestamp is taken at the
   * moment of the check, and is greater than the timestamps of all that the conditions look at: of
   * the row and the static columns, or of what deletes them. What else the mutation changes is
   * decided by timestamps, as in every write.
   *
   * @param mutation must not have explicit timestamps
   * @param clustering the values of the clustering columns of the row that is checked. Empty if the
   *     table has no clustering columns, or if all conditions are on static columns or on
   *     existence. Without a clustering the whole partition is checked: it {@linkplain
   *     Condition#exists() exists} if it has any row or static value
   * @param conditions all of these must be met
   * @return whether the mutation was written
   * @throws IllegalArgumentException if a condition does not fit the table, if a condition is on a
   *     regular column but the clustering is not given, or if the mutation has explicit timestamps;
   *     also if a stored value with which a condition is compared is corrupt
   */
  public boolean writeIf(Mutation mutation, List<?> clustering, Condition... conditions)
      throws IOException {
    ConditionCheck check = check(mutation, clustering, conditions);
    return engine.inside(
        () -> {
          MutationWriter writer = engine.writePath().writer();
          long position = writer.writeIf(store, mutation, check);
          if (position == MutationWriter.NOT_WRITTEN) {
            return false;
          }
          writer.awaitSynced(position);
          return true;
        });
  }

  /**
   * Decides as {@link #writeIf}, and returns as soon as readers can see what was written.
   *
   * @return completes with whether it was written, when that is as durable as the sync mode
   *     promises
   */
  public CompletionStage<Boolean> writeIfAsync(
      Mutation mutation, List<?> clustering, Condition... conditions) throws IOException {
    ConditionCheck check = check(mutation, clustering, conditions);
    return engine.inside(
        () -> {
          long position = engine.writePath().writer().writeIf(store, mutation, check);
          return position == MutationWriter.NOT_WRITTEN
              ? CompletableFuture.completedStage(false)
              : engine.writePath().writer().synced(position).thenApply(done -> true);
        });
  }

  private ConditionCheck check(Mutation mutation, List<?> clustering, Condition... conditions) {
    requireOwn(mutation);
    return new ConditionCheck(
        store, reads, engine.services.clock(), mutation, clustering, List.of(conditions));
  }

  // Reads.

  /**
   * Begins a query. A query can be kept and read any number of times, even after the table was
   * altered. It keeps the columns that it was built with, and shows no values of columns that were
   * dropped since.
   */
  public Query.Builder query() {
    store.requireOpen();
    return store.queries().query();
  }

  /**
   * Reads the rows of a query as the table is now. Later writes, flushes and compactions do not
   * change the result. Each partition is seen as it was between two writes.
   *
   * @return the rows, to be closed by the caller; until then the memory and files that they need
   *     are held
   * @throws IllegalArgumentException if the query belongs to another table
   * @throws io.siltstone.memory.OutOfBudgetException if there is no memory to read with, now or at
   *     a later step. The read can be tried again
   */
  public LiveRows read(Query query) throws IOException {
    return engine.inside(() -> reads.rows(query));
  }

  /** Reads a query column by column into vectors of the caller, who closes the reader. */
  public ColumnarReader readColumns(Query query) throws IOException {
    return engine.inside(() -> reads.columns(query));
  }

  /**
   * Reads as {@link #read(Query)}, and records how: which memtables and SSTables are read, which
   * are skipped and why, and what each costs.
   *
   * @param trace is filled in while the rows are read and is complete when they are closed; other
   *     threads must not look at it before that
   * @throws IllegalArgumentException if the query is not of one partition of this table
   */
  public LiveRows read(Query query, ReadTrace trace) throws IOException {
    return engine.inside(() -> reads.rows(query, trace));
  }

  /** Returns the first row of a query, or empty if it has none; otherwise as {@link #read}. */
  public Optional<Row> get(Query query) throws IOException {
    return engine.inside(() -> reads.first(query));
  }

  /**
   * Returns the first row of each of many queries: faster than many calls of {@link #get}, since
   * partitions are read in their order, and each chunk of a file once. Each partition is seen as it
   * was between two writes.
   *
   * @param queries each of exactly one partition of this table, in any order
   * @return for each query, in the order of the list, its first row, or empty if it has none
   * @throws IllegalArgumentException if a query is not
   */
  public List<Optional<Row>> multiGet(List<Query> queries) throws IOException {
    return engine.inside(() -> reads.firstOfEach(List.copyOf(queries)));
  }

  /**
   * Divides the table into splits of about so many bytes, which several tasks read side by side, in
   * this process or in others: {@code query().split(split)}. Each row belongs to exactly one split.
   * A partition that is larger than a split is divided by its rows, at places of the row index of
   * its SSTables. Splits come from samples: most have between half and twice the size, some are
   * empty. A memtable is divided by its partitions only. Reads indexes, no data.
   *
   * @param bytes the size of a split before compression, of all versions, at least 1. For n splits,
   *     divide {@link TableStatistics.Estimate#dataBytes()} by n
   * @return in the order of partitions and rows; at least one
   */
  public List<Split> splits(long bytes) throws IOException {
    return engine.inside(() -> reads.splits(bytes));
  }

  /**
   * Opens a low-level cursor over the merged data, including tombstones and expired cells. It shows
   * serialized rows and allocates nothing per row. After a step has failed, each further step
   * throws an {@link IOException} whose cause is the first failure.
   *
   * @return the cursor, to be closed by the caller
   */
  @Expert
  @SuppressWarnings("exports")
  public PartitionCursor cursor(Read read) throws IOException {
    return engine.inside(() -> reads.cursor(read));
  }

  /**
   * Explains what has become of all data of one partition. For each deletion, row and cell that
   * memtables and SSTables contain, even one that is superseded, it says whether a read shows it,
   * what hides it if not, and whether compaction may remove it. This reads the partition from each
   * SSTable that may contain it, row by row.
   *
   * @param query of one partition. Only its slices, to which range deletions are cut, and its time
   *     are used
   * @param listener receives the findings, on the calling thread
   * @throws IllegalArgumentException if the query is not of one partition of this table
   */
  public Explained explain(Query query, FindingListener listener) throws IOException {
    return engine.inside(
        () -> engine.services.listener().notifying(() -> reads.explain(query, listener)));
  }

  // The table as a whole.

  /**
   * Writes the table's memtable to an SSTable, and returns when that is live. If the table has no
   * {@link io.siltstone.schema.TableOptions#durableWrites() durable_writes}, all such tables of its
   * keyspace are flushed at one moment, atomically.
   *
   * @throws IllegalStateException if called by a listener that is being notified of a flush, or if
   *     the table was dropped
   */
  public void flush() throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          store.requireOpen();
          engine.writePath().flusher().flushAll(List.of(store));
        });
  }

  /**
   * Removes all rows, atomically: after a crash either all of them are gone or none. Writes to the
   * table wait in the meantime.
   *
   * @throws IllegalStateException if a damaged SSTable of the table is quarantined, since its rows
   *     would come back when it is repaired
   */
  public void truncate() throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          engine.writePath().tables().truncate(store);
        });
  }

  /**
   * Raises the retention floor: reads that begin now hide all rows whose first clustering column,
   * the time column, is less than the value. Static rows stay. The floor is durable when this
   * returns, and is never lowered. Flushes and compactions leave out what is below. Later writes
   * below the floor succeed, and are never seen.
   *
   * @param value of a timestamp, date, timeuuid (or an Instant), bigint or int; or its text in CQL
   * @return false if the floor is as great or greater already
   * @throws IllegalArgumentException if the value or the column is of another type
   * @throws IOException if it is as before, and is perhaps raised when the database is reopened
   */
  public boolean raiseRetentionFloor(Object value) throws IOException {
    return engine.inside(() -> engine.writePath().tables().raiseFloor(store, value));
  }

  /** Returns the retention floor as a value of the time column; empty if the table has none. */
  public Optional<Object> retentionFloor() throws IOException {
    return engine.inside(
        () -> {
          store.requireOpen();
          return store.liveSet().retention().value();
        });
  }

  /**
   * Imports with {@link VerificationLevel#DIGEST}; {@link #importTables(Directory,
   * VerificationLevel)}.
   */
  public List<Descriptor> importTables(Directory source) throws IOException {
    return importTables(source, VerificationLevel.DIGEST);
  }

  /**
   * Adds all SSTables of a directory to the table, all at once. Files are hard-linked if possible
   * and copied otherwise; the source directory is not changed.
   *
   * <p>All SSTables are checked before the first is added. If one is damaged or does not fit, none
   * is added. The check reads all data files, and the table cannot be altered, truncated or dropped
   * meanwhile; reads, writes and flushes are not disturbed.
   *
   * <p>Timestamps decide between imported data and what is written. Automatic timestamps do not
   * follow those of imported SSTables, so imported data that is newer than the clock hides what is
   * written. The listener is notified of such data as {@link
   * io.siltstone.event.EngineListener.ClockBehind}. A {@link KeyValueStore} on the table goes
   * beyond all that is imported. If the table has the form of such a store, the listener is also
   * notified of imported data that is older than what the store has ({@code OldDataImported}).
   *
   * @param level how thoroughly the SSTables are checked for damage
   * @return the names of the SSTables in this table
   * @throws IllegalArgumentException if an SSTable does not fit the table, or if the table already
   *     contains it; the message names the SSTable. The table contains it if the source is the
   *     table's own directory, if the source is a checkpoint of the table and some of its SSTables
   *     are still live, or if the SSTable was imported before. To import a checkpoint again, {@link
   *     #truncate} the table first. Also thrown if the table has the form of a {@link
   *     KeyValueStore} and the SSTable's timestamps leave none that is greater
   * @throws io.siltstone.sstable.format.CorruptSSTableException if an SSTable is damaged; the
   *     message names the file
   */
  public List<Descriptor> importTables(Directory source, VerificationLevel level)
      throws IOException {
    Objects.requireNonNull(level, "level");
    return engine.inside(
        () -> {
          engine.requireNotFlushing();
          return engine.writePath().tables().importTables(store, source, level);
        });
  }

  /** Adds all SSTables of a directory to the table; see {@link #importTables(Directory)}. */
  public List<Descriptor> importTables(Path source) throws IOException {
    return importTables(source, VerificationLevel.DIGEST);
  }

  /**
   * Adds all SSTables of a directory to the table; see {@link #importTables(Directory,
   * VerificationLevel)}.
   */
  public List<Descriptor> importTables(Path source, VerificationLevel level) throws IOException {
    return importTables(NioDirectory.openExisting(source), level);
  }

  /** Returns the metadata of the table's live SSTables at this moment, by first key. */
  public List<LiveSSTable> sstables() throws IOException {
    return live().forUsers();
  }

  /** Returns the table's live SSTables at this moment, with all that strategies know of them. */
  @Expert
  @SuppressWarnings("exports")
  public LiveTables live() throws IOException {
    return engine.inside(() -> store.liveSet().live());
  }

  /**
   * Compacts the table as requested, independently of what its compaction strategy does by itself.
   *
   * @param request {@link CompactionRequest#of} one of {@link CompactionRequest.Operation}
   * @return completes on a thread of the compactor when all jobs of the request have ended. It
   *     completes normally even if some jobs failed; {@link CompactionReport#orThrow} turns that
   *     into an exception. It completes exceptionally with
   *     <ul>
   *       <li>an {@link IOException} if nothing could be done or the database has become read-only
   *       <li>an {@link IllegalArgumentException} if the request cannot apply to the table
   *       <li>a {@link CancellationException} if the database is closed or the table is dropped
   *           before the jobs have ended
   *     </ul>
   */
  public CompletionStage<CompactionReport> compact(CompactionRequest request) {
    engine.gate.enter();
    try {
      store.requireOpen();
      return engine.compactor().run(store.id(), request);
    } catch (IllegalArgumentException e) {
      if (!store.isDropped()) {
        throw e;
      }
      return CompletableFuture.failedStage(new CancellationException(store + " was dropped"));
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * Returns the sizes of the table's SSTables and memtables, and what its reads and writes have
   * cost.
   */
  public TableStatistics statistics() throws IOException {
    return engine.inside(() -> TableMeasurement.statistics(engine, store));
  }

  /**
   * Estimates the size of a range of partitions from indexes, statistics and memtables, without
   * reading data; see {@link TableStatistics.Estimate} for how exact it is.
   *
   * @param range such as {@link PartitionRange#ALL}, or one of {@linkplain PartitionRange#ofTokens
   *     tokens}
   */
  public TableStatistics.Estimate estimate(PartitionRange range) throws IOException {
    return engine.inside(() -> TableStatistics.Estimate.of(reads.estimate(range)));
  }

  /**
   * Summarizes the statistics of all live SSTables. Asks the file system for the length of each
   * file.
   */
  @Expert
  @SuppressWarnings("exports")
  public StoredSummary storedSummary() throws IOException {
    return engine.inside(() -> TableMeasurement.storedSummary(engine, store));
  }

  /** {@code keyspace.name}. */
  @Override
  public String toString() {
    return store.toString();
  }
}
