package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.tools.monitor.WeatherProcess;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Advice on real tables that were made to need it. */
class AdviseCommandTest {
  private static final long HOUR = 3600;

  @TempDir private Path temporary;
  private final Random random = new Random(11);
  private final AtomicLong now = new AtomicLong(Instant.now().getEpochSecond() - 200 * HOUR);

  private interface Writes {
    void to(Table table, int flush) throws IOException;
  }

  private Path database(String cql, int flushes, Writes writes) throws IOException {
    Path path = temporary.resolve("db");
    try (Database db =
        Database.open(
            path,
            DatabaseOptions.builder()
                .compaction(Compaction.none())
                .clock(() -> Instant.ofEpochSecond(now.get()))
                .build())) {
      Table table = db.createTable(cql);
      for (int flush = 0; flush < flushes; flush++) {
        writes.to(table, flush);
        table.flush();
        now.addAndGet(HOUR);
      }
    }
    return path;
  }

  private String words(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("word").append(random.nextInt(3000)).append(' ');
    }
    return text.toString();
  }

  @Test
  void aMemtableIsNoSSTable() throws IOException {
    Writes sameKey = (table, flush) -> table.write(table.mutation(1).insert().set("v", 1).build());
    Path path = database("CREATE TABLE ks.t (k int PRIMARY KEY, v int)", 2, sameKey);
    try (Database db =
        Database.open(
            path,
            DatabaseOptions.builder()
                .compaction(Compaction.none())
                .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
                .build())) {
      sameKey.to(db.table("ks", "t"), 2);
      Run run = Run.of("advise", path.toString());
      assertThat(run.err()).isEmpty();
      assertThat(run.out()).contains("SSTables/read   2.0, at most 2");
    }
  }

  @Test
  void whereNoRowIsNoneHasASize() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v int)",
            1,
            (table, flush) -> table.write(table.mutation(1).deletePartition().build()));
    Run run = Run.of("advise", db.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("  rows            0 in all SSTables\n");
  }

  @Test
  void whatHasPiledUpUncompacted() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v int) WITH compaction ="
                + " {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}",
            6,
            (table, flush) -> table.write(table.mutation(1).insert().set("v", flush).build()));
    Run run = Run.of("advise", db.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("strategy: turn compaction on ('enabled': 'true')")
        .contains("there are 6 SSTables")
        .contains("to be merged    ");
  }

  @Test
  void smallRowsInLargeChunks() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compression ="
                + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': '64'}",
            1,
            (table, flush) -> {
              for (int key = 0; key < 4000; key++) {
                table.write(table.mutation(key).insert().set("v", words(20)).build());
              }
            });
    Run run = Run.of("advise", db.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("chunk_length_in_kb 16 instead of 64")
        .contains("ALTER TABLE ks.t WITH compression = {'chunk_length_in_kb': '16'")
        .contains("SSTables/read   1.0, at most 1")
        .contains("strategy: keep what you have");

    // The figures of the present chunk length are the actual ones.
    Run json = Run.of("advise", db.toString(), "--json");
    assertThat(json.err()).isEmpty();
    long onDisk = number(json.out(), "\"on_disk_bytes\" : (\\d+)");
    Matcher present =
        Pattern.compile(
                "\"chunk_bytes\" : 65536,\\s+\"ratio\" : [^,]+,\\s+\"on_disk_bytes\" : (\\d+)")
            .matcher(json.out());
    assertThat(present.find()).isTrue();
    assertThat((double) Long.parseLong(present.group(1)) / onDisk).isBetween(0.97, 1.03);
    assertThat(json.out()).contains("\"rule\" : \"smaller-chunks\"").contains("\"change\" : true");
  }

  /** Rows with names in common: small chunks compress well with a dictionary, and only so. */
  @Test
  void whatADictionaryWouldGive() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v text)",
            1,
            (table, flush) -> {
              for (int key = 0; key < 1000; key++) {
                StringBuilder json = new StringBuilder();
                for (int field = 0; field < 200; field++) {
                  json.append(Integer.toString(field * 7_919 + 40_000, 36)).append('=');
                  json.append(random.nextInt(1_000)).append(';');
                }
                table.write(table.mutation(key).insert().set("v", json.toString()).build());
              }
            });
    for (String[] args :
        new String[][] {
          {"advise", db.toString(), "--json"}, {"inspect", db.toString(), "--compressors", "--json"}
        }) {
      Run json = Run.of(args);
      assertThat(json.code()).as(json.err()).isEqualTo(ExitCode.OK);
      double lz4 = ratio(json.out(), "LZ4Compressor", 4096);
      assertThat(lz4).isGreaterThan(ratio(json.out(), "LZ4Compressor", 65_536));
      double zstd = ratio(json.out(), "ZstdCompressor", 4096);
      assertThat(ratio(json.out(), "ZstdDictionaryCompressor", 4096)).isLessThan(0.9 * zstd);
      assertThat(json.out())
          .contains("\"compress_us_per_chunk\" : ", "\"decompress_us_per_chunk\"");
    }
    for (String[] args :
        new String[][] {{"advise", db.toString()}, {"inspect", db.toString(), "--compressors"}}) {
      assertThat(Run.of(args).out())
          .containsPattern("\n  LZ4 +4.0 KiB +0\\.\\d{3} +\\d+\\.\\d µs +\\d+\\.\\d µs\n")
          .containsPattern("\n  Zstd \\+ dictionary +4.0 KiB +\\d+\\.\\d KiB +0\\.\\d{3} ");
    }
    assertThat(Run.of("inspect", db.toString()).out()).doesNotContain("dictionary");
  }

  private static double ratio(String json, String compressor, int chunk) {
    Matcher matcher =
        Pattern.compile(
                "\"compressor\" : \""
                    + compressor
                    + "\",\\s+\"chunk_bytes\" : "
                    + chunk
                    + ",\\s+\"dictionary_bytes\" : \\d+,\\s+\"ratio\" : ([0-9.]+)")
            .matcher(json);
    assertThat(matcher.find()).as("%s of %d", compressor, chunk).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void timeSeriesThatExpires() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int, at timestamp, v text, PRIMARY KEY (k, at))"
                + " WITH CLUSTERING ORDER BY (at DESC) AND default_time_to_live = 2592000",
            3,
            (table, flush) -> {
              for (int i = 0; i < 300; i++) {
                now.incrementAndGet();
                table.write(
                    table
                        .mutation(i % 20)
                        .insert(Instant.ofEpochSecond(now.get()))
                        .set("v", words(5))
                        .build());
              }
            });
    Run run = Run.of("advise", db.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("everything expires within 30d 0h")
        .contains("100 % of neighboring rows written in the order of at")
        .contains("TimeWindowCompactionStrategy with windows of 1d 0h")
        .contains("'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'")
        .contains("write amplification: ");
  }

  @Test
  void whatSeveralSSTablesHaveIsCountedInEach() throws IOException {
    Writes sameKey = (table, flush) -> table.write(table.mutation(1).insert().set("v", 1).build());
    Path db = database("CREATE TABLE ks.t (k int PRIMARY KEY, v int)", 3, sameKey);
    assertThat(Run.of("advise", db.toString()).out())
        .contains("\n  partitions      3 in all SSTables, median ")
        .contains("\n  rows            3 in all SSTables, ");
    assertThat(Run.of("tablestats", db.toString()).out())
        .contains("Number of partitions (estimate): 1\n", "Number of rows in SSTables: 3\n");
  }

  @Test
  void whatIsDeletedByACellIsNotTakenForDataThatStays() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v int, w int)"
                + " WITH default_time_to_live = 86400",
            1,
            (table, flush) -> {
              table.write(table.mutation(1).insert().set("v", 1).build());
              table.write(table.mutation(2).update().set("v", 1).delete("w").build());
            });
    assertThat(Run.of("advise", db.toString()).out()).contains("; everything expires within 1d 0h");
    try (Database opened =
        Database.open(db, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = opened.table("ks", "t");
      table.write(table.mutation(3).ttl(0).insert().set("v", 1).build());
      table.flush();
    }
    assertThat(Run.of("advise", db.toString()).out()).contains("; not everything expires");
  }

  @Test
  void rowsSpreadOverManySSTables() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH compaction ="
                + " {'class': 'SizeTieredCompactionStrategy', 'min_threshold': '32'}",
            8,
            (table, flush) -> {
              for (int key = 0; key < 200; key++) {
                table.write(table.mutation(key).insert(flush % 4).set("v", words(8)).build());
              }
            });
    Run run = Run.of("advise", db.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("SSTables/read   8.0, at most 8")
        .contains("strategy: LeveledCompactionStrategy")
        .contains("sstables per read: 8.0 -> ");
  }

  @Test
  void whatCouldBePurged() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 60",
            2,
            (table, flush) -> {
              for (int key = 0; key < 200; key++) {
                table.write(
                    flush == 0
                        ? table.mutation(key).insert().set("v", "x").build()
                        : table.mutation(key).update().delete("v").build());
              }
            });
    Run run = Run.of("advise", db.toString());
    assertThat(run.out()).contains("tombstones: compact what could be purged");
  }

  @Test
  void saysThatThereIsNothing() throws IOException {
    Path db = database("CREATE TABLE ks.t (k int PRIMARY KEY, v text)", 0, (table, flush) -> {});
    Run run = Run.of("advise", db.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("ks.t: 0 SSTables")
        .contains("keep what you have\n  because: there is no data to compress");
    assertThat(Run.of("advise", temporary.resolve("nothing").toString()).code())
        .isEqualTo(ExitCode.IO);
  }

  @Test
  void readsADirectoryThatCassandraWrote() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("cassandra"));
    var unused = Fixture.TYPES_COMPACTED.copyTo(copy);
    Run run = Run.of("advise", copy.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("ks.types: 1 SSTable,");
  }

  @Test
  void leavesADamagedFileAside() throws IOException {
    Path db =
        database(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v text)",
            2,
            (table, flush) -> table.write(table.mutation(flush).insert().set("v", "x").build()));
    Path statistics;
    try (Stream<Path> files = Files.walk(db)) {
      statistics =
          files
              .filter(file -> file.getFileName().toString().equals("oa-1-big-Statistics.db"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(statistics);
    bytes[bytes.length / 2] ^= 1;
    Files.write(statistics, bytes);
    Run run = Run.of("advise", db.toString());
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err()).contains("oa-1-big-Data.db was skipped");
    assertThat(run.out()).contains("ks.t: 1 SSTable,");
  }

  @Test
  void aProcessTellsHowTheTableIsUsed() throws IOException {
    Path db = Files.createDirectory(temporary.resolve("running"));
    try (WeatherProcess running = WeatherProcess.start(db)) {
      Run run = Run.of("advise", db.toString(), "--pid", running.pid());
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("use             1 reads, 0 scans, 253 writes; 2.0 SSTables, ");
      Run json = Run.of("advise", db.toString(), "--json", "--pid", running.pid());
      assertThat(number(json.out(), "\"writes\" : (\\d+)")).isEqualTo(253);

      // Files do not tell how the table is used.
      assertThat(Run.of("advise", db.toString()).out()).contains("use             not known from");
      assertThat(Run.of("advise", db.toString(), "--json").out()).contains("\"traffic\" : null");

      Path unknown = database("CREATE TABLE ks.t (k int PRIMARY KEY)", 0, (table, flush) -> {});
      Run refused = Run.of("advise", unknown.toString(), "--pid", running.pid());
      assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err())
          .contains(
              "process " + running.pid() + " has not registered " + unknown + ", it has [" + db);
    }
  }
}
