package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.siltstone.BulkWriter;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.Table;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/bulk-loading.md. */
class BulkLoadingTest {
  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void rowsAreLoadedIntoATableAndADirectory() throws Exception {
    DatabaseOptions options = DatabaseOptions.builder().createIfMissing(true).build();
    try (Database database = Database.open(directory.resolve("db"), options)) {
      Table readings =
          database.createTable(
              "CREATE TABLE w.readings (sensor text, day int, celsius double,"
                  + " PRIMARY KEY (sensor, day))");

      try (BulkWriter writer = BulkWriter.into(readings).open()) {
        for (int day = 365; day > 0; day--) {
          writer.add(writer.mutation("roof").insert(day).set("celsius", 20.5).build());
        }
        BulkWriter.Result result = writer.commit();
        System.out.println(result.rows() + " rows in " + result.sstables());
      }

      assertEquals(365, readings.sstables().get(0).rows());
      TableSchema schema = readings.schema();
      Path files = directory.resolve("readings");
      List<Long> ends = List.of(-3_000_000_000_000_000_000L, 3_000_000_000_000_000_000L);
      try (BulkWriter writer =
          BulkWriter.into(files, schema)
              .version(FormatVersion.NB)
              .compression(CompressionOptions.fromMap(Map.of("class", "LZ4Compressor")))
              .divideAt(ends)
              .maxSSTableBytes(160 << 20)
              .open()) {
        writer.add(writer.mutation("roof").insert(1).set("celsius", 20.5).build());
        writer.commit();
      }
      readings.importTables(files);

      assertEquals(2, readings.sstables().size());
    }
  }

  @Test
  void entriesAreLoadedIntoAStore() throws Exception {
    byte[] key = bytes("a");
    byte[] session = bytes("s");
    byte[] obsolete = bytes("o");
    byte[] missing = bytes("m");
    byte[] value = bytes("new");
    byte[] old = bytes("old");
    try (KeyValueStore store = KeyValueStore.open(directory.resolve("store"))) {
      store.put(key, old);
      store.put(obsolete, old);

      try (BulkWriter writer = BulkWriter.into(store).memoryBytes(256 << 20).open()) {
        writer.put(key, value);
        writer.put(session, value, 3600);
        writer.delete(obsolete);
        writer.commit();
      }

      try (BulkWriter writer = BulkWriter.into(store).behind().open()) {
        writer.put(key, old);
        writer.put(missing, value);
        writer.commit();
      }

      assertArrayEquals(value, store.get(key));
      assertArrayEquals(value, store.get(session));
      assertArrayEquals(value, store.get(missing));
      assertNull(store.get(obsolete));
    }
  }
}
