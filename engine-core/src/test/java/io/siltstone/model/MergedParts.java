package io.siltstone.model;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableReader;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.rows.Row;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an engine without what holds them together: each table is some memtables, of which
 * each write takes any, and some SSTables, and a read merges all of them.
 */
final class MergedParts implements EngineUnderTest {
  private static final int MEMTABLES = 3;
  private static final int SHARDS = 4;

  private final Partitioner partitioner;
  private final MemoryBudget memory;
  private final Random random;
  private final SteppedClock clock;
  private final WriteClock timestamps;
  private final ListPaths paths;
  private final Map<String, Parts> tables = new TreeMap<>();

  MergedParts(Sequence sequence, SteppedClock clock, MemoryBudget memory) {
    this.partitioner = sequence.partitioner();
    this.memory = memory;
    this.random = new Random(sequence.seed());
    this.clock = clock;
    this.timestamps = WriteClock.following(clock);
    this.paths = new ListPaths(clock, 1);
  }

  private Parts table(String name) {
    Parts parts = tables.get(name);
    if (parts == null) {
      throw new IllegalArgumentException("no table " + name);
    }
    return parts;
  }

  @Override
  public void create(TableDefinition table) {
    tables.put(table.name(), new Parts(table.schema()));
  }

  @Override
  public void write(List<Change.Stamped> changes) throws IOException {
    for (Change.Stamped change : changes) {
      table(change.change().table()).write(change.change());
    }
  }

  @Override
  public boolean canWrite(TableSchema schema, Change change, long timestamp) {
    Parts parts = table(change.table());
    return EngineCalls.isWithoutContradiction(
        parts.mutations.mutation(change.key().toArray()), parts.schema, change, timestamp);
  }

  @Override
  public boolean writeIf(
      Change.Stamped change, List<Object> clustering, List<Requirement> requirements)
      throws IOException {
    Parts table = table(change.change().table());
    @Nullable Row row = table.row(change.change().key(), clustering);
    for (Requirement requirement : requirements) {
      if (!requirement
          .condition()
          .bind(table.schema)
          .test(row == null ? null : row::getSerialized)) {
        return false;
      }
    }
    table.write(change.change());
    return true;
  }

  @Override
  public List<Map<String, @Nullable Object>> answer(Question question) throws IOException {
    Parts table = table(question.table());
    return EngineCalls.answer(question, table.schema, partitioner, table::read);
  }

  @Override
  public void flush(String table) throws IOException {
    table(table).flush();
  }

  @Override
  public void reopen() throws IOException {
    for (Parts table : tables.values()) {
      table.reopen();
    }
  }

  @Override
  public void truncate(String table) throws IOException {
    table(table).close();
  }

  @Override
  public void compact(String table, long seed) throws IOException {
    table(table).compact(new Random(seed));
  }

  @Override
  public void alter(String table, String cql, long timestamp) {
    table(table).alter(cql, timestamp);
  }

  @Override
  public void close() throws IOException {
    for (Parts table : tables.values()) {
      table.close();
    }
  }

  /** One table. */
  private final class Parts {
    private final Directory directory = new MemoryDirectory();
    private final List<Memtable> memtables = new ArrayList<>();
    private final List<SSTable> sstables = new ArrayList<>();
    private TableSchema schema;
    private MutationFactory mutations;
    private int generation;

    Parts(TableSchema schema) {
      this.schema = schema;
      this.mutations = mutations();
    }

    private MutationFactory mutations() {
      RowEncoding encoding = RowEncoding.of(schema, EncodingStats.NONE, random.nextBoolean());
      return new MutationFactory(schema, encoding, partitioner, timestamps, paths);
    }

    void write(Change change) throws IOException {
      Mutation mutation =
          EngineCalls.build(mutations.mutation(change.key().toArray()), schema, change);
      PartitionUpdate update = new PartitionUpdate(MutationFactory.encodingOf(mutation));
      MutationFactory.wrap(mutation, update);
      Memtable memtable = memtable();
      memtable.reserve(memtable.shardOf(update.key()), memtable.spaceFor(update));
      memtable.apply(update);
    }

    /** One that takes writes in the encoding of now. */
    private Memtable memtable() {
      List<Memtable> present =
          memtables.stream().filter(one -> one.encoding() == mutations.encoding()).toList();
      if (present.isEmpty() || (present.size() < MEMTABLES && random.nextInt(8) == 0)) {
        Memtable memtable = new Memtable(mutations.encoding(), SHARDS, memory);
        memtables.add(memtable);
        return memtable;
      }
      return present.get(random.nextInt(present.size()));
    }

    void flush() throws IOException {
      if (memtables.isEmpty()) {
        return;
      }
      Memtable memtable = memtables.remove(random.nextInt(memtables.size()));
      try (PartitionCursor rows = memtable.scan(PartitionRange.ALL)) {
        store(rows, memtable.encoding());
      }
      memtable.release();
    }

    private void store(PartitionCursor rows, RowEncoding encoding) throws IOException {
      FormatVersion version =
          encoding.latestDeletionTime() > Integer.MAX_VALUE || random.nextBoolean()
              ? random.nextBoolean() ? FormatVersion.OA : FormatVersion.DA
              : FormatVersion.NB;
      Descriptor descriptor = Descriptor.of(version, ++generation);
      SSTableWriterOptions options =
          SSTableWriterOptions.builder()
              .columnIndexSizeBytes(random.nextBoolean() ? 1024 : 16384)
              .compression(schema.options().compression())
              .expectedPartitions(10)
              .build();
      try (SSTableWriter writer =
          SSTableWriter.create(
              directory, descriptor, encoding.header(), partitioner, options, memory)) {
        while (rows.nextPartition()) {
          writer.add(rows);
        }
        if (writer.partitions() == 0) {
          return;
        }
        writer.commit();
      }
      SSTable table = SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory);
      sstables.add(table);
      new SSTableVerifier(table).verify(position -> {});
    }

    void reopen() throws IOException {
      for (int i = 0; i < sstables.size(); i++) {
        SSTable table = sstables.get(i);
        table.close();
        sstables.set(
            i, SSTable.open(directory, table.descriptor(), SSTableOptions.DEFAULT, memory));
      }
    }

    void compact(Random drawn) throws IOException {
      List<SSTable> inputs = new ArrayList<>(sstables);
      inputs.removeIf(table -> drawn.nextInt(3) == 0);
      if (inputs.isEmpty()) {
        return;
      }
      RowEncoding encoding = RowEncoding.of(schema, EncodingStats.NONE, true);
      List<PartitionCursor> cursors = new ArrayList<>();
      for (SSTable table : inputs) {
        cursors.add(table.scan());
      }
      try (MergeCursor merge =
          new MergeCursor(new TableEncoding(encoding, schema.droppedColumns()))) {
        merge.begin(cursors, false);
        store(merge, encoding);
      }
      for (SSTable table : inputs) {
        sstables.remove(table);
        table.close();
      }
    }

    void alter(String cql, long timestamp) {
      schema = SchemaParser.alter(schema, cql, timestamp);
      mutations = mutations();
    }

    @Nullable Row row(List<Object> key, List<Object> clustering) throws IOException {
      Query query =
          Query.builder(schema, partitioner)
              .partition(key.toArray())
              .row(clustering.toArray())
              .build();
      try (LiveRows rows = read(query)) {
        return rows.hasNext() ? rows.next() : null;
      }
    }

    LiveRows read(Query query) {
      return QueryFactory.open(query, query.nowSeconds().orElse(clock.seconds()), this::open);
    }

    private PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      boolean reversed = read instanceof Read.OfPartition of && of.reversed();
      List<PartitionCursor> cursors = new ArrayList<>();
      for (Memtable memtable : memtables) {
        if (read instanceof Read.OfPartition of) {
          MemtableReader reader = memtable.reader();
          cursors.add(reader);
          reader.seek(of.key(), of.slices(), reversed);
        } else {
          cursors.add(memtable.scan(((Read.OfRange) read).range()));
        }
      }
      for (SSTable table : sstables) {
        if (read instanceof Read.OfPartition of) {
          PartitionReader reader = table.reader();
          cursors.add(reader);
          reader.seek(of.key(), of.slices(), reversed);
        } else {
          cursors.add(table.scan(((Read.OfRange) read).range()));
        }
      }
      MergeCursor merge = new MergeCursor(TableEncoding.of(schema));
      merge.begin(cursors, reversed, cancelSignal);
      return merge;
    }

    /** Gives up all rows. */
    void close() throws IOException {
      memtables.forEach(Memtable::release);
      memtables.clear();
      for (SSTable table : sstables) {
        table.close();
      }
      sstables.clear();
    }
  }
}
