package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.RefusingDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Backups are incremental, whole or absent, and restored as they were. */
class BackupsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final String CREATE = "CREATE TABLE IF NOT EXISTS w.t (k int PRIMARY KEY, v text)";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .memoryBytes(32 << 20)
          .memtableBytes(4 << 20)
          .chunkCacheBytes(0)
          .compaction(Compaction.none())
          .clock(now::get)
          .build();
  private final DatabaseOptions readOnly = options.toBuilder().readOnly(true).build();
  private final Directory target = new MemoryDirectory();
  private final Backups backups = Backups.in(target);

  private Database open(Directory root) throws IOException {
    Database database = Database.open(leaks.watch(root), options);
    database.createTable(CREATE);
    return database;
  }

  private static void write(Database database, int key, String value) throws IOException {
    Table table = database.table("w", "t");
    table.write(table.mutation(key).insert().set("v", value).build());
  }

  private static List<String> rows(Database database) throws IOException {
    return Contents.of(database.table("w", "t"));
  }

  private List<String> restored(long id) throws IOException {
    Directory copy = new MemoryDirectory();
    backups.verifying(true).restore(id, copy);
    try (Database database = Database.open(leaks.watch(copy), options)) {
      return rows(database);
    }
  }

  private List<String> inPlace(long id) throws IOException {
    try (Database database = Database.open(backups.directory(id), readOnly)) {
      return rows(database);
    }
  }

  @Test
  void eachBackupIsRestoredAndReadInPlaceAsItWas() throws IOException {
    List<List<String>> states = new ArrayList<>();
    try (Database database = open(new MemoryDirectory())) {
      for (int i = 0; i < 4; i++) {
        write(database, i, "value " + i);
        write(database, 100, "of time " + i);
        if (i % 2 == 1) {
          database.flush();
        }
        Backups.Backup made = backups.create(database);
        assertThat(made.id()).isEqualTo(i + 1);
        assertThat(made.createdAt()).isEqualTo(NOON);
        states.add(rows(database));
      }
    }
    assertThat(backups.list()).extracting(Backups.Backup::id).containsExactly(1L, 2L, 3L, 4L);
    for (int i = 0; i < 4; i++) {
      assertThat(restored(i + 1)).isEqualTo(states.get(i));
      assertThat(inPlace(i + 1)).isEqualTo(states.get(i));
      assertThat(backups.verify(i + 1)).isEmpty();
    }
    assertThat(backups.prune(2)).containsExactly(1L, 2L);
    assertThat(restored(3)).isEqualTo(states.get(2));
    assertThat(restored(4)).isEqualTo(states.get(3));
    assertThatThrownBy(() -> restored(1))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("there is no backup 1");
  }

  @Test
  void aBackupInPlaceCannotBeChanged() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      write(database, 1, "one");
      backups.create(database);
    }
    assertThatThrownBy(() -> Database.open(backups.directory(1), options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is in a backup, which is only read");
  }

  @Test
  void aPruneKeepsWhatRemainingBackupsHave() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      write(database, 1, "one");
      database.flush();
      backups.create(database);
      int files = target.directory("files").files().size();
      backups.create(database);
      database.dropTable("w", "t");
      backups.create(database);
      backups.delete(3);
      assertThat(target.directory("files").files()).hasSizeLessThan(2 * files);
      backups.prune(1);
    }
    assertThat(backups.list()).extracting(Backups.Backup::id).containsExactly(2L);
    assertThat(backups.verify(2)).isEmpty();
    assertThat(restored(2)).containsExactly("1 one");
    backups.delete(2);
    assertThat(target.directory("files").files()).isEmpty();
    assertThatThrownBy(() -> backups.prune(0)).hasMessageContaining("allowed 1 or more");
  }

  @Test
  void onlyNewFilesAreReadAndCopied() throws IOException {
    CountingDirectory source = new CountingDirectory(new MemoryDirectory());
    CountingDirectory counted = new CountingDirectory(target);
    Backups incremental = Backups.in(counted);
    try (Database database = open(source)) {
      for (int i = 0; i < 200; i++) {
        write(database, i, "value " + i);
      }
      database.flush();
      Backups.Backup first = incremental.create(database);
      assertThat(counted.count(Operation.CREATE, "files/copy.tmp")).isPositive();
      assertThat(source.count(Operation.READ, "*-Data.db")).isPositive();

      source.reset();
      counted.reset();
      Backups.Backup second = incremental.create(database);
      assertThat(source.count(Operation.READ, "*-Data.db")).isZero();
      assertThat(second.bytes()).isEqualTo(first.bytes());
      // Nothing was written in between: the log and the identity are the same, too.
      assertThat(counted.count(Operation.CREATE, "files/copy.tmp")).isLessThanOrEqualTo(1);
      assertThat(second.copiedBytes()).isLessThan(100);

      write(database, 1000, "new");
      database.flush();
      source.reset();
      counted.reset();
      Backups.Backup third = incremental.create(database);
      assertThat(source.count(Operation.OPEN, "*-Data.db")).isLessThanOrEqualTo(3);
      assertThat(third.copiedBytes()).isLessThan(first.copiedBytes());
      assertThat(counted.bytes(Operation.WRITE, "files/*")).isEqualTo(third.copiedBytes());
    }
    assertThat(restored(3)).hasSize(201);
  }

  /** A file name may come again with another content, as after a restore. */
  @Test
  void anotherContentOfTheSameNameIsNotTakenForTheFirst() throws IOException {
    Directory early = new MemoryDirectory();
    try (Database database = open(new MemoryDirectory())) {
      backups.create(database);
      backups.restore(1, early);
      write(database, 1, "aaaa");
      database.flush();
      backups.create(database);
    }
    try (Database database = open(early)) {
      write(database, 1, "bbbb");
      database.flush();
      backups.create(database);
    }
    assertThat(restored(2)).containsExactly("1 aaaa");
    assertThat(restored(3)).containsExactly("1 bbbb");
  }

  private String content(String ending) throws IOException {
    Directory contents = target.directory("files");
    Directory view = backups.directory(1).directory("data").directory("w");
    Directory table = view.directory(view.directories().get(0));
    String name = table.files().stream().filter(n -> n.endsWith(ending)).findFirst().orElseThrow();
    for (String file : contents.files()) {
      if (contents.length(file) == table.length(name)) {
        return file;
      }
    }
    throw new AssertionError(name);
  }

  private void replace(String name, byte[] bytes) throws IOException {
    Directory contents = target.directory("files");
    contents.delete(name);
    try (WritableFile file = contents.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }

  @Test
  void aDamagedContentIsNamedAndNotUsedAgain() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      for (int i = 0; i < 50; i++) {
        write(database, i, "value " + i);
      }
      database.flush();
      backups.create(database);
      String data = content("-Data.db");
      long length = target.directory("files").length(data);

      // Missing: named, and copied again.
      target.directory("files").delete(data);
      requireNamed(data, "is missing");
      backups.create(database);
      assertThat(backups.verify(1)).isEmpty();

      // Of another length: the same.
      replace(data, new byte[3]);
      requireNamed(data, "has 3 bytes, not " + length);
      backups.create(database);
      assertThat(backups.verify(1)).isEmpty();

      // With other bytes: only comparing finds it.
      replace(data, new byte[(int) length]);
      requireNamed(data, "SHA-256 is not its name");
      backups.create(database);
      assertThat(backups.verify(1)).hasSize(1);
      backups.verifying(true).create(database);
      assertThat(backups.verify(1)).isEmpty();
    }
    assertThat(restored(1)).hasSize(50);
  }

  private void requireNamed(String content, String what) throws IOException {
    assertThat(backups.verify(1))
        .singleElement()
        .satisfies(
            e -> assertThat(e).hasMessageContaining(content).hasMessageContaining("-Data.db"))
        .satisfies(e -> assertThat(e).hasMessageContaining(what));
    Directory copy = new MemoryDirectory();
    assertThatThrownBy(() -> backups.restore(1, copy))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(content)
        .hasMessageContaining(what);
    assertThat(copy.files()).isEmpty();
    assertThat(copy.directories()).isEmpty();
  }

  @Test
  void aDamagedManifestIsNamedAndCanBeDeleted() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      write(database, 1, "one");
      backups.create(database);
      backups.create(database);
      Directory manifests = target.directory("backups");
      manifests.truncate("1.jsonl", manifests.length("1.jsonl") - 10);
      assertThatThrownBy(backups::list)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("backups/1.jsonl")
          .hasMessageContaining("if backup 1 is deleted, the others can be used");
      assertThatThrownBy(() -> backups.create(database)).hasMessageContaining("1.jsonl");
      assertThat(restored(2)).containsExactly("1 one");
      backups.delete(1);
      assertThat(backups.create(database).id()).isEqualTo(3);
    }
    assertThat(restored(2)).containsExactly("1 one");
  }

  @Test
  void oneBackupAtATimeIsMade() throws IOException {
    try (Database database = open(new MemoryDirectory());
        Closeable held = target.lock("lock")) {
      assertThatThrownBy(() -> backups.create(database))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("a backup is being made there");
      assertThat(held).isNotNull();
      assertThat(backups.list()).isEmpty();
    }
  }

  @Test
  void closingWaitsForABackup() throws Exception {
    CountDownLatch copying = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Database database = open(new MemoryDirectory());
    write(database, 1, "one");
    Backups told =
        backups.progress(
            bytes -> {
              copying.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread backup = new Thread(() -> run(failure, () -> told.create(database)));
    backup.start();
    copying.await();
    // Writes and flushes go on, and are not in the backup.
    write(database, 2, "two");
    database.flush();
    Thread close = new Thread(() -> run(failure, database::close));
    close.start();
    while (close.getState() != Thread.State.WAITING
        && close.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(close.isAlive()).isTrue();
    goOn.countDown();
    backup.join();
    close.join();
    assertThat(failure.get()).isNull();
    assertThat(restored(1)).containsExactly("1 one");
    assertThatThrownBy(() -> backups.create(database)).isInstanceOf(IllegalStateException.class);
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void run(AtomicReference<Throwable> failure, Step step) {
    try {
      step.run();
    } catch (Throwable e) {
      failure.set(e);
    }
  }

  @Test
  void aFullDiskLeavesTheEarlierBackupsAndNothingElse() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      write(database, 1, "one");
      database.flush();
      backups.create(database);
      List<String> files = target.directory("files").files();
      write(database, 2, "two");
      database.flush();
      for (int call = 1; ; call++) {
        Fault full =
            Fault.on(Operation.WRITE, Operation.CREATE, Operation.SYNC)
                .call(call)
                .fails(Fault.NO_SPACE);
        Directory faulty = new FaultyDirectory(target, 1, full);
        try {
          Backups.in(faulty).create(database);
          assertThat(full.fired()).isZero();
          break;
        } catch (IOException e) {
          assertThat(e).hasStackTraceContaining(Fault.NO_SPACE);
          assertThat(backups.list()).hasSize(1);
          assertThat(target.directory("files").files()).isEqualTo(files);
        }
      }
    }
    assertThat(restored(1)).containsExactly("1 one");
    assertThat(restored(2)).containsExactly("1 one", "2 two");
  }

  @Test
  void aRestoreOnAFullDiskLeavesNothing() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      write(database, 1, "one");
      backups.create(database);
    }
    for (int call = 1; ; call++) {
      Fault full =
          Fault.on(Operation.WRITE, Operation.CREATE, Operation.SYNC)
              .call(call)
              .fails(Fault.NO_SPACE);
      Directory copy = new MemoryDirectory();
      try {
        backups.restore(1, new FaultyDirectory(copy, 1, full));
        assertThat(full.fired()).isZero();
        break;
      } catch (IOException e) {
        assertThat(e).hasStackTraceContaining(Fault.NO_SPACE);
      }
      // What may be left is replaced by another attempt.
      backups.restore(1, copy);
      try (Database database = Database.open(copy, options)) {
        assertThat(rows(database)).containsExactly("1 one");
      }
    }
  }

  @Test
  void aTargetThatIsNotEmptyIsLeftAlone() throws IOException {
    Directory other = new MemoryDirectory();
    try (Database database = open(other)) {
      write(database, 1, "one");
      backups.create(database);
    }
    assertThatThrownBy(() -> backups.restore(1, other)).hasMessageContaining("is not empty");
    try (Database database = open(other)) {
      assertThat(rows(database)).containsExactly("1 one");
    }
  }

  @Test
  void theArchivedLogIsRestoredToAPointInTime() throws IOException {
    Directory archive = new MemoryDirectory();
    DatabaseOptions archiving =
        options.toBuilder()
            .commitLog(CommitLogOptions.builder().segmentBytes(1024).archive(archive).build())
            .build();
    List<String> atTen = List.of();
    List<String> all;
    try (Database database = Database.open(leaks.watch(new MemoryDirectory()), archiving)) {
      database.createTable(CREATE);
      write(database, 0, "before");
      backups.create(database);
      for (int i = 1; i <= 60; i++) {
        now.set(NOON.plusSeconds(i));
        write(database, i, "value " + i);
        if (i % 20 == 0) {
          database.flush();
        }
        if (i == 10) {
          atTen = rows(database);
        }
      }
      all = rows(database);
      database.flush();
    }
    assertThat(archive.files()).hasSizeGreaterThan(3);
    assertThat(restoredTo(archive, NOON.plusSeconds(10))).isEqualTo(atTen);
    assertThat(restoredTo(archive, NOON)).containsExactly("0 before");
    // The newest segment was not archived yet.
    List<String> most = restoredTo(archive, Instant.MAX);
    assertThat(all).containsAll(most);
    assertThat(most).hasSizeGreaterThan(40);
    assertThatThrownBy(() -> restoredTo(archive, NOON.minusSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("backup 1 is of 2026-03-01T12:00:00Z");

    archive.delete(archive.files().get(2));
    assertThatThrownBy(() -> restoredTo(archive, Instant.MAX))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("CommitLog-");
  }

  private List<String> restoredTo(Directory archive, Instant upTo) throws IOException {
    Directory copy = new MemoryDirectory();
    backups.restore(1, copy, archive, upTo);
    List<String> rows;
    try (Database database = Database.open(leaks.watch(copy), options)) {
      rows = rows(database);
      write(database, 9999, "goes on");
    }
    try (Database database = Database.open(leaks.watch(copy), options)) {
      assertThat(rows(database)).hasSize(rows.size() + 1);
    }
    return rows;
  }

  /** Flushes go on, and would delete segments that are still to be copied. */
  @Test
  void segmentsStayWhileABackupIsMadeAndGoAfterwards() throws IOException {
    Directory disk = new MemoryDirectory();
    RefusingDirectory refusing = new RefusingDirectory(disk);
    DatabaseOptions small =
        options.toBuilder()
            .commitLog(CommitLogOptions.builder().segmentBytes(1024).build())
            .build();
    try (Database database = Database.open(leaks.watch(refusing), small)) {
      database.createTable(CREATE);
      for (int i = 0; i < 50; i++) {
        write(database, i, "before");
      }
      List<String> before = rows(database);
      List<String> segments = disk.directory("commitlog").files();
      assertThat(segments).hasSizeGreaterThan(3);
      backups
          .progress(
              bytes -> {
                try {
                  write(database, 1, "meanwhile");
                  database.flush();
                  database.sync();
                  assertThat(disk.directory("commitlog").files()).containsAll(segments);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              })
          .create(database);
      for (int i = 0; i < 50; i++) {
        write(database, i, "after");
      }
      database.flush();
      database.sync();
      database.sync();
      assertThat(disk.directory("commitlog").files()).doesNotContainAnyElementsOf(segments);
      assertThat(refusing.refused()).isZero();
      assertThat(restored(1)).isEqualTo(before);
    }
  }

  @Test
  void realDirectories(@TempDir Path temporary) throws IOException {
    Path root = temporary.resolve("db");
    Backups here = Backups.in(temporary.resolve("backups"));
    try (Database database = Database.open(root, options)) {
      database.createTable(CREATE);
      write(database, 1, "one");
      database.flush();
      write(database, 2, "two");
      here.create(database);
      assertThat(here.create(database).copiedBytes()).isLessThan(100);
    }
    here.bytesPerSecond(10 << 20).restore(1, temporary.resolve("copy"));
    try (Database database = Database.open(temporary.resolve("copy"), options)) {
      assertThat(rows(database)).containsExactly("1 one", "2 two");
    }
    try (Database database = Database.open(here.directory(2), readOnly)) {
      assertThat(rows(database)).containsExactly("1 one", "2 two");
    }
  }
}
