package io.siltstone.table;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Explained;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.rows.Row;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.table.read.ReadSources;
import io.siltstone.table.read.TableSnapshot;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one table as users ask for them: rows of queries, and cursors. What a user has to close
 * is noted in {@link Handles}.
 *
 * <p>Safe for all threads; called inside the database's {@link Gate}.
 */
public final class TableReads {
  private final TableStore store;
  private final Services services;
  private final Handles handles;

  /** Of that table. */
  public TableReads(TableStore store, Services services, Handles handles) {
    this.store = store;
    this.services = services;
    this.handles = handles;
  }

  /** The rows of a query, from a state of the table that stays as it is. */
  public LiveRows rows(Query query) {
    return rows(query, null);
  }

  /**
   * The rows of a query.
   *
   * @param trace records the reads of its partition; null for none
   */
  public LiveRows rows(Query query, @Nullable ReadTrace trace) {
    if (trace != null && QueryFactory.keyOf(query) == null) {
      throw new IllegalArgumentException("only reads of one partition are traced");
    }
    TableSnapshot snapshot = sources(query).snapshot();
    try {
      LentSource source = new LentSource(snapshot, trace);
      LiveRows rows = QueryFactory.open(query, now(query), source);
      source.lease = handles.lend("rows of " + store, rows, snapshot);
      return rows;
    } catch (Throwable e) {
      Closeables.closeAfter(snapshot, e);
      throw e;
    }
  }

  /** The first row of a query. */
  public Optional<Row> first(Query query) throws IOException {
    ReadSources sources = sources(query);
    // One partition is seen as it is at one moment without a snapshot too.
    CursorSource source =
        QueryFactory.keyOf(query) != null
            ? (read, cancelSignal) -> sources.open((Read.OfPartition) read)
            : sources.snapshot();
    try (source;
        LiveRows rows = QueryFactory.open(query, now(query), source)) {
      return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Returns the greatest timestamp of what a query of one partition passes on its way to its first
   * row: of the static row, of deletions, of rows that are deleted or expired, and of the row
   * itself; {@link DeletionTime#NO_TIMESTAMP} if it passes nothing.
   *
   * @param isStaticOnly whether only the static row counts, and what deletes the partition
   */
  public long newestTimestamp(Query query, boolean isStaticOnly) throws IOException {
    NewestTimestamp newest = new NewestTimestamp();
    long now = now(query);
    for (Read read : QueryFactory.readsOf(query)) {
      try (PartitionCursor cursor = sources(query).open((Read.OfPartition) read)) {
        boolean isOver = !cursor.nextPartition();
        if (!isOver) {
          newest.note(cursor.deletionTimestamp());
        }
        while (!isOver && cursor.nextUnfiltered()) {
          Unfiltered unfiltered = cursor.unfiltered();
          boolean isRow = !unfiltered.isMarker() && !unfiltered.isStatic();
          isOver =
              isStaticOnly ? !unfiltered.isStatic() : isRow && Liveness.isRowLive(unfiltered, now);
          if (!isStaticOnly || unfiltered.isStatic()) {
            unfiltered.rewind();
            newest.read(unfiltered);
          }
        }
      }
    }
    return newest.micros();
  }

  /**
   * What becomes of all that memtables and SSTables have of the partition of a query, as the table
   * is now.
   */
  public Explained explain(Query query, FindingListener listener) throws IOException {
    requirePartitioner(query);
    requireOwn(query);
    // By the present definition, as compactions go: the query only says where to look.
    try (TableSnapshot snapshot = store.reads().snapshot()) {
      return snapshot.explain(query, now(query), listener);
    }
  }

  /** A cursor over what a read shows. */
  public PartitionCursor cursor(Read read) throws IOException {
    TableSnapshot snapshot = store.reads().snapshot();
    try {
      CancelSignal cancelSignal = CancelSignal.of("the cursor is closed");
      UserCursor cursor = new UserCursor(snapshot.open(read, cancelSignal), cancelSignal, snapshot);
      cursor.lease(handles.lend("cursor over " + store, cursor, snapshot));
      return cursor;
    } catch (Throwable e) {
      Closeables.closeAfter(snapshot, e);
      throw e;
    }
  }

  /**
   * By the definition that the query was made for, which may not be the present one, but without
   * what is gone with columns that were dropped since.
   *
   * @throws IllegalArgumentException if it was made for another table
   */
  private ReadSources sources(Query query) {
    requirePartitioner(query);
    ReadSources present = store.reads();
    if (present.schema().equals(query.schema())) {
      return present;
    }
    requireOwn(query);
    return store.readsBy(query.schema());
  }

  /** A definition that a user wrote has no id: then its names tell. */
  private void requireOwn(Query query) {
    TableSchema of = query.schema();
    TableId own = store.id();
    boolean isOwn =
        of.id()
            .map(own.id()::equals)
            .orElseGet(() -> of.keyspace().equals(own.keyspace()) && of.name().equals(own.name()));
    if (!isOwn) {
      throw new IllegalArgumentException("the query [" + query + "]" + store.refusalOf(of));
    }
  }

  private void requirePartitioner(Query query) {
    if (query.partitioner() != services.partitioner()) {
      throw new IllegalArgumentException(
          "the query ["
              + query
              + "] is by "
              + query.partitioner()
              + ", "
              + store.id()
              + " is partitioned by "
              + services.partitioner());
    }
  }

  private long now(Query query) {
    return query.nowSeconds().orElseGet(() -> services.clock().nowSeconds());
  }

  /** A snapshot that rows are read from, until they are closed. */
  private static final class LentSource implements CursorSource {
    private final TableSnapshot snapshot;
    private final @Nullable ReadTrace trace;
    private Handles.@Nullable Lease lease;

    LentSource(TableSnapshot snapshot, @Nullable ReadTrace trace) {
      this.snapshot = snapshot;
      this.trace = trace;
    }

    @Override
    public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      return trace != null && read instanceof Read.OfPartition partition
          ? snapshot.open(partition, cancelSignal, trace)
          : snapshot.open(read, cancelSignal);
    }

    @Override
    public void close() throws IOException {
      try {
        snapshot.close();
      } finally {
        // Last, so that a database that is being closed waits for this.
        if (lease != null) {
          lease.end();
        }
      }
    }
  }
}
