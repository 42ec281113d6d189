package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.explain.ReadTrace;
import io.siltstone.explain.SSTableRead;
import io.siltstone.explain.SSTableRead.ChunkRead;
import io.siltstone.explain.SSTableRead.Outcome;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.statistics.CacheStatistics;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a trace says is what the disk and the caches have counted. */
class ReadTraceTest {
  private static final String WIDE =
      "CREATE TABLE ks.wide (k int, c int, v text, PRIMARY KEY (k, c))"
          + " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}";

  private static DatabaseOptions options(long chunkCache, long keyCache) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .chunkCacheBytes(chunkCache)
        .keyCacheBytes(keyCache)
        .columnIndexSizeBytes(1024)
        .build();
  }

  private static ReadTrace traced(Table table, Query query, List<String> rows) throws IOException {
    ReadTrace trace = new ReadTrace();
    try (LiveRows read = table.read(query, trace)) {
      read.forEachRemaining(row -> rows.add(row.getInt("c") + " " + row.getString("v")));
    }
    return trace;
  }

  private static ReadTrace traced(Table table, Query query) throws IOException {
    return traced(table, query, new ArrayList<>());
  }

  private static Map<String, Outcome> outcomes(ReadTrace trace) {
    Map<String, Outcome> outcomes = new TreeMap<>();
    trace.sstables().forEach(each -> outcomes.put(each.name(), each.outcome()));
    return outcomes;
  }

  @Test
  void countsWhatDiskAndCachesCount() throws IOException {
    for (long chunkCache : new long[] {0, 256 << 10}) {
      for (long seed = 0; seed < 6; seed++) {
        try {
          run(new Random(seed), chunkCache, seed % 2 == 0 ? 0 : 1 << 20);
        } catch (AssertionError e) {
          throw new AssertionError("seed " + seed + ", chunk cache " + chunkCache, e);
        }
      }
    }
  }

  private static void run(Random random, long chunkCache, long keyCache) throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    try (Database db = Database.open(disk, options(chunkCache, keyCache))) {
      Table table = db.createTable(WIDE);
      int flushes = 1 + random.nextInt(5);
      for (int flush = 0; flush < flushes; flush++) {
        for (int i = 0; i < 30; i++) {
          int key = random.nextInt(40);
          int rows = random.nextInt(5) == 0 ? 300 : 2;
          for (int row = 0; row < rows; row++) {
            table.write(
                table
                    .mutation(key)
                    .insert(random.nextInt(1000))
                    .set("v", "value " + random.nextLong() + random.nextLong())
                    .build());
          }
          if (random.nextInt(30) == 0) {
            table.write(table.mutation(key).deletePartition().build());
          }
        }
        if (flush < flushes - 1 || random.nextBoolean()) {
          table.flush();
        }
      }
      for (int i = 0; i < 60; i++) {
        check(random, db, table, disk);
      }
    }
  }

  private static void check(Random random, Database db, Table table, CountingDirectory disk)
      throws IOException {
    Query.Builder builder = table.query().partition(random.nextInt(45));
    if (random.nextInt(3) == 0) {
      builder.row(random.nextInt(1000));
    }
    if (random.nextInt(4) == 0) {
      builder.reversed();
    }
    if (random.nextInt(4) == 0) {
      builder.limit(1 + random.nextInt(5));
    }
    Query query = builder.build();
    disk.reset();
    CacheStatistics chunksBefore = db.statistics().chunkCache();
    CacheStatistics keysBefore = db.statistics().keyCache();
    List<String> rows = new ArrayList<>();
    ReadTrace trace = traced(table, query, rows);
    CacheStatistics chunksAfter = db.statistics().chunkCache();
    CacheStatistics keysAfter = db.statistics().keyCache();
    String story = disk.report() + outcomes(trace);

    List<ChunkRead> chunks =
        trace.sstables().stream().flatMap(each -> each.chunks().stream()).toList();
    List<ChunkRead> fetched = chunks.stream().filter(each -> !each.isCached()).toList();
    assertThat(fetched).as(story).hasSize((int) disk.count(Operation.READ, "*-Data.db"));
    assertThat(fetched.stream().mapToLong(ChunkRead::bytes).sum())
        .as(story)
        .isEqualTo(disk.bytes(Operation.READ, "*-Data.db"));
    assertThat(trace.sstables().stream().mapToLong(SSTableRead::indexReads).sum())
        .as(story)
        .isEqualTo(disk.count(Operation.READ, "*-Index.db"));
    assertThat(trace.sstables().stream().mapToLong(SSTableRead::indexBytes).sum())
        .as(story)
        .isEqualTo(disk.bytes(Operation.READ, "*-Index.db"));
    assertThat(trace.bytesFromDisk()).as(story).isEqualTo(disk.bytes(Operation.READ));
    assertThat((long) chunks.size() - fetched.size())
        .as(story)
        .isEqualTo(chunksAfter.hits() - chunksBefore.hits());
    assertThat(trace.sstables().stream().filter(SSTableRead::isFromKeyCache).count())
        .as(story)
        .isEqualTo(keysAfter.hits() - keysBefore.hits());
    assertThat(outcomes(trace).keySet())
        .as(story)
        .hasSize(trace.sstables().size())
        .isEqualTo(
            table.live().tables().stream()
                .map(each -> each.descriptor().toString())
                .collect(Collectors.toSet()));

    List<String> untraced = new ArrayList<>();
    try (LiveRows read = table.read(query)) {
      read.forEachRemaining(row -> untraced.add(row.getInt("c") + " " + row.getString("v")));
    }
    assertThat(rows).isEqualTo(untraced);
    assertThat(trace)
        .hasToString(trace.memtables() + " " + trace.sstables() + ", " + trace.nanos() + " ns");
    for (SSTableRead read : trace.sstables()) {
      assertThat(read.toString())
          .isEqualTo(
              "%s: %s, %d bytes from disk", read.name(), read.outcome(), read.bytesFromDisk());
    }
  }

  @Test
  void tellsWhySSTablesAreLeftOut() throws IOException {
    try (Database db = Database.open(new MemoryDirectory(), options(0, 0))) {
      Table table = db.createTable(WIDE);
      // oa-1: one other key alone. oa-2: keys around, not this one. oa-3 to oa-5: the key.
      table.write(table.mutation(1).insert(1).set("v", "a").build());
      table.flush();
      for (int key = 100; key < 200; key++) {
        table.write(table.mutation(key).insert(1).set("v", "a").build());
      }
      table.flush();
      for (int row = 1; row <= 3; row++) {
        table.write(table.mutation(2).insert(row * 10).set("v", "a").build());
        table.flush();
      }
      Query all = table.query().partition(2).build();
      assertThat(outcomes(traced(table, all)))
          .containsEntry("oa-1-big", Outcome.KEY_RANGE)
          .containsEntry("oa-2-big", Outcome.BLOOM_FILTER)
          .containsEntry("oa-3-big", Outcome.READ);
      Query one = table.query().partition(2).row(20).build();
      assertThat(outcomes(traced(table, one)))
          .containsEntry("oa-5-big", Outcome.CLUSTERING_RANGE)
          .containsEntry("oa-4-big", Outcome.READ)
          .containsEntry("oa-3-big", Outcome.CLUSTERING_RANGE);
      table.write(table.mutation(2).insert(20).set("v", "b").build());
      ReadTrace complete = traced(table, one);
      assertThat(complete.memtables()).containsExactly(new ReadTrace.MemtableRead(true, true));
      assertThat(outcomes(complete)).containsEntry("oa-4-big", Outcome.ROW_COMPLETE);
      table.write(table.mutation(2).deletePartition().build());
      assertThat(outcomes(traced(table, all)).values()).containsOnly(Outcome.OLDER_THAN_DELETION);
      assertThat(traced(table, table.query().partition(7).build()).memtables())
          .containsExactly(new ReadTrace.MemtableRead(true, false));
    }
  }

  @Test
  void refusesScans() throws IOException {
    try (Database db = Database.open(new MemoryDirectory(), options(0, 0))) {
      Table table = db.createTable(WIDE);
      assertThatThrownBy(() -> table.read(table.query().build(), new ReadTrace()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one partition");
    }
  }
}
