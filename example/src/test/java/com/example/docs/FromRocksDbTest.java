package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueBatch;
import io.siltstone.KeyValueIndexedBatch;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueSnapshot;
import io.siltstone.KeyValueSnapshots;
import io.siltstone.KeyValueStore;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/from-rocksdb.md. */
class FromRocksDbTest {
  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theSameCalls() throws Exception {
    byte[] key = bytes("user:1");
    byte[] value = bytes("ada");
    List<String> keys = new ArrayList<>();
    TableOptions tableOptions =
        TableOptions.builder()
            .compression(
                CompressionOptions.fromMap(
                    Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "4")))
            .compaction(Map.of("class", "LeveledCompactionStrategy"))
            .build();

    try (KeyValueStore store =
        KeyValueStore.open(directory.resolve("users"), DatabaseOptions.DEFAULT, tableOptions)) {
      store.put(key, value);
      byte[] found = store.get(key);
      assertArrayEquals(value, found);

      KeyValueBatch batch =
          new KeyValueBatch()
              .put(bytes("user:2"), bytes("bob"))
              .put(bytes("session:9"), bytes("ada"), 1800)
              .delete(key);
      store.write(batch);
      assertNull(store.get(key));

      try (KeyValueSnapshot snapshot = store.snapshot()) {
        store.delete(bytes("user:2"));
        assertArrayEquals(bytes("bob"), snapshot.get(bytes("user:2")));
      }

      store.put(bytes("user:3"), bytes("eve"));
      try (KeyValueIterator entries = store.iteratorOfPrefix(bytes("user:"))) {
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
          keys.add(new String(entries.key(), StandardCharsets.UTF_8));
        }
      }
      assertEquals(List.of("user:3"), keys);

      boolean isFirst = store.putIfAbsent(bytes("owner"), bytes("ada"));
      boolean isHandedOver = store.replace(bytes("owner"), bytes("ada"), bytes("bob"));
      assertTrue(isFirst && isHandedOver);
      assertArrayEquals(bytes("bob"), store.get(bytes("owner")));

      ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
      int length = store.get(bytes("user:3"), buffer);
      assertEquals(3, length);
      assertEquals(KeyValueStore.MISSING, store.get(bytes("user:7"), buffer));

      store.deleteRange(bytes("user:"), bytes("user;"));
      assertTrue(!store.contains(bytes("user:3")));
    }
  }

  @Test
  void columnFamiliesAreTables() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder().partitioner(Partitioner.BYTE_ORDERED).build();
    Database db = Database.open(directory, options);
    try (db) {
      db.createTable("CREATE TABLE IF NOT EXISTS app.users (key blob PRIMARY KEY, value blob)");
      db.createTable("CREATE TABLE IF NOT EXISTS app.sessions (key blob PRIMARY KEY, value blob)");
      KeyValueStore users = KeyValueStore.in(db, "app", "users");
      KeyValueStore sessions = KeyValueStore.in(db, "app", "sessions");

      users.put(bytes("1"), bytes("ada"));

      assertNull(sessions.get(bytes("1")));
      assertArrayEquals(bytes("ada"), users.get(bytes("1")));
    }
  }

  @Test
  void batchesAndSnapshotsAreOfSeveralStores() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder().partitioner(Partitioner.BYTE_ORDERED).build();
    byte[] id = bytes("17");
    byte[] token = bytes("x4");
    List<String> names = new ArrayList<>();
    try (Database db = Database.open(directory, options)) {
      db.createTable("CREATE TABLE app.users (key blob PRIMARY KEY, value blob)");
      db.createTable("CREATE TABLE app.sessions (key blob PRIMARY KEY, value blob)");
      KeyValueStore users = KeyValueStore.in(db, "app", "users");
      KeyValueStore sessions = KeyValueStore.in(db, "app", "sessions");

      users.write(new KeyValueBatch().put(id, bytes("ada")).put(sessions, token, id, 1800));

      try (KeyValueSnapshots moment = KeyValueSnapshots.take(users, sessions)) {
        byte[] owner = moment.of(sessions).get(token);
        byte[] user = owner == null ? null : moment.of(users).get(owner);
        assertArrayEquals(bytes("ada"), user);
      }

      List<byte[]> both = users.multiGet(List.of(id, bytes("19"))); // null for what is not there
      assertArrayEquals(bytes("ada"), both.get(0));
      assertNull(both.get(1));
      try (KeyValueIterator after = users.iterator(id, false, bytes("19"), true)) {
        after.seekToFirst();
        assertFalse(after.isValid());
      }

      try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(db)) {
        batch.put(users, bytes("18"), bytes("bob"));
        batch.deleteRange(sessions, bytes("x"), bytes("y"));
        byte[] found = batch.get(users, bytes("18"));
        boolean isThere = batch.contains(sessions, token);
        try (KeyValueIterator entries = batch.iteratorOfPrefix(users, bytes("1"))) {
          for (entries.seekToLast(); entries.isValid(); entries.prev()) {
            names.add(new String(entries.value(), StandardCharsets.UTF_8));
          }
        }
        batch.commit();
        assertArrayEquals(bytes("bob"), found);
        assertTrue(!isThere);
      }
      assertEquals(List.of("bob", "ada"), names);
      assertNull(sessions.get(token));

      users.write(
          new KeyValueBatch()
              .deleteRange(sessions, bytes("a"), bytes("u"))
              .put(sessions, token, id));
      assertArrayEquals(id, sessions.get(token));
    }
  }
}
