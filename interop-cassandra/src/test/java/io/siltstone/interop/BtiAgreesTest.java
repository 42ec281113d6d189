package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.siltstone.cursor.Clustering;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.bti.ComparableClusterings;
import io.siltstone.sstable.bti.PartitionTrie;
import io.siltstone.sstable.bti.PartitionTrieCursor;
import io.siltstone.sstable.bti.RowTrieCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine writes the same {@code Partitions.db} and {@code Rows.db} as Cassandra in version
 * {@code da} or {@code ea}, byte for byte, and finds in Cassandra's files what is in the data.
 */
class BtiAgreesTest {
  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);
  private EngineTables engine;
  private FormatVersion version;

  static LongStream seeds() {
    return RandomCases.seeds(4);
  }

  static Stream<Scenario> scenarios() {
    return Scenario.ofRun(CassandraNode.get().options())
        .filter(scenario -> scenario.name().toLowerCase(Locale.ROOT).matches(".*(block|index).*"));
  }

  @BeforeEach
  void writeBti() {
    engine = new EngineTables();
    assumeThat(SelectedFormat.hasBti(node)).as("Cassandra 4 has no such format").isTrue();
    SelectedFormat.bti();
    version = node.options().written().get(1);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomTables(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.runInSelected(node, seed)) {
      test.table().flush();
      check(test.table(), new Random(seed), "seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void onNamedScenarios(Scenario scenario) throws Exception {
    try (CassandraTable table = scenario.runInSelected(node)) {
      check(table, new Random(1), scenario.toString());
    }
  }

  /** The keys take many pages; some begin with thousands of equal bytes. */
  @Test
  void onManyPartitions() throws Exception {
    long seed = Long.getLong("interop.seed", 1);
    Random random = new Random(seed);
    String name = node.newTableName();
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE ks." + name + " (k text PRIMARY KEY) WITH compression = {}")) {
      String common = "n".repeat(5000);
      for (int i = 0; i < 1500 * Integer.getInteger("interop.scale", 1); i++) {
        String key =
            random.nextInt(30) == 0
                ? common.substring(random.nextInt(5000)) + random.nextInt(20)
                : Integer.toString(random.nextInt(1 << 20), 36);
        table.execute(
            "INSERT INTO ks." + name + " (k) VALUES (?) USING TIMESTAMP 1",
            1_700_000_000L,
            List.of(UTF8Type.instance.decompose(key)));
      }
      table.flush();
      check(table, random, "seed " + seed);
    }
  }

  /** The separators take many pages; some have thousands of bytes. */
  @Test
  void onManyBlocks() throws Exception {
    long seed = Long.getLong("interop.seed", 1);
    Random random = new Random(seed);
    String name = node.newTableName();
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE ks."
                + name
                + " (k int, c text, d bigint, v text, PRIMARY KEY (k, c, d))"
                + " WITH CLUSTERING ORDER BY (c ASC, d DESC)")) {
      String value = "v".repeat(4000);
      String common = "n".repeat(9000);
      for (int i = 0; i < 400 * Integer.getInteger("interop.scale", 1); i++) {
        String clustering =
            random.nextInt(4) == 0
                ? common.substring(random.nextInt(9000)) + random.nextInt(20)
                : Integer.toString(random.nextInt(1 << 12), 36);
        String what = "'" + clustering + "', " + (random.nextLong() >> random.nextInt(64));
        String cql =
            random.nextInt(10) == 0
                ? "DELETE FROM ks.%s USING TIMESTAMP 5 WHERE k = 1 AND (c, d) >= (%s)"
                    + " AND (c) <= ('"
                    + clustering
                    + "z')"
                : "INSERT INTO ks.%s (k, c, d, v) VALUES (1, %s, '"
                    + value
                    + "') USING TIMESTAMP 9";
        table.execute(String.format(cql, name, what), 1_700_000_000L, List.of());
      }
      table.flush();
      check(table, random, "seed " + seed);
    }
  }

  private void check(CassandraTable table, Random random, String what) throws Exception {
    Path exported = Files.createDirectory(directory.resolve("theirs"));
    for (Path data : table.export(exported)) {
      String prefix = data.getFileName().toString().replace("Data.db", "");
      assertThat(prefix).startsWith(version.text() + "-").endsWith("-bti-");
      new Comparison(data, prefix, random, what + ", " + prefix).run(table);
    }
    CassandraNode.removeTree(exported);
  }

  /** Where a partition is, by its data. */
  private record Place(long position, long deletionTimestamp, List<Row> rows) {}

  /** A row or marker, and its offset from the partition's beginning. */
  private record Row(Clustering clustering, long offset) {}

  /** Compares the index of one SSTable. */
  private final class Comparison {
    private final Path data;
    private final String prefix;
    private final Random random;
    private final String what;
    private final Directory theirs;
    private final Statistics statistics;
    private final Partitioner partitioner;
    private final TreeMap<PartitionKey, Place> places = new TreeMap<>();

    Comparison(Path data, String prefix, Random random, String what) throws IOException {
      this.data = data;
      this.prefix = prefix;
      this.random = random;
      this.what = what;
      this.theirs = NioDirectory.open(data.getParent());
      this.statistics = Statistics.read(theirs, prefix + "Statistics.db", version);
      this.partitioner = Partitioner.ofClassName(statistics.validation().partitioner());
    }

    void run(CassandraTable table) throws IOException {
      Path target = Files.createDirectory(directory.resolve("ours"));
      Path written = engine.rewrite(data, target, version, statistics.header(), options(table));
      judge.examine(written, table);
      same(written, Component.ROWS);
      same(written, Component.PARTITIONS);
      assertThat(engine.read(data)).as(what).isEqualTo(judge.canonical(data));
      findPlaces();
      lookUp();
      CassandraNode.removeTree(target);
    }

    private SSTableWriterOptions options(CassandraTable table) {
      return SSTableWriterOptions.builder()
          .columnIndexSizeBytes(node.options().columnIndexSizeKib() * 1024)
          .bloomFilterFpChance(table.metadata().params.bloomFilterFpChance)
          .expectedPartitions(statistics.stats().partitionSizes().count())
          .build();
    }

    private void same(Path written, Component component) throws IOException {
      String name = EngineTables.descriptor(written).fileName(component);
      assertThat(Files.readAllBytes(written.resolveSibling(name)))
          .as("%s, %s", what, component)
          .isEqualTo(Files.readAllBytes(data.resolveSibling(prefix + component.fileName())));
    }

    private void findPlaces() throws IOException {
      try (SSTable table = engine.open(data);
          DataCursor cursor = table.scan()) {
        while (cursor.nextPartition()) {
          findRows(cursor);
        }
      }
    }

    private void findRows(DataCursor cursor) throws IOException {
      long from = cursor.partitionPosition();
      Place place = new Place(from, cursor.deletionTimestamp(), new ArrayList<>());
      places.put(PartitionKey.of(cursor.key().toByteArray(), cursor.key().token()), place);
      while (cursor.nextUnfiltered()) {
        if (!cursor.unfiltered().isStatic()) {
          Clustering clustering = new Clustering();
          clustering.copyFrom(cursor.unfiltered().clustering());
          place.rows().add(new Row(clustering, cursor.unfilteredPosition() - from));
        }
      }
    }

    /** Looks keys and clusterings up in Cassandra's files. */
    private void lookUp() throws IOException {
      try (ReadableFile partitionsFile = theirs.open(prefix + "Partitions.db", ReadIntent.INDEX);
          ReadableFile rowsFile = theirs.open(prefix + "Rows.db", ReadIntent.INDEX)) {
        PartitionTrie index = PartitionTrie.open(partitionsFile, Component.PARTITIONS, partitioner);
        assertThat(index.count()).as(what).isEqualTo(places.size());
        assertThat(index.firstKey()).as(what).isEqualTo(places.firstKey());
        assertThat(index.lastKey()).as(what).isEqualTo(places.lastKey());
        PartitionTrieCursor cursor = new PartitionTrieCursor(index);
        RowTrieCursor rows =
            new RowTrieCursor(
                rowsFile,
                Component.ROWS,
                new ComparableClusterings(statistics.header().clusteringTypes()),
                new FileReads());
        for (PartitionKey key : places.keySet()) {
          assertThat(cursor.find(key, key.longHash())).as("%s, %s", what, key).isTrue();
          cursor.check(key);
          checkPosition(cursor, rows, key);
          checkBlocks(cursor, rows, key);
        }
        PartitionTrieCursor walk = new PartitionTrieCursor(index);
        for (PartitionKey key : places.keySet()) {
          assertThat(walk.next()).as("%s, %s", what, key).isTrue();
          checkPosition(walk, rows, key);
        }
        assertThat(walk.next()).as(what).isFalse();
        for (int i = 0; i < 100; i++) {
          floor(cursor, rows);
        }
      }
    }

    private void floor(PartitionTrieCursor cursor, RowTrieCursor rows) throws IOException {
      byte[] bytes = new byte[random.nextInt(5)];
      random.nextBytes(bytes);
      PartitionKey key = PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
      PartitionKey floor = places.floorKey(key);
      boolean found = cursor.seekFloor(key);
      if (found && cursor.mayBeGreater() && position(cursor, rows) > positionOf(floor)) {
        found = cursor.previous();
      }
      assertThat(found).as("%s, floor of %s", what, key).isEqualTo(floor != null);
      if (floor != null) {
        cursor.check(floor);
        checkPosition(cursor, rows, floor);
      }
    }

    private long positionOf(@Nullable PartitionKey key) {
      return key == null ? -1 : places.get(key).position();
    }

    private long position(PartitionTrieCursor cursor, RowTrieCursor rows) throws IOException {
      if (!cursor.hasBlocks()) {
        return cursor.position();
      }
      rows.open(cursor.position());
      return rows.dataPosition();
    }

    private void checkPosition(PartitionTrieCursor cursor, RowTrieCursor rows, PartitionKey key)
        throws IOException {
      assertThat(position(cursor, rows)).as("%s, %s", what, key).isEqualTo(positionOf(key));
    }

    private void checkBlocks(PartitionTrieCursor cursor, RowTrieCursor rows, PartitionKey key)
        throws IOException {
      String where = what + ", " + key;
      Place place = places.get(key);
      if (!cursor.hasBlocks()) {
        return;
      }
      PartitionKey stored = new PartitionKey();
      rows.key(stored, key.token());
      assertThat(stored).as(where).isEqualTo(key);
      assertThat(rows.deletionTimestamp()).as(where).isEqualTo(place.deletionTimestamp());
      TreeMap<Long, Long> blocks = new TreeMap<>();
      for (rows.toFirst(); blocks.size() < rows.count(); rows.next()) {
        blocks.put(rows.offset(), rows.openTimestamp());
      }
      assertThat(rows.next()).as(where).isFalse();
      for (Row row : place.rows()) {
        rows.seek(row.clustering());
        assertThat(rows.offset()).as(where).isEqualTo(blocks.floorKey(row.offset()));
        assertThat(rows.openTimestamp()).as(where).isEqualTo(blocks.get(rows.offset()));
      }
    }
  }
}
