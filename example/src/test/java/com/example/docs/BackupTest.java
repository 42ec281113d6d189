package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Backups;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/backup.md. */
class BackupTest {
  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void backupsAreMadeReadAndRestored() throws Exception {
    Path data = directory.resolve("db");
    Path target = directory.resolve("backups");
    try (KeyValueStore store = KeyValueStore.open(data)) {
      Database db = store.database();
      store.put(bytes("a"), bytes("1"));

      Backups backups = Backups.in(target);
      Backups.Backup made = backups.create(db);
      System.out.println(made.copiedBytes() + " of " + made.bytes() + " bytes were new");
      backups.prune(7);

      assertEquals(List.of(made), backups.list());
      store.put(bytes("b"), bytes("2"));
      assertEquals(2, backups.bytesPerSecond(64 << 20).create(db).id());
    }

    Backups backups = Backups.in(target);
    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
    Directory inPlace = backups.directory(1);
    try (KeyValueStore then = KeyValueStore.open(inPlace, readOnly)) {
      assertArrayEquals(bytes("1"), then.get(bytes("a")));
      assertNull(then.get(bytes("b")));
    }

    for (CorruptFileException damage : backups.verify(2)) {
      System.err.println(damage.getMessage());
    }
    Path restored = directory.resolve("restored");
    backups.verifying(true).restore(2, restored);
    try (KeyValueStore again = KeyValueStore.open(restored)) {
      assertArrayEquals(bytes("2"), again.get(bytes("b")));
    }
  }

  @Test
  void theArchivedLogIsRestoredToAPointInTime() throws Exception {
    Path target = directory.resolve("backups");
    Directory archive = NioDirectory.open(directory.resolve("archive"));
    CommitLogOptions log = CommitLogOptions.builder().archive(archive).build();
    DatabaseOptions options = DatabaseOptions.builder().commitLog(log).build();
    Instant before;
    try (KeyValueStore store = KeyValueStore.open(directory.resolve("db"), options)) {
      store.put(bytes("a"), bytes("1"));
      Backups.in(target).create(store.database());
      before = Instant.now();
      while (!Instant.now().isAfter(before.plusMillis(5))) {
        Thread.onSpinWait();
      }
      store.put(bytes("b"), bytes("by mistake"));
    }

    Directory restored = NioDirectory.open(directory.resolve("restored"));
    Backups.in(target).restore(1, restored, archive, before);

    try (KeyValueStore again = KeyValueStore.open(restored, DatabaseOptions.DEFAULT)) {
      assertArrayEquals(bytes("1"), again.get(bytes("a")));
      assertNull(again.get(bytes("b")));
    }
    assertTrue(before.isBefore(Instant.now()));
  }
}
