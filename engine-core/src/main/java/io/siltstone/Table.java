package io.siltstone;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.explain.Explained;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.liveset.View;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.mutation.WriteClock;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Read;
import io.siltstone.rows.Row;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionReport;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.CompactionState;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.StoredSummary;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.table.TableReads;
import io.siltstone.table.TableStore;
import io.siltstone.table.Writer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A table of an open {@link Database}.
 *
 * <p>Safe for all threads. Holds nothing that needs closing; any call after the database was closed
 * or the table dropped is an {@link IllegalStateException}, but for {@link #id} and {@link
 * #schema}, which say what it was. Changes of a database that is open for reading only are {@link
 * IllegalStateException}s too; changes after a failure that made it read-only are {@link
 * io.siltstone.event.ReadOnlyException}s.
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

  TableStore store() {
    return store;
  }

  /** Which table it is. */
  public TableId id() {
    return store.id();
  }

  /** Its columns and options as they are now. */
  public TableSchema schema() {
    return store.schema();
  }

  // Writes.

  /**
   * Begins a mutation of one partition, which {@link #write}, or a {@link
   * io.siltstone.mutation.Batch}, takes. Its timestamp is that of its first change, not of the
   * write.
   *
   * @param key a value for each column of the partition key, in their order
   * @throws IllegalArgumentException if there are more or less of them, or one is no value of its
   *     type
   */
  public MutationBuilder mutation(@Nullable Object @Nullable ... key) {
    store.requireOpen();
    return store.mutations().mutation(key);
  }

  /**
   * Writes a mutation; readers see all of it or nothing. Returns when it is as durable as the sync
   * mode of the commit log promises. Waits while memtables take all the memory they may, unless a
   * listener that is told of a flush calls it.
   *
   * @throws IllegalArgumentException if it is of another table, changes a column that is gone, or
   *     has more than half a segment of the commit log: 16 MiB unless {@link
   *     io.siltstone.commitlog.CommitLogOptions#segmentBytes()} is changed
   * @throws io.siltstone.memory.OutOfBudgetException if there is no memory for it and flushes bring
   *     none; nothing is written then, and it may be tried again
   * @throws io.siltstone.event.ReadOnlyException if the database takes no changes any more
   * @throws IOException if it could not be logged or synced: then it is not known whether it will
   *     be there after reopening
   */
  public void write(Mutation mutation) throws IOException {
    requireOwn(mutation);
    engine.run(
        () -> {
          Writer writer = engine.changes().writer();
          writer.awaitSynced(writer.write(store, mutation));
        });
  }

  /**
   * As {@link #write}, but returns before it is durable: then the stage is done. What is attached
   * to it runs on one thread of the database for all stages and must not wait for another: what
   * does is for the {@code Async} methods of the stage. While the operating system has no thread
   * for it, stages wait; if it has none until the database is closed, what is attached runs in the
   * thread that closes it.
   */
  public CompletionStage<Void> writeAsync(Mutation mutation) throws IOException {
    requireOwn(mutation);
    return engine.inside(
        () -> {
          Writer writer = engine.changes().writer();
          return writer.synced(writer.write(store, mutation));
        });
  }

  private void requireOwn(Mutation mutation) {
    if (!mutation.schema().id().equals(Optional.of(store.id().id()))) {
      throw new IllegalArgumentException("the " + mutation + store.refusalOf(mutation.schema()));
    }
  }

  /**
   * Writes a mutation if a row of its partition fulfils all conditions, and nobody else writes to
   * the partition meanwhile. Its timestamp becomes that of the moment of the decision.
   *
   * @param mutation without timestamps of its own
   * @param clustering values of the row that the conditions are on, in the order of the clustering
   *     columns; none for a table without, or for conditions that name static columns alone, or
   *     none: without a clustering the partition {@linkplain Condition#exists() exists} if it has
   *     anything
   * @return whether it was written
   * @throws IllegalArgumentException if a condition does not fit the table or names a column of a
   *     row whose clustering is not given, or the mutation has timestamps
   */
  public boolean writeIf(Mutation mutation, List<?> clustering, Condition... conditions)
      throws IOException {
    RowCheck check = check(mutation, clustering, conditions);
    return engine.inside(
        () -> {
          long position = decide(mutation, check);
          if (position == Writer.NOT_WRITTEN) {
            return false;
          }
          engine.changes().writer().awaitSynced(position);
          return true;
        });
  }

  /**
   * As {@link #writeIf}, but returns when it is decided: the stage is done when what was written is
   * durable.
   */
  public CompletionStage<Boolean> writeIfAsync(
      Mutation mutation, List<?> clustering, Condition... conditions) throws IOException {
    RowCheck check = check(mutation, clustering, conditions);
    return engine.inside(
        () -> {
          long position = decide(mutation, check);
          return position == Writer.NOT_WRITTEN
              ? CompletableFuture.completedStage(false)
              : engine.changes().writer().synced(position).thenApply(done -> true);
        });
  }

  private RowCheck check(Mutation mutation, List<?> clustering, Condition... conditions) {
    requireOwn(mutation);
    if (!mutation.hasAutomaticTimestamp() && !mutation.isEmpty()) {
      throw new IllegalArgumentException(
          "the " + mutation + " has timestamps of its own, and cannot be written on conditions");
    }
    return new RowCheck(this, mutation.key(), clustering, List.of(conditions));
  }

  /** The position of what was written, or {@link Writer#NOT_WRITTEN}. */
  private long decide(Mutation mutation, RowCheck check) throws IOException {
    WriteClock clock = engine.services.clock();
    return engine
        .changes()
        .writer()
        .writeIf(
            store,
            mutation,
            () -> check.holds(reads) ? mutation.withTimestamp(clock.nextTimestampMicros()) : null);
  }

  // Reads.

  /**
   * Begins a query. It may be kept and read again, also after the table was altered: then it has
   * the columns that it was made with, and shows nothing of those that were dropped since.
   */
  public Query.Builder query() {
    store.requireOpen();
    return store.queries().query();
  }

  /**
   * The rows of a query, as the table is now: what is written, flushed or compacted meanwhile does
   * not disturb them. Each partition is seen as it was between two writes.
   *
   * @return to be closed by the caller; until then memory and files that they need are held
   * @throws IllegalArgumentException if the query is of another table
   * @throws io.siltstone.memory.OutOfBudgetException if there is no memory to read with, here or
   *     while the rows are walked through; it may be tried again
   */
  public LiveRows read(Query query) throws IOException {
    return engine.inside(() -> reads.rows(query));
  }

  /**
   * As the other, and tells what the read does: which memtables and SSTables it looks at, which not
   * and why, and what each costs.
   *
   * @param trace whole when the rows are closed; not to be looked at by another thread before
   * @throws IllegalArgumentException if the query is not of one partition, or of another table
   */
  public LiveRows read(Query query, ReadTrace trace) throws IOException {
    return engine.inside(() -> reads.rows(query, trace));
  }

  /**
   * The first row of a query; nothing needs closing.
   *
   * @throws IllegalArgumentException if the query is of another table
   */
  public Optional<Row> get(Query query) throws IOException {
    return engine.inside(() -> reads.first(query));
  }

  /**
   * What a read shows before anything is made of it: merged and reconciled, with tombstones, by a
   * cursor that allocates nothing per row. After a step that failed each further one is an {@link
   * IOException} whose cause is the first failure.
   *
   * @return to be closed by the caller
   */
  public PartitionCursor cursor(Read read) throws IOException {
    return engine.inside(() -> reads.cursor(read));
  }

  /**
   * Says of each thing that memtables and SSTables have of one partition, merged away or not, what
   * became of it: whether a read shows it, what shadows it, whether compaction may forget it. Costs
   * a read of the partition in each SSTable that may have it; a wide partition is walked through
   * row by row.
   *
   * @param query of one partition; its slices and its time are looked at, and no limits; a deletion
   *     of a range shows within its slices
   * @param listener called on this thread
   * @throws IllegalArgumentException if the query is not of one partition, or of another table
   */
  public Explained explain(Query query, FindingListener listener) throws IOException {
    return engine.inside(
        () -> engine.services.listener().telling(() -> reads.explain(query, listener)));
  }

  // The table as a whole.

  /**
   * Writes what is in memory to an SSTable, and returns when that is there.
   *
   * @throws IllegalStateException if a listener that is told of a flush calls it; if the table was
   *     dropped
   */
  public void flush() throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          store.requireOpen();
          engine.changes().flusher().flushAll(List.of(store));
        });
  }

  /**
   * Removes all rows. After a crash all of them are gone or none. Who writes to the table meanwhile
   * waits.
   *
   * @throws IllegalStateException if an SSTable of it is set aside as damaged, whose rows would be
   *     back when it is mended
   */
  public void truncate() throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          engine.changes().tables().truncate(store);
        });
  }

  /**
   * Takes in all SSTables of a directory, at once. Files are linked where that is possible, else
   * copied; the directory stays as it is.
   *
   * <p>Automatic timestamps go on behind the greatest of each SSTable, so that what is written
   * afterwards is newer, unless that lies more than a day ahead of the clock.
   *
   * @return what they are called here
   * @throws IllegalArgumentException if one does not fit the table, or is one of it already: the
   *     directory is that of the table, or a checkpoint of it of which not all has been compacted
   *     since, or was imported before; says which. {@link #truncate} it before
   */
  public List<Descriptor> importTables(Directory source) throws IOException {
    return engine.inside(
        () -> {
          engine.requireNotFlushing();
          return engine.changes().tables().importTables(store, source);
        });
  }

  /** As the other, from a path. */
  public List<Descriptor> importTables(Path source) throws IOException {
    return importTables(NioDirectory.openExisting(source));
  }

  /** The live SSTables now. */
  public LiveTables live() throws IOException {
    return engine.inside(() -> store.liveSet().live());
  }

  /**
   * Compacts beyond what the table's strategy does by itself.
   *
   * @return completes on a thread of the compaction when all of it is done, normally also if single
   *     jobs have failed: {@link CompactionReport#orThrow} makes an exception of that.
   *     Exceptionally with an {@link IOException} if nothing could be done or the database takes no
   *     changes any more, an {@link IllegalArgumentException} if the request cannot apply to the
   *     table, a {@link CancellationException} if it is closed or dropped before
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

  /** What it has, and what its reads and writes have cost. */
  public TableStatistics statistics() throws IOException {
    return engine.inside(
        () -> {
          CompactionState compaction =
              engine.options.isReadOnly()
                  ? CompactionState.IDLE
                  : engine.compactor().state(store.id());
          View view = store.acquire();
          try {
            List<SSTable> tables = view.byFirstKey();
            return new TableStatistics(
                tables.size(),
                tables.stream().mapToLong(SSTable::onDiskLength).sum(),
                tables.stream().mapToLong(SSTable::dataLength).sum(),
                tables.stream().mapToLong(SSTable::offHeapBytes).sum(),
                store.memtableStatistics(),
                store.sealedMemtables(),
                store.readSummary(),
                store.writeSummary(),
                store.liveSet().traffic(),
                compaction);
          } finally {
            view.release();
          }
        });
  }

  /**
   * What its live SSTables have together, as their statistics tell; asks for the length of each of
   * their files.
   */
  public StoredSummary storedSummary() throws IOException {
    return engine.inside(
        () -> {
          long gcBefore =
              engine.options.clock().millis() / 1000 - store.schema().options().gcGraceSeconds();
          View view = store.acquire();
          try {
            return StoredSummary.of(view.byFirstKey(), gcBefore);
          } finally {
            view.release();
          }
        });
  }

  /** {@code keyspace.name}. */
  @Override
  public String toString() {
    return store.toString();
  }
}
