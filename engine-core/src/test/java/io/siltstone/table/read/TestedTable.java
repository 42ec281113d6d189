package io.siltstone.table.read;

import io.siltstone.cache.ReadCaches;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableReader;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.ItemEncoder;
import io.siltstone.sstable.ModelTables;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table with memtables and a live set, written to by one thread and read by any. */
final class TestedTable implements Closeable {
  /** Seconds since 1970; the clock stands still. */
  static final long NOW = 1_700_000_000L;

  private final LiveSet liveSet;
  private final PartitionReaders readers = new PartitionReaders(16);
  private final ReadSources sources;
  private final MutationFactory mutations;
  private final MemoryBudget memory;
  private volatile Memtables memtables;
  private volatile @Nullable Runnable disturbance;

  TestedTable(TableSchema schema, Partitioner partitioner, Directory directory, MemoryBudget memory)
      throws IOException {
    this(schema, partitioner, directory, ReadCaches.NONE, memory);
  }

  TestedTable(
      TableSchema schema,
      Partitioner partitioner,
      Directory directory,
      ReadCaches caches,
      MemoryBudget memory)
      throws IOException {
    this.memory = memory;
    LiveSetOptions options =
        LiveSetOptions.builder(
                (of, descriptor) ->
                    SSTable.open(of, descriptor, SSTableOptions.DEFAULT, caches, memory))
            .partitioner(partitioner)
            .build();
    this.liveSet = LiveSet.open(directory, schema, options, memory);
    TableId id = new TableId("ks", "t", new UUID(0, 0));
    this.sources =
        new ReadSources(
            schema,
            TableEncoding.of(schema),
            this::takeMemtables,
            liveSet,
            readers,
            SequentialAccess.SCAN,
            new ReadStatistics(),
            new SlowReads(id, Long.MAX_VALUE, EngineListener.NONE),
            new CorruptionReports(id, EngineListener.NONE));
    InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(NOW));
    this.mutations =
        new MutationFactory(
            schema, encoding(), partitioner, WriteClock.following(clock), new ListPaths(clock, 7));
    this.memtables = Memtables.of(newMemtable());
  }

  static TestedTable of(String cql, Directory directory, MemoryBudget memory) throws IOException {
    return new TestedTable(
        SchemaParser.parse(cql).onlyTable(), Partitioner.MURMUR3, directory, memory);
  }

  /** Runs something once, after the next reader has taken the memtables, before it goes on. */
  void disturbNextReader(Runnable by) {
    disturbance = by;
  }

  private Memtables takeMemtables() {
    Memtables taken = memtables;
    Runnable present = disturbance;
    disturbance = null;
    if (present != null) {
      present.run();
    }
    return taken;
  }

  private Memtable newMemtable() {
    return new Memtable(encoding(), 4, memory);
  }

  RowEncoding encoding() {
    return sources.encoding().rows();
  }

  ReadSources sources() {
    return sources;
  }

  LiveSet liveSet() {
    return liveSet;
  }

  Memtables memtables() {
    return memtables;
  }

  MutationBuilder mutation(Object... key) {
    return mutations.mutation(key);
  }

  void write(Mutation mutation) throws IOException {
    PartitionUpdate update = new PartitionUpdate(encoding());
    MutationFactory.wrap(mutation, update);
    memtables.active().apply(update);
  }

  /** Writes all of a model, which has the table's columns, into the memtable. */
  void write(TableModel model) throws IOException {
    PartitionUpdate update = new PartitionUpdate(encoding());
    ItemEncoder encoder = new ItemEncoder(encoding());
    for (TableModel.Partition partition : model.partitions()) {
      update.begin(partition.key());
      if (!partition.deletion().isLive()) {
        update.deletion(partition.deletion().timestamp(), partition.deletion().localTime());
      }
      List<Item> items = new ArrayList<>(partition.items());
      if (partition.staticRow() != null) {
        items.add(0, partition.staticRow());
      }
      for (Item item : items) {
        encoder.encode(item);
        update.add(encoder.encoder());
      }
      memtables.active().apply(update);
    }
  }

  /** Writes a model as an SSTable. */
  void writeTable(TableModel model) throws IOException {
    try (Claim claim = liveSet.beginFlush(CommitLogIntervals.NONE)) {
      ModelTables.write(
          model, claim.newOutput(OutputHints.of(model.header(), model.partitions().size())));
      claim.commit();
    }
  }

  /** Begins the flush of what was written so far: it is read on from a memtable. */
  Memtable switchMemtable() {
    Memtable full = memtables.active();
    memtables = memtables.switchedTo(newMemtable());
    return full;
  }

  /** Writes a memtable that is being flushed as an SSTable, makes that live, gives it up. */
  void flush(Memtable full) throws IOException {
    if (!full.isEmpty()) {
      try (Claim claim = liveSet.beginFlush(CommitLogIntervals.NONE);
          PartitionCursor cursor = full.scan(PartitionRange.ALL)) {
        copy(cursor, claim.newOutput(OutputHints.of(header(), full.statistics().partitions())));
        claim.commit();
      }
    }
    memtables = memtables.without(full);
    full.release();
  }

  void flush() throws IOException {
    flush(switchMemtable());
  }

  /** Merges all SSTables, if there are any, into one. */
  void compact() throws IOException {
    View view = liveSet.acquire();
    List<Descriptor> all;
    try {
      all = view.byFirstKey().stream().map(SSTable::descriptor).toList();
    } finally {
      view.release();
    }
    if (all.isEmpty()) {
      return;
    }
    try (Claim claim = liveSet.claim(all.stream().collect(Collectors.toSet())).orElseThrow();
        MergeCursor merge = new MergeCursor(sources.encoding())) {
      List<PartitionCursor> scans = new ArrayList<>();
      for (SSTable table : claim.inputs()) {
        scans.add(table.scan());
      }
      merge.begin(scans, false);
      copy(merge, claim.newOutput(OutputHints.of(header(), 100)));
      claim.commit();
    }
  }

  private SerializationHeader header() {
    SerializationHeader header = encoding().header();
    return new SerializationHeader(
        header.keyType(),
        header.clusteringTypes(),
        header.staticColumns(),
        header.regularColumns(),
        EncodingStats.NONE);
  }

  private static void copy(PartitionCursor from, SSTableWriter to) throws IOException {
    while (from.nextPartition()) {
      to.startPartition(from.key(), from.deletionTimestamp(), from.deletionLocalTime());
      while (from.nextUnfiltered()) {
        to.add(from.unfiltered());
      }
      to.endPartition();
    }
  }

  /** A merge of all memtables and all SSTables, whatever they have. */
  List<String> readAll(Read.OfPartition read, long now) throws IOException {
    View view = liveSet.acquire();
    List<PartitionCursor> cursors = new ArrayList<>();
    try (MergeCursor merge = new MergeCursor(sources.encoding())) {
      for (int i = 0; i < memtables.size(); i++) {
        MemtableReader reader = memtables.get(i).reader();
        reader.seek(read.key(), read.slices(), read.reversed());
        cursors.add(reader);
      }
      for (SSTable table : view.byFirstKey()) {
        PartitionReader reader = table.reader();
        cursors.add(reader);
        reader.seek(read.key(), read.slices(), read.reversed());
      }
      merge.begin(cursors, read.reversed());
      return LiveLines.of(merge, now);
    } finally {
      view.release();
    }
  }

  /** As {@link #readAll(Read.OfPartition, long)}, of a range of partitions. */
  List<String> scanAll(Read.OfRange read, long now) throws IOException {
    View view = liveSet.acquire();
    List<PartitionCursor> cursors = new ArrayList<>();
    try (MergeCursor merge = new MergeCursor(sources.encoding())) {
      for (int i = 0; i < memtables.size(); i++) {
        cursors.add(memtables.get(i).scan(read.range()));
      }
      for (SSTable table : view.byFirstKey()) {
        cursors.add(table.scan(read.range()));
      }
      merge.begin(cursors, false);
      return LiveLines.of(merge, now);
    } finally {
      view.release();
    }
  }

  /** Gives back what readers at rest hold. */
  void restReaders() {
    readers.clear();
  }

  /** What lives of a partition by the read under test. */
  List<String> read(Read.OfPartition read, long now) throws IOException {
    try (PartitionCursor cursor = sources.open(read)) {
      return LiveLines.of(cursor, now);
    }
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < memtables.size(); i++) {
      memtables.get(i).release();
    }
    try (liveSet) {
      readers.close();
    }
  }
}
