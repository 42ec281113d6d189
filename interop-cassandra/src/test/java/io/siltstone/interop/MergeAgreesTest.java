package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.io.NioDirectory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.context.CounterContext;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.CounterId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For overlapping SSTables, this engine's merge returns what Cassandra's returns: partition by
 * partition, row by row, cell by cell, marker by marker, forward, reversed and in slices. Cassandra
 * compacts the merged SSTable to the same content as the SSTables themselves.
 */
class MergeAgreesTest {
  private static final int SLICED_PARTITIONS = 4;
  private static final int SLICED_READS = 8;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);
  private EngineTables engine;
  private int folders;

  static LongStream seeds() {
    return RandomCases.seeds(7);
  }

  static LongStream fewSeeds() {
    return RandomCases.seeds(5);
  }

  static Stream<Scenario> scenarios() {
    return Scenario.ofMerges();
  }

  @BeforeEach
  void open() {
    engine = new EngineTables();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomTables(long seed) throws Exception {
    String name = node.newTableName();
    RandomTable definition = RandomTable.of(seed, name, node.options());
    Random random = new Random(seed);
    try (CassandraTable table =
        CassandraTable.create(node, name, definition.createTypes(), definition.createTable())) {
      List<Path> inputs = new ArrayList<>();
      // Few distinct seconds, paths and values, or an ordinary history.
      RandomWorkload workload =
          random.nextInt(4) > 0
              ? RandomWorkload.ofTies(seed, table, node.options())
              : new RandomWorkload(seed, table, node.options());
      for (int i = 1 + random.nextInt(5); i >= 0; i--) {
        if (random.nextInt(6) == 0) {
          workload.widen(100 + random.nextInt(300));
        }
        workload.run(10 + random.nextInt(60));
        // Both formats in one merge.
        SelectedFormat.bySeed(node, random.nextInt());
        table.flush();
        if (random.nextInt(4) == 0) {
          dropColumn(random, table);
          workload.readColumns();
        }
      }
      for (Path theirs : table.export(folder())) {
        inputs.add(random.nextBoolean() ? theirs : rewritten(theirs, random, table));
        if (random.nextInt(8) == 0) {
          inputs.add(theirs); // as after a compaction that was not finished
        }
      }
      check(table, inputs, random, "seed " + seed + "\n" + definition);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void onNamedScenarios(Scenario scenario) throws Exception {
    try (CassandraTable table = scenario.run(node)) {
      check(table, table.export(folder()), new Random(1), scenario.toString());
    }
  }

  /** Shards of any kind, of several nodes; statements make only this node's own, of one kind. */
  @ParameterizedTest
  @MethodSource("fewSeeds")
  void onCountersOfSeveralNodes(long seed) throws Exception {
    Random random = new Random(seed);
    String name = node.newTableName();
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE ks."
                + name
                + " (k int, c int, n counter, s counter static, PRIMARY KEY (k, c))"
                + " WITH gc_grace_seconds = 2000000000")) {
      for (int sstable = 2 + random.nextInt(3); sstable > 0; sstable--) {
        for (int i = 0; i < 60; i++) {
          boolean ofStatic = random.nextInt(5) == 0;
          ColumnMetadata column =
              table.metadata().getColumn(ByteBufferUtil.bytes(ofStatic ? "s" : "n"));
          Row.Builder row = BTreeRow.sortedBuilder();
          row.newRow(
              ofStatic
                  ? Clustering.STATIC_CLUSTERING
                  : Clustering.make(ByteBufferUtil.bytes(random.nextInt(20))));
          long timestamp = 1 + random.nextLong(3);
          row.addCell(
              random.nextInt(10) == 0
                  ? BufferCell.tombstone(column, timestamp, 1_700_000_000L + random.nextInt(2))
                  : BufferCell.live(column, timestamp, randomCounter(random)));
          new Mutation(
                  PartitionUpdate.singleRowUpdate(
                      table.metadata(), ByteBufferUtil.bytes(random.nextInt(2)), row.build()))
              .applyUnsafe();
        }
        table.flush();
      }
      check(table, table.export(folder()), random, "seed " + seed);
    }
  }

  private static ByteBuffer randomCounter(Random random) {
    List<Integer> ids = new ArrayList<>(List.of(1, 2, 3, 4));
    Collections.shuffle(ids, random);
    List<Integer> chosen = new TreeSet<>(ids.subList(0, 1 + random.nextInt(4))).stream().toList();
    int[] kinds = chosen.stream().mapToInt(id -> random.nextInt(3)).toArray();
    int[] counts = new int[3];
    for (int kind : kinds) {
      counts[kind]++;
    }
    CounterContext.ContextState state =
        CounterContext.ContextState.allocate(counts[0], counts[1], counts[2]);
    for (int i = 0; i < kinds.length; i++) {
      CounterId id = CounterId.fromInt(chosen.get(i));
      long clock = random.nextInt(8) == 0 ? -1 - random.nextInt(2) : 1 + random.nextInt(3);
      long count = random.nextLong(5) - 1;
      switch (kinds[i]) {
        case 0 -> state.writeGlobal(id, clock, count);
        case 1 -> state.writeLocal(id, clock, count);
        default -> state.writeRemote(id, clock, count);
      }
    }
    return state.context;
  }

  /** Drops a column, and often adds it again; some of its cells are removed in between. */
  private void dropColumn(Random random, CassandraTable table) {
    List<ColumnMetadata> candidates = new ArrayList<>();
    for (ColumnMetadata column : table.metadata().regularAndStaticColumns()) {
      // Neither kind can be dropped at a chosen time, or added again.
      if (!column.type.isCounter() && !(column.type.isUDT() && column.type.isMultiCell())) {
        candidates.add(column);
      }
    }
    if (candidates.isEmpty()) {
      return;
    }
    ColumnMetadata column = candidates.get(random.nextInt(candidates.size()));
    String name = column.name.toCQLString();
    String alter = "ALTER TABLE " + CassandraNode.KEYSPACE + "." + table.name();
    // Cassandra stores a dropped column's user-defined types as tuples, and rejects another type.
    boolean returns = random.nextInt(3) > 0 && column.type.expandUserTypes().equals(column.type);
    // If a column is not added again, Cassandra keeps cells from after the drop, which this engine
    // hides.
    long micros = returns ? RandomWorkload.BASE_MICROS + random.nextInt(3) : Long.MAX_VALUE;
    node.define(alter + " DROP " + name + " USING TIMESTAMP " + micros);
    if (returns) {
      String type = column.type.asCQL3Type().toString();
      node.define(alter + " ADD " + name + " " + type + (column.isStatic() ? " STATIC" : ""));
    }
  }

  /** Returns a copy written by this engine, with its own delta bases, in either version. */
  private Path rewritten(Path theirs, Random random, CassandraTable table) throws Exception {
    SerializationHeader header;
    try (SSTable source = engine.open(theirs)) {
      header = source.header();
    }
    if (random.nextBoolean()) {
      header = EngineTables.onOtherBases(header);
    }
    FormatVersion version = EngineTables.descriptor(theirs).version();
    boolean fitsOlder = header.stats().minLocalDeletionTime() < Integer.MAX_VALUE;
    if (version != FormatVersion.NB && fitsOlder && random.nextBoolean()) {
      try {
        return engine.rewrite(
            theirs, folder(), FormatVersion.NB, header, EngineTables.randomOptions(random, table));
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("local deletion time"); // of after 2038
      }
    }
    return engine.rewrite(
        theirs, folder(), version, header, EngineTables.randomOptions(random, table));
  }

  private void check(CassandraTable table, List<Path> inputs, Random random, String what)
      throws Exception {
    TableSchema schema =
        SchemaParser.parse(CassandraTable.schemaText(table.metadata())).onlyTable();
    TableEncoding encoding = TableEncoding.of(schema);
    table.store().truncateBlockingWithoutSnapshot();
    table.adopt(inputs);
    List<SSTable> ours = new ArrayList<>();
    try {
      for (Path input : inputs) {
        ours.add(engine.open(input));
      }
      List<DecoratedKey> keys = new ArrayList<>();
      String expected = theirMerge(table, keys);
      assertThat(ourMerge(encoding, ours)).as(what).isEqualTo(expected);
      List<Slice> everything = List.of(Slice.all(encoding.rows()));
      for (DecoratedKey key : keys) {
        for (boolean reversed : new boolean[] {false, true}) {
          assertThat(ourPartition(encoding, ours, key, everything, reversed))
              .as("%s of %s%s", key, what, reversed ? ", reversed" : "")
              .isEqualTo(theirPartition(table, key, Slices.ALL, reversed));
        }
      }
      checkSlices(table, encoding, ours, keys, random, what);
      Path merged = writeMerged(schema, ours, random, table);
      if (!expected.isEmpty()) {
        assertThat(judge.canonical(merged)).as("%s, written", what).isEqualTo(expected);
      }
      table.compact();
      // Merged once more, because a compaction passes through what only one SSTable has.
      String compacted = theirMerge(table, new ArrayList<>());
      table.store().truncateBlockingWithoutSnapshot();
      table.adopt(expected.isEmpty() ? List.of() : List.of(merged));
      table.compact();
      assertThat(theirMerge(table, new ArrayList<>()))
          .as("%s, merged and compacted", what)
          .isEqualTo(compacted);
    } finally {
      for (SSTable source : ours) {
        source.close();
      }
    }
  }

  private void checkSlices(
      CassandraTable table,
      TableEncoding encoding,
      List<SSTable> ours,
      List<DecoratedKey> keys,
      Random random,
      String what)
      throws IOException {
    for (int i = 0; i < Math.min(SLICED_PARTITIONS, keys.size()); i++) {
      DecoratedKey key = keys.get(random.nextInt(keys.size()));
      List<ClusteringPrefix<?>> places = new ArrayList<>();
      try (UnfilteredRowIterator all = merged(table, key, Slices.ALL, false)) {
        all.forEachRemaining(unfiltered -> places.add(unfiltered.clustering()));
      }
      for (int read = 0; read < SLICED_READS; read++) {
        Slices slices = SlicesAgree.slices(random, table.metadata(), places);
        boolean reversed = random.nextBoolean();
        assertThat(
                ourPartition(
                    encoding, ours, key, SlicesAgree.ours(encoding.rows(), slices), reversed))
            .as("%s%s of %s of %s", slices, reversed ? " reversed" : "", key, what)
            .isEqualTo(theirPartition(table, key, slices, reversed));
      }
    }
  }

  /** Returns all partitions with any remaining content; their keys are added to the list. */
  private static String theirMerge(CassandraTable table, List<DecoratedKey> keys) {
    List<ISSTableScanner> scanners = new ArrayList<>();
    for (SSTableReader sstable : table.store().getLiveSSTables()) {
      scanners.add(sstable.getScanner());
    }
    if (scanners.isEmpty()) {
      return "";
    }
    CanonicalText text = CanonicalText.withoutCoveredColumns();
    try (UnfilteredPartitionIterator merged =
        UnfilteredPartitionIterators.merge(
            scanners, UnfilteredPartitionIterators.MergeListener.NOOP)) {
      while (merged.hasNext()) {
        try (UnfilteredRowIterator partition = merged.next()) {
          keys.add(partition.partitionKey());
          if (!partition.isEmpty()) {
            CassandraText.partition(text, partition);
          }
        }
      }
    }
    return text.toString();
  }

  private static String theirPartition(
      CassandraTable table, DecoratedKey key, Slices slices, boolean reversed) {
    CanonicalText text = CanonicalText.withoutCoveredColumns();
    try (UnfilteredRowIterator merged = merged(table, key, slices, reversed)) {
      if (!merged.isEmpty()) {
        CassandraText.partition(text, merged);
      }
    }
    return text.toString();
  }

  private static UnfilteredRowIterator merged(
      CassandraTable table, DecoratedKey key, Slices slices, boolean reversed) {
    List<UnfilteredRowIterator> sources = new ArrayList<>();
    for (SSTableReader sstable : table.store().getLiveSSTables()) {
      sources.add(
          sstable.rowIterator(
              key,
              slices,
              ColumnFilter.all(table.metadata()),
              reversed,
              SSTableReadsListener.NOOP_LISTENER));
    }
    return UnfilteredRowIterators.merge(sources);
  }

  private static String ourMerge(TableEncoding encoding, List<SSTable> tables) throws IOException {
    try (MergeCursor merge = new MergeCursor(encoding)) {
      merge.begin(scans(tables), false);
      return EngineText.of(merge);
    }
  }

  private static List<PartitionCursor> scans(List<SSTable> tables) throws IOException {
    List<PartitionCursor> scans = new ArrayList<>();
    for (SSTable table : tables) {
      scans.add(table.scan());
    }
    return scans;
  }

  private static String ourPartition(
      TableEncoding encoding,
      List<SSTable> tables,
      DecoratedKey key,
      List<Slice> slices,
      boolean reversed)
      throws IOException {
    byte[] bytes = ByteBufferUtil.getArray(key.getKey());
    List<PartitionReader> readers = new ArrayList<>();
    for (SSTable table : tables) {
      long token = table.partitioner().token(bytes, 0, bytes.length);
      PartitionReader reader = table.reader();
      readers.add(reader);
      reader.seek(PartitionKey.of(bytes, token), slices, reversed);
    }
    try (MergeCursor merge = new MergeCursor(encoding)) {
      merge.begin(readers, reversed);
      return EngineText.of(merge);
    }
  }

  /** Writes the merge into one SSTable of this engine. */
  private Path writeMerged(
      TableSchema schema, List<SSTable> tables, Random random, CassandraTable table)
      throws IOException {
    FormatVersion version = SelectedFormat.randomVersion(node, random);
    long timestamp = Long.MAX_VALUE;
    long localTime = Long.MAX_VALUE;
    for (SSTable source : tables) {
      timestamp = Math.min(timestamp, source.header().stats().minTimestamp());
      localTime = Math.min(localTime, source.header().stats().minLocalDeletionTime());
    }
    EncodingStats stats = new EncodingStats(timestamp, localTime, 0);
    RowEncoding rows = RowEncoding.of(schema, stats, version != FormatVersion.NB);
    TableEncoding target = new TableEncoding(rows, schema.droppedColumns());
    Path folder = folder();
    Descriptor descriptor = Descriptor.of(version, 1);
    try (MergeCursor merge = new MergeCursor(target)) {
      merge.begin(scans(tables), false);
      try (SSTableWriter writer =
          SSTableWriter.create(
              NioDirectory.open(folder),
              descriptor,
              rows.header(),
              tables.get(0).partitioner(),
              EngineTables.randomOptions(random, table),
              engine.budget())) {
        while (merge.nextPartition()) {
          writer.add(merge);
        }
        if (writer.partitions() > 0) {
          writer.commit();
        }
      }
    }
    return folder.resolve(descriptor.fileName(Component.DATA));
  }

  private Path folder() throws IOException {
    return Files.createDirectory(directory.resolve("f" + folders++));
  }
}
