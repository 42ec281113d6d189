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
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.rows.Row;
import io.siltstone.rows.Split;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.table.read.ReadSources;
import io.siltstone.table.read.TableEstimate;
import io.siltstone.table.read.TableSnapshot;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one table for users: rows of queries, and cursors. What a user has to close is tracked by
 * {@link Handles}.
 *
 * <p>Safe for all threads; called inside the {@link Gate} of the database or table.
 */
public final class TableReads {
  private final ReadableTable table;
  private final Handles handles;

  /** A table that can be read: one of an open database, or the SSTables of a directory. */
  interface ReadableTable {
    /** Returns keyspace, name and id of the table. */
    TableId id();

    /** Returns the partitioner that orders the partitions. */
    Partitioner partitioner();

    /** Returns the time that decides what has expired, in seconds since 1970. */
    long nowSeconds();

    /** Returns what reads by the present definition need. */
    ReadSources reads();

    /** Returns what reads by an earlier definition need. */
    ReadSources readsBy(TableSchema other);

    /** Returns the end of a sentence about a query or change that was made for another table. */
    String refusalOf(TableSchema made);
  }

  /**
   * @param table to read
   * @param handles keeps what users have to close
   */
  TableReads(ReadableTable table, Handles handles) {
    this.table = table;
    this.handles = handles;
  }

  /**
   * Creates the reads of a table of an open database.
   *
   * @param handles of the database
   */
  public static TableReads of(TableStore store, Handles handles) {
    return new TableReads(store, handles);
  }

  /** Returns the rows of a query, from a snapshot of the table. */
  public LiveRows rows(Query query) {
    return rows(query, null);
  }

  /**
   * Returns the rows of a query, from a snapshot of the table.
   *
   * @param trace records the reads of its partition; null for none
   */
  public LiveRows rows(Query query, @Nullable ReadTrace trace) {
    if (trace != null && QueryFactory.keyOf(query) == null) {
      throw new IllegalArgumentException("only reads of one partition are traced");
    }
    return lend("rows of ", query, trace, QueryFactory::open);
  }

  /** Returns a columnar reader of a query, from a snapshot of the table. */
  public ColumnarReader columns(Query query) {
    return lend("columns of ", query, null, QueryFactory::openColumns);
  }

  /** Opens a form of the result of a query, which closes the source. */
  @FunctionalInterface
  private interface Form<T extends Closeable> {
    T open(Query query, long nowSeconds, CursorSource source);
  }

  private <T extends Closeable> T lend(
      String what, Query query, @Nullable ReadTrace trace, Form<T> form) {
    TableSnapshot snapshot = sources(query).snapshot();
    try {
      LentSource source = new LentSource(snapshot, trace);
      T result = form.open(query, now(query), source);
      source.lease = handles.lend(what, table, result, snapshot);
      return result;
    } catch (Throwable e) {
      Closeables.closeAfter(snapshot, e);
      throw e;
    }
  }

  /** Returns the first row of a query, or empty if it has none. */
  public Optional<Row> first(Query query) throws IOException {
    ReadSources sources = sources(query);
    // A read of one partition is consistent without a snapshot, too.
    CursorSource source =
        QueryFactory.keyOf(query) != null ? new PresentSource(sources) : sources.snapshot();
    return first(query, source);
  }

  /** Returns the first row of a query, or empty if it has none, and closes the source. */
  private Optional<Row> first(Query query, CursorSource from) throws IOException {
    try (from;
        LiveRows rows = QueryFactory.open(query, now(query), from)) {
      return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the first row of each query of one partition; empty for a query that has none. */
  public List<Optional<Row>> firstOfEach(List<Query> queries) throws IOException {
    List<Integer> order = new ArrayList<>(queries.size());
    for (int i = 0; i < queries.size(); i++) {
      requireKey(queries.get(i));
      order.add(i);
    }
    order.sort(Comparator.comparing(i -> requireKey(queries.get(i))));
    List<Optional<Row>> found =
        new ArrayList<>(Collections.nCopies(queries.size(), Optional.empty()));
    // Usually there is one: queries may have been made for other definitions of the table.
    IdentityHashMap<ReadSources, TableSnapshot> snapshots = new IdentityHashMap<>();
    try (Closeables opened = new Closeables()) {
      for (int i : order) {
        Query query = queries.get(i);
        TableSnapshot snapshot = snapshotOf(sources(query), snapshots, opened);
        found.set(i, first(query, new HeldSource(snapshot)));
      }
    }
    return found;
  }

  private static TableSnapshot snapshotOf(
      ReadSources sources,
      IdentityHashMap<ReadSources, TableSnapshot> snapshots,
      Closeables opened) {
    TableSnapshot present = snapshots.get(sources);
    if (present != null) {
      return present;
    }
    TableSnapshot snapshot = opened.add(sources.snapshot());
    snapshot.keepReaders();
    snapshots.put(sources, snapshot);
    return snapshot;
  }

  private static PartitionKey requireKey(Query query) {
    PartitionKey key = QueryFactory.keyOf(query);
    if (key == null) {
      throw new IllegalArgumentException(
          "the query [" + query + "] is of more than one partition, allowed is one");
    }
    return key;
  }

  /**
   * Returns the greatest timestamp that a query of one partition passes on its way to its first
   * row: of the static row, of deletions, of rows that are deleted or expired, and of the row
   * itself; {@link DeletionTime#NO_TIMESTAMP} if it passes nothing.
   *
   * @param isStaticOnly whether only the static row and the deletion of the partition count
   */
  public long newestTimestamp(Query query, boolean isStaticOnly) throws IOException {
    NewestTimestamp newest = new NewestTimestamp();
    long now = now(query);
    for (Read read : QueryFactory.readsOf(query)) {
      ReadSources sources = sources(query);
      newest.note(sources.deletedUpTo(((Read.OfPartition) read).key()));
      try (PartitionCursor cursor = sources.open((Read.OfPartition) read)) {
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
   * Explains what becomes of all data that memtables and SSTables have of the partition of a query.
   */
  public Explained explain(Query query, FindingListener listener) throws IOException {
    requirePartitioner(query);
    requireOwn(query);
    // Uses the present definition, as compactions do; the query only selects the data.
    try (TableSnapshot snapshot = table.reads().snapshot()) {
      return snapshot.explain(query, now(query), listener);
    }
  }

  /** Estimates the size of a range of partitions, as the table is now. */
  public TableEstimate estimate(PartitionRange range) throws IOException {
    try (TableSnapshot snapshot = table.reads().snapshot()) {
      return snapshot.estimate(range);
    }
  }

  /**
   * Divides the table as it is now into splits.
   *
   * @param bytes of a split before compression, at least 1
   */
  public List<Split> splits(long bytes) throws IOException {
    if (bytes < 1) {
      throw new IllegalArgumentException("splits of " + bytes + " bytes, allowed 1 or more");
    }
    try (TableSnapshot snapshot = table.reads().snapshot()) {
      return snapshot.splits(bytes);
    }
  }

  /** Opens a cursor over the result of a read. */
  public PartitionCursor cursor(Read read) throws IOException {
    TableSnapshot snapshot = table.reads().snapshot();
    try {
      CancelSignal cancelSignal = CancelSignal.of("the cursor is closed");
      UserCursor cursor = new UserCursor(snapshot.open(read, cancelSignal), cancelSignal, snapshot);
      cursor.lease(handles.lend("cursor over ", table, cursor, snapshot));
      return cursor;
    } catch (Throwable e) {
      Closeables.closeAfter(snapshot, e);
      throw e;
    }
  }

  /**
   * Returns the sources for a query, by the definition that it was made for, which may be older
   * than the present one. Data of columns that were dropped since is hidden.
   *
   * @throws IllegalArgumentException if the query was made for another table
   */
  private ReadSources sources(Query query) {
    requirePartitioner(query);
    ReadSources present = table.reads();
    if (present.schema().equals(query.schema())) {
      return present;
    }
    requireOwn(query);
    return table.readsBy(query.schema());
  }

  /**
   * Checks that a query is of this table. A definition that a user wrote has no id; then its
   * keyspace and name count.
   */
  private void requireOwn(Query query) {
    TableSchema of = query.schema();
    TableId own = table.id();
    boolean isOwn =
        of.id()
            .map(own.id()::equals)
            .orElseGet(() -> of.keyspace().equals(own.keyspace()) && of.name().equals(own.name()));
    if (!isOwn) {
      throw new IllegalArgumentException("the query [" + query + "]" + table.refusalOf(of));
    }
  }

  private void requirePartitioner(Query query) {
    if (query.partitioner() != table.partitioner()) {
      throw new IllegalArgumentException(
          "the query ["
              + query
              + "] is by "
              + query.partitioner()
              + ", "
              + table.id()
              + " is partitioned by "
              + table.partitioner());
    }
  }

  private long now(Query query) {
    return query.nowSeconds().orElseGet(table::nowSeconds);
  }

  /** The present state of a partition, which is read without a snapshot. */
  private record PresentSource(ReadSources of) implements CursorSource {
    @Override
    public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      return of.open((Read.OfPartition) read, cancelSignal);
    }

    @Override
    public void ended(boolean isTimeout) {
      of.ended(isTimeout);
    }
  }

  /** A snapshot that several queries read, and that stays open after each of them. */
  private record HeldSource(TableSnapshot of) implements CursorSource {
    @Override
    public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      return of.open(read, cancelSignal);
    }

    @Override
    public void ended(boolean isTimeout) {
      of.ended(isTimeout);
    }
  }

  /** A snapshot from which rows are read, until they are closed. */
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
    public void ended(boolean isTimeout) {
      snapshot.ended(isTimeout);
    }

    @Override
    public void close() throws IOException {
      try {
        snapshot.close();
      } finally {
        // Ended last, so that the closing of the database waits for all of this.
        if (lease != null) {
          lease.end();
        }
      }
    }
  }
}
