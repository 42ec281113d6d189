package io.siltstone.table;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.liveset.LiveSet;
import io.siltstone.memtable.Memtable;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.rows.Split;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.table.read.CorruptionReports;
import io.siltstone.table.read.Memtables;
import io.siltstone.table.read.ReadSources;
import io.siltstone.table.read.ReadStatistics;
import io.siltstone.table.read.SlowReads;
import io.siltstone.table.read.TableEstimate;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/**
 * Reads the SSTables of a directory that belongs to no open database: a table without memtables,
 * caches and threads. Safe for use by all threads. Whoever opened it closes it, before the live
 * set; rows that are still open then are closed with it.
 */
public final class OfflineReads implements TableReads.ReadableTable, Closeable {
  private static final int READERS_AT_REST = 16;

  private final TableId id;
  private final Partitioner partitioner;
  private final InstantSource clock;
  private final LiveSet liveSet;
  private final EngineListener listener;
  private final Memtable empty;
  private final Memtables memtables;
  private final PartitionReaders readers = new PartitionReaders(READERS_AT_REST);
  private final ReadSources sources;
  private final QueryFactory queries;
  private final Handles handles;
  private final TableReads reads;
  private final Gate gate;

  OfflineReads(
      TableId id,
      TableSchema schema,
      Partitioner partitioner,
      LiveSet liveSet,
      MemoryBudget budget,
      InstantSource clock,
      GuardedListener listener) {
    this.id = id;
    this.partitioner = partitioner;
    this.clock = clock;
    this.liveSet = liveSet;
    this.listener = listener;
    TableEncoding encoding = TableEncoding.of(schema);
    this.empty = new Memtable(encoding.rows(), 1, budget);
    this.memtables = Memtables.of(empty);
    this.sources = sources(schema, encoding);
    this.queries = new QueryFactory(schema, partitioner);
    this.gate = new Gate(id.toString());
    this.handles = new Handles(listener);
    this.reads = new TableReads(this, handles);
  }

  private ReadSources sources(TableSchema schema, TableEncoding encoding) {
    return new ReadSources(
        schema,
        encoding,
        () -> memtables,
        liveSet,
        readers,
        SequentialAccess.SCAN,
        new ReadStatistics(),
        new SlowReads(id, Long.MAX_VALUE, listener),
        new CorruptionReports(id, listener));
  }

  /** Begins queries of the table. */
  public QueryFactory queries() {
    gate.enter();
    try {
      return queries;
    } finally {
      gate.leave();
    }
  }

  /**
   * Returns the rows of a query.
   *
   * @return the rows, to be closed by the caller
   */
  public LiveRows rows(Query query) {
    gate.enter();
    try {
      return reads.rows(query);
    } finally {
      gate.leave();
    }
  }

  /**
   * Returns a columnar reader of a query.
   *
   * @return the reader, to be closed by the caller
   */
  public ColumnarReader columns(Query query) {
    gate.enter();
    try {
      return reads.columns(query);
    } finally {
      gate.leave();
    }
  }

  /** Estimates the size of a range of partitions. */
  public TableEstimate estimate(PartitionRange range) throws IOException {
    gate.enter();
    try {
      return reads.estimate(range);
    } finally {
      gate.leave();
    }
  }

  /** Divides the table into splits of about so many bytes before compression. */
  public List<Split> splits(long bytes) throws IOException {
    gate.enter();
    try {
      return reads.splits(bytes);
    } finally {
      gate.leave();
    }
  }

  @Override
  public TableId id() {
    return id;
  }

  @Override
  public Partitioner partitioner() {
    return partitioner;
  }

  @Override
  public long nowSeconds() {
    return clock.instant().getEpochSecond();
  }

  @Override
  public ReadSources reads() {
    return sources;
  }

  @Override
  public ReadSources readsBy(TableSchema other) {
    return sources(other, TableEncoding.of(other));
  }

  @Override
  public String refusalOf(TableSchema made) {
    return " is not of " + this;
  }

  @Override
  public String toString() {
    return id.toString();
  }

  @Override
  public void close() throws IOException {
    if (!gate.close()) {
      return;
    }
    gate.awaitEmpty();
    try (readers) {
      handles.close();
    } finally {
      empty.release();
    }
  }
}
