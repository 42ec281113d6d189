package io.siltstone.tools.monitor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.explain.ReadTrace;
import io.siltstone.explain.SSTableRead;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.jmx.DistributionFigures;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.rows.LiveRows;
import io.siltstone.spi.LiveTable;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the figures of tables that are small enough for a calculation by hand; files give the same
 * figures.
 */
class TableFiguresTest {
  private static final Terminal NOWHERE =
      Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());

  private static final String UNASKED =
      " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}";
  private static final long MONTH_SECONDS = 30 * 86_400;

  @TempDir private Path directory;
  private final Instant present = Instant.now();
  private Instant now = present.minusSeconds(MONTH_SECONDS);
  private Database database;

  @BeforeEach
  void open() throws IOException {
    CompactionService compaction =
        new CompactionService(CompactionOptions.builder().clock(() -> now).build());
    database =
        Database.open(
            directory, DatabaseOptions.builder().compaction(compaction).clock(() -> now).build());
  }

  @AfterEach
  void filesTellTheSame() throws IOException {
    Map<String, String> live = new TreeMap<>();
    for (Table table : database.tables()) {
      live.put(table.id().name(), json(DatabaseBeans.of(table)));
    }
    database.close();
    try (StoredDatabase stored =
        new StoredDatabase(
            "here",
            MonitorTargets.open(directory, new KeyFileOption(NOWHERE), new DamageReporter(NOWHERE)),
            true)) {
      List<TableMXBean> tables = stored.tables();
      assertThat(tables).hasSameSizeAs(live.keySet());
      for (TableMXBean table : tables) {
        String alike = json(table);
        // The counters of a process follow.
        assertThat(live.get(table.getName()))
            .startsWith(alike.substring(0, alike.length() - 1) + ",\"memtable_row_count\":0,");
      }
    }
  }

  private static String json(TableMXBean table) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      TableJson.write(json, "here", table);
    }
    return text.toString();
  }

  private Table create(String columns, String options) throws IOException {
    return database.createTable(
        "CREATE TABLE k.t (" + columns + ") WITH gc_grace_seconds = 0" + UNASKED + options);
  }

  private static int read(Table table, int key) throws IOException {
    int rows = 0;
    try (LiveRows found = table.read(table.query().partition(key).build())) {
      for (; found.hasNext(); rows++) {
        found.next();
      }
    }
    return rows;
  }

  private static DistributionFigures sstablesPerRead(TableMXBean of) {
    return requireNonNull(of.getSSTablesPerRead());
  }

  private static long dataFileBytes(Table table) throws IOException {
    return table.live().onDiskBytes();
  }

  @Test
  void nothing() throws IOException {
    TableMXBean empty = DatabaseBeans.of(create("p int PRIMARY KEY, v text", ""));
    assertThat(empty.getSSTableCount()).isZero();
    assertThat(empty.getLiveBytes()).isZero();
    assertThat(empty.getCompressionRatio()).isEqualTo(-1);
    assertThat(empty.getPartitionsEstimate()).isZero();
    assertThat(empty.getPartitionBytes().getMax()).isZero();
    assertThat(empty.getDroppableTombstoneRatio()).isZero();
    assertThat(empty.getWriteAmplification()).isZero();
  }

  @Test
  void onePartitionThatWasDeleted() throws IOException {
    Table table = create("p int PRIMARY KEY, v text", "");
    table.write(table.mutation(1).deletePartition().build());
    table.flush();
    now = present;
    assertThat(read(table, 1)).isZero();
    TableMXBean figures = DatabaseBeans.of(table);
    assertThat(figures.getPartitionsEstimate()).isEqualTo(1);
    assertThat(figures.getRows()).isZero();
    // Length and key, time and local time of the deletion, the end of the partition.
    assertThat(figures.getDataBytes()).isEqualTo(2 + 4 + 8 + 4 + 1);
    // From the bucket from 18 to 20.
    assertThat(figures.getPartitionBytes().getMin()).isEqualTo(18);
    assertThat(figures.getPartitionBytes().getMax()).isEqualTo(20);
    assertThat(figures.getDroppableTombstoneRatio()).isEqualTo(1);
    assertThat(sstablesPerRead(figures).getMean()).isEqualTo(1);
    assertThat(figures.getFlushedBytes()).isEqualTo(dataFileBytes(table));
  }

  @Test
  void rowsThatHaveExpiredAndSuchThatHaveNot() throws IOException {
    Table table = create("p int, c int, v int, PRIMARY KEY (p, c)", "");
    for (int row = 0; row < 4; row++) {
      table.write(table.mutation(1).ttl(10).insert(row).set("v", row).build());
    }
    for (int key = 2; key < 4; key++) {
      for (int row = 0; row < 8; row++) {
        table.write(table.mutation(key).insert(row).set("v", row).build());
      }
    }
    table.flush();
    assertThat(DatabaseBeans.of(table).getDroppableTombstoneRatio()).isZero();
    now = present;
    assertThat(read(table, 1)).isZero();
    TableMXBean figures = DatabaseBeans.of(table);
    assertThat(figures.getRows()).isEqualTo(20);
    assertThat(figures.getCellsPerPartition().getCount()).isEqualTo(3);
    assertThat(figures.getCellsPerPartition().getMax()).isEqualTo(8);
    // As in Cassandra, the time of a row counts in addition to that of its cell, and of the 20
    // cells of three partitions each has 7, the mean rounded up.
    assertThat(figures.getDroppableTombstoneRatio()).isEqualTo(8 / 21.0);
  }

  @Test
  void partitionsOfAStaticRow() throws IOException {
    Table table = create("p int, c int, s text static, v int, PRIMARY KEY (p, c)", "");
    for (int key = 0; key < 5; key++) {
      table.write(table.mutation(key).set("s", "x").build());
    }
    table.flush();
    now = present;
    assertThat(read(table, 3)).isEqualTo(1);
    TableMXBean figures = DatabaseBeans.of(table);
    assertThat(figures.getPartitionsEstimate()).isEqualTo(5);
    assertThat(figures.getRows()).isEqualTo(5);
    assertThat(figures.getCellsPerPartition().getMax()).isEqualTo(1);
    assertThat(figures.getDroppableTombstoneRatio()).isZero();
  }

  @Test
  void flushesOfWhichThreeWereCompacted() throws Exception {
    Table table = create("p int, c int, v text, PRIMARY KEY (p, c)", "");
    long[] flushed = new long[4];
    long merged = 0;
    for (int flush = 0; flush < 4; flush++) {
      long before = dataFileBytes(table);
      for (int key = flush; key < flush + 4; key++) {
        for (int row = 0; row < 10; row++) {
          table.write(table.mutation(key).insert(row).set("v", "abc".repeat(100)).build());
        }
      }
      table.flush();
      flushed[flush] = dataFileBytes(table) - before;
      if (flush == 2) {
        table
            .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
            .toCompletableFuture()
            .get()
            .orThrow();
        merged = dataFileBytes(table);
      }
    }
    int rows = 0;
    for (int key = 0; key < 8; key++) {
      rows += read(table, key);
    }
    now = present;
    assertThat(rows).isEqualTo(70);
    TableMXBean figures = DatabaseBeans.of(table);
    // Keys 0 to 5 in one SSTable, 3 to 6 in the other.
    assertThat(figures.getSSTableCount()).isEqualTo(2);
    assertThat(figures.getRows()).isEqualTo(100);
    assertThat(figures.getPartitionsEstimate()).isEqualTo(7);
    assertThat(figures.getReadCount()).isEqualTo(8);
    assertThat(sstablesPerRead(figures).getMean()).isEqualTo(10 / 8.0);
    assertThat(sstablesPerRead(figures).getMin()).isZero();
    assertThat(sstablesPerRead(figures).getMax()).isEqualTo(2);
    assertThat(figures.getWriteCount()).isEqualTo(160);
    long all = flushed[0] + flushed[1] + flushed[2] + flushed[3];
    assertThat(figures.getFlushes()).isEqualTo(4);
    assertThat(figures.getFlushedBytes()).isEqualTo(all);
    assertThat(figures.getCompactions()).isEqualTo(1);
    assertThat(figures.getCompactionBytesRead()).isEqualTo(all - flushed[3]);
    assertThat(figures.getCompactionBytesWritten()).isEqualTo(merged);
    assertThat(figures.getWriteAmplification()).isEqualTo((all + merged) / (double) all);
  }

  @Test
  void compressorsThatWereChanged() throws IOException {
    Table table =
        create(
            "p int, c int, v text, PRIMARY KEY (p, c)", " AND compression = {'enabled': 'false'}");
    List<String> others =
        List.of("'class': 'LZ4Compressor'", "'class': 'ZstdCompressor', 'chunk_length_in_kb': '4'");
    for (int flush = 0; flush < 3; flush++) {
      if (flush > 0) {
        database.alterTable(
            "k", "t", "ALTER TABLE k.t WITH compression = {" + others.get(flush - 1) + "}");
      }
      for (int row = 0; row < 200; row++) {
        table.write(table.mutation(row % 3).insert(row).set("v", "abc".repeat(100)).build());
      }
      table.flush();
      assertThat(DatabaseBeans.of(table).getCompressionMetadataOffHeapBytes() > 0)
          .isEqualTo(flush > 0);
    }
    now = present;
    long stored = 0;
    long data = 0;
    for (LiveTable each : table.live().tables()) {
      boolean isCompressed = each.compression().isEnabled();
      stored += isCompressed ? each.onDiskBytes() : 0;
      data += isCompressed ? each.dataBytes() : 0;
    }
    TableMXBean figures = DatabaseBeans.of(table);
    assertThat(data * 3).isEqualTo(figures.getDataBytes() * 2);
    // Of compressed data only, as in Cassandra.
    assertThat(figures.getCompressionRatio()).isEqualTo(stored / (double) data).isLessThan(0.1);
    assertThat(figures.getRows()).isEqualTo(600);
    assertThat(figures.getPartitionsEstimate()).isEqualTo(3);
  }

  @Test
  void keysThatAFilterLetsThrough() throws IOException {
    Table table = create("p int PRIMARY KEY, v text", " AND bloom_filter_fp_chance = 0.5");
    for (int flush = 0; flush < 3; flush++) {
      for (int key = 0; key < 100; key++) {
        table.write(table.mutation(2 * key).insert().set("v", "abc").build());
      }
      table.flush();
    }
    long inVain = 0;
    for (int key = 0; key < 100; key++) {
      ReadTrace trace = new ReadTrace();
      try (LiveRows rows = table.read(table.query().partition(2 * key + 1).build(), trace)) {
        assertThat(rows.hasNext()).isFalse();
      }
      inVain +=
          trace.sstables().stream()
              .filter(each -> each.outcome() == SSTableRead.Outcome.FALSE_POSITIVE)
              .count();
    }
    now = present;
    TableMXBean figures = DatabaseBeans.of(table);
    assertThat(figures.getBloomFilterFalsePositives()).isEqualTo(inVain).isPositive();
    assertThat(sstablesPerRead(figures).getMax()).isZero();
  }
}
