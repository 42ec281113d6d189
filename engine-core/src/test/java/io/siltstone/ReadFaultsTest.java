package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reads of a disk that fails at any one call: each kind of read says so and holds nothing
 * afterwards, and the next one, with what the failed one has left at rest, shows what there is.
 */
class ReadFaultsTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int KEYS = 400;
  private static final DatabaseOptions OPTIONS =
      History.OPTIONS.toBuilder().columnIndexSizeBytes(1 << 10).build();

  /** A read, and all that it shows. */
  @FunctionalInterface
  private interface Reading {
    List<String> of(Database database) throws IOException;
  }

  private static final MemoryDirectory DISK = new MemoryDirectory();
  private static final Map<String, Reading> READINGS = new LinkedHashMap<>();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  static {
    READINGS.put("partition", db -> rows(db, wide(db).build()));
    READINGS.put(
        "slices",
        db ->
            rows(
                db,
                wide(db)
                    .rows(ClusteringRange.all().from(3).before(9))
                    .rows(ClusteringRange.all().from(120).before(140))
                    .rows(ClusteringRange.of(222))
                    .build()));
    READINGS.put(
        "reversed slices",
        db ->
            rows(
                db,
                wide(db)
                    .rows(ClusteringRange.all().from(3).before(9))
                    .rows(ClusteringRange.all().from(120).before(140))
                    .reversed()
                    .build()));
    READINGS.put("pages", db -> pages(db, wide(db).reversed().pageSize(70).build()));
    READINGS.put(
        "row",
        db ->
            List.of(table(db).get(wide(db).row(150).build()).map(Object::toString).orElse("none")));
    READINGS.put("cursor", db -> cursor(db, new Read.OfRange(PartitionRange.ALL)));
    READINGS.put(
        "cursor through caches", db -> cursor(db, new Read.OfRange(PartitionRange.ALL, true)));
    READINGS.put("scan", db -> rows(db, table(db).query().build()));
    READINGS.put("first rows", db -> rows(db, table(db).query().limit(900).build()));
    READINGS.put("explanation", ReadFaultsTest::explanation);
    READINGS.put("entries", ReadFaultsTest::entries);
    READINGS.put("entries backward", ReadFaultsTest::entriesBackward);
    READINGS.put("entries by key", ReadFaultsTest::entriesByKey);
  }

  private static Table table(Database database) {
    return database.table("w", "t");
  }

  private static Query.Builder wide(Database database) {
    return table(database).query().partition("wide");
  }

  private static List<String> rows(Database database, Query query) throws IOException {
    List<String> all = new ArrayList<>();
    try (LiveRows rows = table(database).read(query)) {
      rows.forEachRemaining(row -> all.add(row.toString()));
    }
    return all;
  }

  private static List<String> pages(Database database, Query first) throws IOException {
    List<String> all = new ArrayList<>();
    Optional<PagingState> token = Optional.empty();
    do {
      Query query = token.map(first::after).orElse(first);
      try (LiveRows rows = table(database).read(query)) {
        rows.forEachRemaining(row -> all.add(row.toString()));
        token = rows.pagingState();
      }
    } while (token.isPresent());
    return all;
  }

  private static List<String> cursor(Database database, Read read) throws IOException {
    List<String> all = new ArrayList<>();
    try (PartitionCursor cursor = table(database).cursor(read)) {
      while (cursor.nextPartition()) {
        all.add(cursor.key() + " " + cursor.deletionTimestamp());
        while (cursor.nextUnfiltered()) {
          Unfiltered present = cursor.unfiltered();
          all.add(present.isStatic() ? "static" : CoveredClustering.text(present.clustering()));
        }
      }
    }
    return all;
  }

  private static List<String> explanation(Database database) throws IOException {
    List<String> all = new ArrayList<>();
    var unused =
        table(database)
            .explain(
                wide(database).rows(ClusteringRange.all().from(100).before(110)).build(),
                finding -> all.add(finding.toString()));
    return all;
  }

  private static String entry(KeyValueIterator entries) {
    return HexFormat.of().formatHex(entries.key()) + "=" + Arrays.hashCode(entries.value());
  }

  private static List<String> entries(Database database) throws IOException {
    List<String> all = new ArrayList<>();
    try (KeyValueIterator entries = KeyValueStore.in(database, "w", "kv").iterator()) {
      for (entries.seekToFirst(); entries.isValid(); entries.next()) {
        all.add(entry(entries));
      }
    }
    return all;
  }

  private static List<String> entriesBackward(Database database) throws IOException {
    List<String> all = new ArrayList<>();
    try (KeyValueIterator entries = KeyValueStore.in(database, "w", "kv").iterator()) {
      for (entries.seekToLast(); entries.isValid(); entries.prev()) {
        all.add(entry(entries));
      }
    }
    return all;
  }

  private static List<String> entriesByKey(Database database) throws IOException {
    KeyValueStore store = KeyValueStore.in(database, "w", "kv");
    List<String> all = new ArrayList<>();
    try (KeyValueSnapshot snapshot = store.snapshot()) {
      for (int i = 0; i < KEYS; i += 37) {
        all.add(store.contains(key(i)) + " " + Arrays.hashCode(store.get(key(i))));
        all.add(String.valueOf(Arrays.hashCode(snapshot.get(key(i)))));
      }
    }
    return all;
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) (i >> 8), (byte) i};
  }

  /** Three overlapping SSTables of each table; a scan reads far more than through the caches. */
  @BeforeAll
  static void write() throws IOException {
    Random random = new Random(11);
    DatabaseOptions options = OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    try (Database database = Database.open(DISK, options)) {
      Table table =
          database.createTable(
              "CREATE TABLE w.t (k text, c int, s int static, v blob, PRIMARY KEY (k, c))"
                  + " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}");
      var unused =
          database.createTable(
              "CREATE TABLE w.kv (key blob PRIMARY KEY, value blob)"
                  + " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 16}");
      KeyValueStore store = KeyValueStore.in(database, "w", "kv");
      for (int round = 0; round < 3; round++) {
        for (int c = round; c < 300; c += 1 + round) {
          put(random, table, "wide", c);
        }
        table.write(
            table
                .mutation("wide")
                .set("s", round)
                .deleteRange(ClusteringRange.all().from(100 + 10 * round).before(130 + 2 * round))
                .build());
        for (int i = 0; i < KEYS; i++) {
          if (random.nextInt(3) > 0) {
            put(random, table, "key-%04d".formatted(i), random.nextInt(3));
            byte[] value = new byte[600];
            random.nextBytes(value);
            store.put(key(i), value);
          }
        }
        database.flush();
      }
    }
  }

  private static void put(Random random, Table table, String key, int c) throws IOException {
    byte[] value = new byte[200 + random.nextInt(300)];
    random.nextBytes(value);
    MutationBuilder change = table.mutation(key).insert(c).set("v", value);
    table.write(change.build());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1048576, 0", "0, 1"})
  void aFailureAtAnyCallIsToldAndLeavesNothing(long chunkCacheBytes, int scanThreads)
      throws IOException {
    DatabaseOptions options =
        OPTIONS.toBuilder()
            .readOnly(true)
            .chunkCacheBytes(chunkCacheBytes)
            .scanThreads(scanThreads)
            .build();
    for (Map.Entry<String, Reading> reading : READINGS.entrySet()) {
      Fault none = Fault.on(Operation.READ).call(Long.MAX_VALUE).fails("bad sector");
      List<String> expected;
      long atOpening;
      long calls;
      try (Database database = Database.open(new FaultyDirectory(DISK, 1, none), options)) {
        atOpening = none.calls();
        expected = reading.getValue().of(database);
        calls = none.calls() - atOpening;
      }
      assertThat(expected).as(reading.getKey()).isNotEmpty();
      assertThat(calls).as(reading.getKey()).isPositive();
      int step = SCALE > 1 ? 1 : (int) Math.max(1, calls / 3);
      for (long call = 1; call <= calls; call += step) {
        Fault fault = Fault.on(Operation.READ).call(atOpening + call).fails("bad sector");
        check(reading.getKey() + ", call " + call, reading.getValue(), expected, fault, options);
      }
    }
  }

  private void check(
      String what, Reading reading, List<String> expected, Fault fault, DatabaseOptions options)
      throws IOException {
    Directory faulty = leaks.watch(new FaultyDirectory(DISK, 1, fault));
    try (Database database = Database.open(faulty, options)) {
      Throwable failure = failure(database, reading, expected, what);
      if (failure != null) {
        assertThat(fault.fired()).as(what).isEqualTo(1);
        assertThat(failure).as(what).hasStackTraceContaining("bad sector");
      }
      assertThat(database.statistics().openHandles()).as(what).isZero();
      assertThat(reading.of(database)).as(what).isEqualTo(expected);
      assertThat(reading.of(database)).as(what).isEqualTo(expected);
    }
    leaks.requireNothingOpen();
  }

  /** What a read that may fail throws; one that does not shows all there is. */
  private static @Nullable Throwable failure(
      Database database, Reading reading, List<String> expected, String what) {
    List<String> shown;
    try {
      shown = reading.of(database);
    } catch (IOException | UncheckedIOException e) {
      return e;
    }
    assertThat(shown).as(what).isEqualTo(expected);
    return null;
  }
}
