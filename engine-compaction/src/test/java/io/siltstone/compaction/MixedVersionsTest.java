package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A table whose SSTables are of all versions that can be written is read, compacted and converted
 * like any other. Repeated with {@code -Dsiltstone.seed=N}.
 */
class MixedVersionsTest {
  private static final int PARTITIONS = 4;
  private static final int ROWS = 120;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final long seed = Long.getLong("siltstone.seed", 11);
  private final Random random = new Random(seed);
  private final MemoryDirectory disk = new MemoryDirectory();
  private final Map<Integer, TreeMap<Integer, String>> model = new TreeMap<>();

  private static List<FormatVersion> written() {
    return Arrays.stream(FormatVersion.values()).filter(FormatVersion::isWritable).toList();
  }

  private Database open(FormatVersion version) throws IOException {
    return Database.open(
        disk,
        DatabaseOptions.builder()
            .formatVersion(version)
            .columnIndexSizeBytes(1024)
            .memoryBytes(64 << 20)
            .chunkCacheBytes(1 << 20)
            .memtableBytes(4 << 20)
            .compaction(
                new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
            .build());
  }

  private static Table table(Database database) throws IOException {
    return database.tables().isEmpty()
        ? database.createTable(
            "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH compaction ="
                + " {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'} AND compression"
                + " = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}")
        : database.table("ks", "t");
  }

  /** Writes rows and a deleted range, to the table and to the model. */
  private void write(Table table, FormatVersion version) throws IOException {
    for (int k = 0; k < PARTITIONS; k++) {
      TreeMap<Integer, String> rows = model.computeIfAbsent(k, key -> new TreeMap<>());
      int from = random.nextInt(ROWS);
      int to = from + random.nextInt(30);
      table.write(table.mutation(k).deleteRange(ClusteringRange.all().from(from).to(to)).build());
      rows.subMap(from, true, to, true).clear();
      for (int i = 0; i < ROWS / 2; i++) {
        int c = random.nextInt(ROWS);
        String value = version.text() + " " + Long.toHexString(random.nextLong()).repeat(6);
        table.write(table.mutation(k).insert(c).set("v", value).build());
        rows.put(c, value);
      }
    }
    table.flush();
  }

  private void requireModel(Table table) throws IOException {
    for (int k = 0; k < PARTITIONS; k++) {
      TreeMap<Integer, String> rows = model.get(k);
      List<String> all = text(rows);
      assertThat(read(table, table.query().partition(k).build()))
          .as("seed %s", seed)
          .isEqualTo(all);
      Collections.reverse(all);
      assertThat(read(table, table.query().partition(k).reversed().build())).isEqualTo(all);
      for (int i = 0; i < 20; i++) {
        int from = random.nextInt(ROWS);
        int to = from + random.nextInt(20);
        List<String> slice = text(rows.subMap(from, true, to, true));
        boolean reversed = random.nextBoolean();
        if (reversed) {
          Collections.reverse(slice);
        }
        Query.Builder query =
            table.query().partition(k).rows(ClusteringRange.all().from(from).to(to));
        assertThat(read(table, reversed ? query.reversed().build() : query.build()))
            .as("seed %s, rows %s to %s of %s", seed, from, to, k)
            .isEqualTo(slice);
      }
    }
    assertThat(read(table, table.query().build()))
        .hasSize(model.values().stream().mapToInt(TreeMap::size).sum());
  }

  private static List<String> text(Map<Integer, String> rows) {
    List<String> text = new ArrayList<>();
    rows.forEach((c, v) -> text.add(c + " " + v));
    return text;
  }

  private static List<String> read(Table table, Query query) throws IOException {
    List<String> text = new ArrayList<>();
    try (LiveRows rows = table.read(query)) {
      while (rows.hasNext()) {
        Row row = rows.next();
        text.add(row.get("c") + " " + row.get("v"));
      }
    }
    return text;
  }

  private static List<FormatVersion> versions(Table table) throws IOException {
    return table.live().tables().stream()
        .map(live -> live.descriptor().version())
        .sorted()
        .toList();
  }

  private static void compact(Table table, Operation operation) throws IOException {
    table
        .compact(CompactionRequest.of(operation))
        .toCompletableFuture()
        .orTimeout(60, TimeUnit.SECONDS)
        .join()
        .orThrow();
  }

  @Test
  void allVersionsAreReadTogetherAndConvertedToEach() throws IOException {
    List<FormatVersion> order = new ArrayList<>(written());
    Collections.shuffle(order, random);
    for (FormatVersion version : order) {
      try (Database database = open(version)) {
        Table table = table(database);
        write(table, version);
        requireModel(table);
      }
    }
    Collections.shuffle(order, random);
    for (FormatVersion version : order) {
      try (Database database = open(version)) {
        Table table = table(database);
        if (version == order.get(0)) {
          assertThat(versions(table)).isEqualTo(written());
        }
        compact(table, Operation.UPGRADE);
        assertThat(versions(table)).containsOnly(version);
        requireModel(table);
      }
    }
    try (Database database = open(FormatVersion.DA)) {
      Table table = table(database);
      compact(table, Operation.MAJOR);
      assertThat(versions(table)).containsExactly(FormatVersion.DA);
      requireModel(table);
    }
  }
}
