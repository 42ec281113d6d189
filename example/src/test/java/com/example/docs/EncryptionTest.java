package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.Table;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/encryption.md. */
class EncryptionTest {
  @TempDir private Path directory;

  /** Keys in memory; a service asks its key server instead, and remembers the answers. */
  record KeysInMemory(String current, Map<String, SecretKey> all)
      implements EncryptedDirectory.Keys {
    @Override
    public SecretKey key(String id) {
      return all.get(id);
    }
  }

  private static SecretKey newKey() throws Exception {
    KeyGenerator generator = KeyGenerator.getInstance("AES");
    generator.init(256);
    return generator.generateKey();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void opensAnEncryptedDatabase() throws Exception {
    Path path = directory.resolve("db");
    SecretKey key = newKey();
    EncryptedDirectory.Keys keys = new KeysInMemory("2026", Map.of("2026", key));
    Directory files = EncryptedDirectory.over(NioDirectory.open(path), keys);
    try (Database db = Database.open(files, DatabaseOptions.DEFAULT)) {
      db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      Table table = db.table("app", "t");
      table.write(table.mutation(1).insert().set("v", "secret").build());
      db.checkpoint(directory.resolve("backup")); // encrypted, too
    }

    DatabaseOptions encrypted = DatabaseOptions.builder().encryptionKeys(keys).build();
    try (Database db = Database.open(path, encrypted)) {
      assertEquals(1, db.tables().size());
    }

    Path backup = directory.resolve("backup");
    Directory copied = EncryptedDirectory.over(NioDirectory.openExisting(backup), keys);
    try (Database copy = Database.open(copied, DatabaseOptions.DEFAULT)) {
      assertEquals(1, copy.tables().size());
    }
    assertThrows(
        EncryptedDirectory.KeyException.class,
        () -> Database.open(backup, DatabaseOptions.DEFAULT).close());
  }

  @Test
  void rotatesKeys() throws Exception {
    Path path = directory.resolve("store");
    SecretKey old = newKey();
    SecretKey fresh = newKey();
    EncryptedDirectory.Keys before = new KeysInMemory("2026", Map.of("2026", old));
    Directory files = EncryptedDirectory.over(NioDirectory.open(path), before);
    try (KeyValueStore store = KeyValueStore.open(files, DatabaseOptions.DEFAULT)) {
      store.put(bytes("name"), bytes("Ada"));
    }

    EncryptedDirectory.Keys both = new KeysInMemory("2027", Map.of("2026", old, "2027", fresh));
    files = EncryptedDirectory.over(NioDirectory.open(path), both);
    try (KeyValueStore store = KeyValueStore.open(files, DatabaseOptions.DEFAULT)) {
      assertEquals("Ada", new String(store.get(bytes("name")), StandardCharsets.UTF_8));
      assertNull(store.get(bytes("other")));
    }

    EncryptedDirectory.Keys lost = new KeysInMemory("2027", Map.of("2027", fresh));
    Directory locked = EncryptedDirectory.over(NioDirectory.open(path), lost);
    EncryptedDirectory.KeyException e =
        assertThrows(
            EncryptedDirectory.KeyException.class,
            () -> KeyValueStore.open(locked, DatabaseOptions.DEFAULT));
    assertEquals("2026", e.keyId());
    assertEquals(EncryptedDirectory.KeyException.Reason.UNKNOWN, e.reason());
  }
}
