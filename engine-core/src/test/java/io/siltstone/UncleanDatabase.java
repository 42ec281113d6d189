package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.mutation.Batch;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes databases whose process dies without closing them, and knows what they must contain. The
 * archives in the resources of {@link UncleanDatabaseTest} were made by this program, each by the
 * version of the engine that wrote the form of the commit log in the archive's name. When that form
 * changes, run the program with the last build that writes the old form:
 *
 * <pre>java -cp ... io.siltstone.UncleanDatabase SHAPE DIRECTORY ARCHIVE.zip</pre>
 */
final class UncleanDatabase {
  static final int ROWS = 300;
  static final int BATCH_EVERY = 7;
  static final int ALTERED_AT = 200;
  static final int TRUNCATED_AT = 40;
  static final int FLUSHED_AT = 120;
  static final int PAIRS = 250;

  private UncleanDatabase() {}

  /** What was done to the database before its process died. */
  enum Shape {
    /** Two tables, batches over both, a truncation and an altered table, all in the log alone. */
    TABLES,
    /** The same with a flush on the way, so that SSTables have a part of it. */
    FLUSHED,
    /** A store of byte arrays: puts, overwritten and deleted keys, batches, a deleted range. */
    PAIRS
  }

  static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .commitLog(CommitLogOptions.builder().segmentBytes(8 << 10).bufferBytes(8 << 10).build())
        .build();
  }

  /** {@code shape directory archive}. */
  public static void main(String[] args) throws IOException {
    Shape shape = Shape.valueOf(args[0]);
    Path directory = Path.of(args[1]);
    if (shape == Shape.PAIRS) {
      KeyValueStore store = KeyValueStore.open(directory, options());
      writePairs(store);
      store.database().sync();
    } else {
      Database database = Database.open(directory, options());
      writeTables(database, shape == Shape.FLUSHED);
      database.sync();
    }
    archive(directory, Path.of(args[2]));
    Runtime.getRuntime().halt(0);
  }

  private static void archive(Path directory, Path archive) throws IOException {
    List<Path> files;
    try (var all = Files.walk(directory)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (Path file : files) {
        out.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }

  private static String value(int n) {
    return "value " + n + " " + "x".repeat(Math.floorMod(n, 97));
  }

  static void writeTables(Database database, boolean isFlushed) throws IOException {
    Table rows =
        database.createTable(
            "CREATE TABLE w.rows (k int, n int, v text, s set<int>, PRIMARY KEY (k, n))");
    Table others = database.createTable("CREATE TABLE w.others (k int PRIMARY KEY, v text)");
    for (int n = 1; n <= ROWS; n++) {
      if (n == TRUNCATED_AT) {
        others.truncate();
      }
      if (isFlushed && n == FLUSHED_AT) {
        rows.flush();
      }
      if (n == ALTERED_AT) {
        rows = database.alterTable("w", "rows", "ALTER TABLE w.rows ADD added bigint");
      }
      var row = rows.mutation(n % 10).insert(n).set("v", value(n));
      if (n >= ALTERED_AT) {
        row.set("added", (long) n);
      }
      if (n % BATCH_EVERY == 0) {
        var other = others.mutation(n).insert().set("v", value(-n)).build();
        database.write(Batch.of(row.build(), other));
      } else {
        rows.write(row.build());
      }
    }
  }

  /** Rows as text, by their table and key. */
  static SortedMap<String, String> expectedRows() {
    SortedMap<String, String> expected = new TreeMap<>();
    for (int n = 1; n <= ROWS; n++) {
      expected.put(
          String.format("rows %d %03d", n % 10, n),
          value(n) + " " + (n >= ALTERED_AT ? Long.toString(n) : "null"));
      if (n % BATCH_EVERY == 0 && n >= TRUNCATED_AT) {
        expected.put(String.format("others %03d", n), value(-n));
      }
    }
    return expected;
  }

  static SortedMap<String, String> rowsOf(Database database) throws IOException {
    SortedMap<String, String> found = new TreeMap<>();
    Table rows = database.table("w", "rows");
    try (LiveRows all = rows.read(rows.query().build())) {
      while (all.hasNext()) {
        Row row = all.next();
        found.put(
            String.format("rows %d %03d", row.getInt("k"), row.getInt("n")),
            row.getString("v") + " " + (row.isNull("added") ? "null" : row.getLong("added")));
      }
    }
    Table others = database.table("w", "others");
    try (LiveRows all = others.read(others.query().build())) {
      while (all.hasNext()) {
        Row row = all.next();
        found.put(String.format("others %03d", row.getInt("k")), row.getString("v"));
      }
    }
    return found;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String key(int n) {
    return String.format("key %03d", n);
  }

  private static void writePairs(KeyValueStore store) throws IOException {
    for (int n = 1; n <= PAIRS; n++) {
      if (n % BATCH_EVERY == 0) {
        KeyValueBatch batch = new KeyValueBatch();
        batch.put(bytes(key(n)), bytes(value(n)));
        batch.put(bytes(key(n - 1)), bytes("overwritten by " + n));
        batch.delete(bytes(key(n - 2)));
        store.write(batch);
      } else {
        store.put(bytes(key(n)), bytes(value(n)));
      }
    }
    store.deleteRange(bytes(key(100)), bytes(key(120)));
  }

  static SortedMap<String, String> expectedPairs() {
    SortedMap<String, String> expected = new TreeMap<>();
    for (int n = 1; n <= PAIRS; n++) {
      expected.put(key(n), value(n));
      if (n % BATCH_EVERY == 0) {
        expected.put(key(n - 1), "overwritten by " + n);
        expected.remove(key(n - 2));
      }
    }
    expected.subMap(key(100), key(120)).clear();
    return expected;
  }

  static SortedMap<String, String> pairsOf(KeyValueStore store) throws IOException {
    SortedMap<String, String> found = new TreeMap<>();
    try (KeyValueIterator all = store.iterator()) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        found.put(
            new String(all.key(), StandardCharsets.UTF_8),
            new String(all.value(), StandardCharsets.UTF_8));
      }
    }
    return found;
  }
}
