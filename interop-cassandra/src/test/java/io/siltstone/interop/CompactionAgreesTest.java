package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.compaction.task.CompactionTask;
import io.siltstone.compaction.task.DiskReservations;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.compaction.task.TaskProgress;
import io.siltstone.compaction.task.TaskResources;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.files.ReadThrottle;
import io.siltstone.io.NioDirectory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares compactions: for some SSTables of a table, with other SSTables beside them, this
 * engine's compaction leaves what Cassandra's leaves. Cassandra's {@code CompactionTask} gets the
 * same files, the same time and the same age from which tombstones may be purged. Its verifier and
 * reads accept this engine's files.
 *
 * <p>The comparison uses what Cassandra reads of both outputs after another merge, because
 * Cassandra's compaction passes a partition through that only one SSTable has: data that a deletion
 * in it covers stays there, and is removed here. Where there is none, statistics are compared too;
 * columns are always compared.
 */
class CompactionAgreesTest {
  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);
  private EngineTables engine;
  private int folders;

  static LongStream seeds() {
    return RandomCases.seeds(8);
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
      RandomWorkload workload =
          random.nextInt(4) > 0
              ? RandomWorkload.ofTies(seed, table, node.options())
              : new RandomWorkload(seed, table, node.options());
      for (int i = 1 + random.nextInt(5); i >= 0; i--) {
        if (random.nextInt(6) == 0) {
          workload.widen(100 + random.nextInt(300));
        }
        workload.run(10 + random.nextInt(60));
        // Both formats in one compaction.
        SelectedFormat.bySeed(node, random.nextInt());
        table.flush();
        if (random.nextInt(4) == 0) {
          dropColumn(random, table);
          workload.readColumns();
        }
        if (random.nextInt(4) == 0 && !table.metadata().isCounter()) {
          // The SSTables before do not have the column, and some after it may not.
          node.define(
              "ALTER TABLE "
                  + CassandraNode.KEYSPACE
                  + "."
                  + table.name()
                  + " ADD added"
                  + i
                  + (random.nextBoolean() ? " text" : " map<int, text>"));
          if (random.nextInt(3) > 0) {
            workload.readColumns();
          }
        }
      }
      check(table, random, "seed " + seed + "\n" + definition);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void onNamedScenarios(Scenario scenario) throws Exception {
    try (CassandraTable table = scenario.run(node)) {
      check(table, new Random(1), scenario.toString());
    }
  }

  /** Scrub and recompression of an undamaged SSTable keep all of its content and statistics. */
  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsScrubbedOrRecompressedStaysTheSame(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      CassandraTable table = test.table();
      table.flush();
      Random random = new Random(seed);
      if (random.nextBoolean()) {
        new RandomWorkload(seed + 1, table, node.options()).run(50);
        table.flush();
        table.compact();
      }
      TableSchema schema =
          // Cassandra 6 writes options that only its transactions have.
          SchemaParser.parseLeniently(CassandraTable.schemaText(table.metadata())).onlyTable();
      CompressionOptions compression = EngineTables.randomOptions(random, table).compression();
      schema = schema.withOptions(schema.options().toBuilder().compression(compression).build());
      for (Path input : table.export(folder())) {
        for (TaskOptions.Kind kind : List.of(TaskOptions.Kind.SCRUB, TaskOptions.Kind.RECOMPRESS)) {
          String what = "seed " + seed + ", " + kind + " to " + compression;
          long now = System.currentTimeMillis() / 1000;
          TaskOptions options = TaskOptions.builder(schema, now).kind(kind).build();
          Path output = runHere(List.of(input), List.of(0), options, what).get(0);
          assertThat(engine.read(output)).as(what).isEqualTo(engine.read(input));
          try (SSTable expected = engine.open(input);
              SSTable found = engine.open(output)) {
            assertThat(found.header()).as(what).isEqualTo(expected.header());
            assertThat(facts(found.statistics())).as(what).isEqualTo(facts(expected.statistics()));
            assertThat(found.compression()).as(what).isEqualTo(compression);
          }
          judge.examine(output, table);
        }
      }
    }
  }

  /** Drops a column, which may be added again; cells that are newer than the drop stay. */
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
    // 5.0.9 fails on newer cells of a collection that does not exist any more.
    boolean mayStay = returns || !column.isComplex();
    long micros = RandomWorkload.BASE_MICROS + (mayStay ? random.nextInt(3) : 1_000_000);
    node.define(alter + " DROP " + name + " USING TIMESTAMP " + micros);
    if (returns) {
      String type = column.type.asCQL3Type().toString();
      node.define(alter + " ADD " + name + " " + type + (column.isStatic() ? " STATIC" : ""));
    }
  }

  private void check(CassandraTable table, Random random, String what) throws Exception {
    List<Path> inputs = table.export(folder());
    if (inputs.isEmpty()) {
      return;
    }
    long now = System.currentTimeMillis() / 1000;
    // Purge nothing, everything, the older half of the history, or by the usual age.
    long[] ages = {
      2_000_000_000L,
      0,
      now - RandomWorkload.BASE_SECONDS - (random.nextInt(4) == 0 ? 50_000 : 1),
      864_000
    };
    int age = (int) ages[random.nextInt(ages.length)];
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      if (random.nextInt(4) > 0) {
        chosen.add(i);
      }
    }
    if (chosen.isEmpty()) {
      chosen.add(random.nextInt(inputs.size()));
    }
    // The compaction may find out what other SSTables cover of its inputs. 5.0.9 then loses a
    // counter to a tombstone elsewhere that is older than a deletion of the inputs' row.
    OverlappingTombstones beside =
        random.nextInt(3) > 0
            ? OverlappingTombstones.NONE
            : random.nextBoolean() || table.metadata().isCounter()
                ? OverlappingTombstones.ROW
                : OverlappingTombstones.CELL;
    what =
        what
            + "\nof "
            + inputs.size()
            + " SSTables "
            + chosen
            + ", now "
            + now
            + ", age "
            + age
            + ", tombstones beside "
            + beside;
    TableSchema schema =
        SchemaParser.parseLeniently(CassandraTable.schemaText(table.metadata())).onlyTable();
    schema = schema.withOptions(schema.options().toBuilder().gcGraceSeconds(age).build());
    TaskOptions options =
        TaskOptions.builder(schema, now)
            .overlappingTombstones(beside)
            .split(random.nextInt(3) == 0 ? new Split.BySize(2000) : Split.NONE)
            .resources(
                new TaskResources(
                    1 + random.nextInt(3),
                    PipelineExecutors.NONE,
                    OutputVerification.STRUCTURE,
                    SequentialAccess.DEFAULT_READ_AHEAD_BYTES,
                    ReadThrottle.NONE,
                    new DiskReservations()))
            .build();
    List<Path> ours = runHere(inputs, chosen, options, what);

    node.define(
        "ALTER TABLE "
            + CassandraNode.KEYSPACE
            + "."
            + table.name()
            + " WITH compaction = {'class': 'SizeTieredCompactionStrategy',"
            + " 'provide_overlapping_tombstones': '"
            + beside
            + "'}");
    table.store().disableAutoCompaction();
    table.store().truncateBlockingWithoutSnapshot();
    table.adopt(inputs);
    List<Path> adopted = table.liveDataFiles();
    Set<String> outside = new HashSet<>();
    Set<SSTableReader> taken = new HashSet<>();
    for (SSTableReader sstable : table.store().getLiveSSTables()) {
      int index = adopted.indexOf(Path.of(sstable.getFilename()));
      if (chosen.contains(index)) {
        taken.add(sstable);
      } else {
        outside.add(sstable.getFilename());
      }
    }
    try (LifecycleTransaction transaction =
        table.store().getTracker().tryModify(taken, OperationType.COMPACTION)) {
      new org.apache.cassandra.db.compaction.CompactionTask(table.store(), transaction, now - age)
          .execute(ActiveCompactionsTracker.NOOP);
    }
    List<SSTableReader> theirs = new ArrayList<>(table.store().getLiveSSTables());
    boolean isAlone = beside == OverlappingTombstones.NONE;
    String expected = isAlone ? "" : merged(theirs);
    theirs.removeIf(sstable -> outside.contains(sstable.getFilename()));
    if (isAlone) {
      expected = merged(theirs);
      agreesAboutEachSSTable(ours, theirs, chosenOf(inputs, chosen), schema, what);
    }

    table.store().truncateBlockingWithoutSnapshot();
    table.adopt(ours);
    if (!isAlone) {
      // It omits a deletion that is the same elsewhere, which stays here.
      List<Path> others = new ArrayList<>(inputs);
      others.removeAll(chosenOf(inputs, chosen));
      table.adopt(others);
    }
    assertThat(merged(table.store().getLiveSSTables())).as(what).isEqualTo(expected);
    for (Path output : ours) {
      engine.read(output);
      if (table.metadata().droppedColumns.isEmpty()) {
        // Its reads by key omit dropped columns, its scans do not.
        judge.examine(output, table);
      }
    }
  }

  private static List<Path> chosenOf(List<Path> inputs, List<Integer> chosen) {
    return chosen.stream().map(inputs::get).toList();
  }

  /**
   * Checks that headers are the same, and for one SSTable with the same content, statistics too.
   */
  private void agreesAboutEachSSTable(
      List<Path> ours,
      List<SSTableReader> theirs,
      List<Path> inputs,
      TableSchema schema,
      String what)
      throws IOException {
    if (ours.isEmpty() || theirs.isEmpty()) {
      return;
    }
    Path their = Path.of(theirs.get(0).getFilename());
    Set<String> gone = goneColumns(inputs, schema);
    try (SSTable expected = engine.open(their)) {
      for (Path our : ours) {
        try (SSTable found = engine.open(our)) {
          SerializationHeader header = found.header();
          assertThat(header.keyType()).as(what).isEqualTo(expected.header().keyType());
          assertThat(header.clusteringTypes())
              .as(what)
              .isEqualTo(expected.header().clusteringTypes());
          for (boolean isStatic : new boolean[] {true, false}) {
            assertThat(columns(header, isStatic, schema, Set.of()))
                .as(what)
                .isEqualTo(columns(expected.header(), isStatic, schema, gone));
          }
        }
      }
      if (ours.size() == 1
          && theirs.size() == 1
          && engine.read(ours.get(0)).equals(engine.read(their))) {
        try (SSTable found = engine.open(ours.get(0))) {
          assertThat(facts(found.statistics())).as(what).isEqualTo(facts(expected.statistics()));
        }
      }
    }
  }

  /** Returns the dropped columns of which no input has a cell that is newer than the drop. */
  private Set<String> goneColumns(List<Path> inputs, TableSchema schema) throws IOException {
    Set<String> gone = new HashSet<>();
    Set<String> there = new HashSet<>();
    for (Path input : inputs) {
      try (SSTable table = engine.open(input)) {
        long newest = table.statistics().stats().maxTimestamp();
        for (boolean isStatic : new boolean[] {true, false}) {
          for (HeaderColumn column : table.header().columns(isStatic)) {
            boolean isGone =
                schema.column(column.name()).isEmpty()
                    && newest
                        <= schema.droppedColumn(column.name()).orElseThrow().droppedAtMicros();
            (isGone ? gone : there).add(column.name());
          }
        }
      }
    }
    gone.removeAll(there);
    return gone;
  }

  /** Returns the columns, with the types of dropped ones as Cassandra stores them. */
  private static List<String> columns(
      SerializationHeader header, boolean isStatic, TableSchema schema, Set<String> without) {
    return header.columns(isStatic).stream()
        .filter(column -> !without.contains(column.name()))
        .map(
            column ->
                column.name()
                    + (schema.column(column.name()).isPresent() ? " " + column.type() : ""))
        .toList();
  }

  /** Returns all statistics that do not depend on delta bases and compression. */
  private static String facts(Statistics statistics) {
    StatsMetadata stats = statistics.stats();
    return String.join(
        "\n",
        "cells " + stats.cellsPerPartition(),
        // Cassandra merges those that touch, or not, by the order of the inputs.
        "log "
            + stats.commitLogIntervals().union(CommitLogIntervals.NONE)
            + " of "
            + stats.originatingHostId(),
        "timestamps " + stats.minTimestamp() + " " + stats.maxTimestamp(),
        "deletion times " + stats.minLocalDeletionTime() + " " + stats.maxLocalDeletionTime(),
        "ttls " + stats.minTtl() + " " + stats.maxTtl(),
        "tombstones " + stats.tombstoneTimes(),
        "level " + stats.level() + ", " + stats.repair(),
        "covered " + stats.coveredClustering(),
        "legacy counters " + stats.hasLegacyCounterShards(),
        "columns set " + stats.totalColumnsSet() + ", rows " + stats.totalRows(),
        "partition deletions " + stats.hasPartitionDeletions(),
        "keys " + stats.keyRange().isPresent() + stats.keyRange().map(Object::hashCode),
        "cardinality " + statistics.compaction().cardinality().estimate());
  }

  /** Compacts with this engine; returns the outputs. */
  private List<Path> runHere(
      List<Path> inputs, List<Integer> chosen, TaskOptions options, String what)
      throws IOException {
    Path folder = folder();
    Set<Descriptor> taken = new HashSet<>();
    Set<Descriptor> outside = new HashSet<>();
    for (int i = 0; i < inputs.size(); i++) {
      Descriptor from = EngineTables.descriptor(inputs.get(i));
      Descriptor to = Descriptor.of(from.version(), i + 1);
      for (Component component : Component.values()) {
        Path file = inputs.get(i).resolveSibling(from.fileName(component));
        if (Files.exists(file)) {
          Files.copy(file, folder.resolve(to.fileName(component)));
        }
      }
      (chosen.contains(i) ? taken : outside).add(to);
    }
    Partitioner partitioner =
        node.options().partitioner() == NodeOptions.Partitioner.MURMUR3
            ? Partitioner.MURMUR3
            : Partitioner.BYTE_ORDERED;
    LiveSetOptions opening =
        LiveSetOptions.builder(
                (in, descriptor) ->
                    SSTable.open(in, descriptor, SSTableOptions.DEFAULT, engine.budget()))
            .partitioner(partitioner)
            .originatingHostId(StorageService.instance.getLocalHostUUID())
            .version(SelectedFormat.randomVersion(node, new Random(what.hashCode())))
            .build();
    List<Path> outputs = new ArrayList<>();
    try (LiveSet set =
        LiveSet.open(NioDirectory.open(folder), options.schema(), opening, engine.budget())) {
      try (Claim claim = set.claim(taken).orElseThrow()) {
        JobReport report = new CompactionTask(claim, options, new TaskProgress()).run();
        assertThat(report.losses()).isEmpty();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(what + ": " + e, e);
      }
      for (LiveTable live : set.live().tables()) {
        if (!outside.contains(live.descriptor())) {
          outputs.add(folder.resolve(live.descriptor().fileName(Component.DATA)));
        }
      }
    }
    return outputs;
  }

  /** Returns all partitions with any remaining content, as Cassandra reads them. */
  private static String merged(Iterable<SSTableReader> sstables) {
    List<ISSTableScanner> scanners = new ArrayList<>();
    for (SSTableReader sstable : sstables) {
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
          if (!partition.isEmpty()) {
            CassandraText.partition(text, partition);
          }
        }
      }
    }
    return text.toString();
  }

  private Path folder() throws IOException {
    return Files.createDirectory(directory.resolve("f" + folders++));
  }
}
