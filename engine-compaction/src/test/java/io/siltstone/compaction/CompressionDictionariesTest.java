package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Backups;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.liveset.DictionaryFile;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.Contents;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compression dictionaries of a table: when they are trained, and where they are kept. */
class CompressionDictionariesTest {
  private static final String CREATE =
      "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compaction = {'class':"
          + " 'SizeTieredCompactionStrategy', 'enabled': 'false'} AND compression = {'class':"
          + " 'ZstdDictionaryCompressor', 'chunk_length_in_kb': '4',"
          + " 'training_max_dictionary_size': '2KiB'%s}";
  private static final int ROWS = 400;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private final AtomicLong now =
      new AtomicLong(Instant.parse("2026-11-20T00:00:00Z").toEpochMilli());
  private final Random random = new Random(1);
  private int keys;

  private DatabaseOptions options(FormatVersion version) {
    return DatabaseOptions.builder()
        .compaction(new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
        .clock(() -> Instant.ofEpochMilli(now.get()))
        .formatVersion(version)
        .build();
  }

  private Database open() throws IOException {
    return Database.open(disk.directory("db"), options(FormatVersion.PA));
  }

  private static Table create(Database db) throws IOException {
    return db.createTable(CREATE.formatted(""));
  }

  private void pass(Duration time) {
    now.addAndGet(time.toMillis());
  }

  /** Writes an SSTable of rows that have the names of a kind in common. */
  private void flush(Table table, int kind) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      StringBuilder text = new StringBuilder();
      for (int field = 0; field < 50; field++) {
        text.append(Integer.toString((field + kind) * 7_919 + 40_000, 36)).append('=');
        text.append(random.nextInt(1_000)).append(';');
      }
      write(table, text.toString());
    }
    table.flush();
  }

  /** Writes an SSTable of rows that have nothing in common. */
  private void flushNoise(Table table) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      write(
          table,
          random
              .ints(400, ' ', '~')
              .mapToObj(each -> String.valueOf((char) each))
              .collect(Collectors.joining()));
    }
    table.flush();
  }

  private void write(Table table, String value) throws IOException {
    table.write(table.mutation(keys++).insert().set("v", value).build());
  }

  private static CompactionReport ask(Table table, Operation operation) throws IOException {
    return table
        .compact(CompactionRequest.of(operation))
        .toCompletableFuture()
        .orTimeout(60, TimeUnit.SECONDS)
        .join()
        .orThrow();
  }

  /** Returns the dictionary of the newest SSTable; null for none. */
  private static CompressionDictionary newest(Table table) throws IOException {
    return table.live().tables().stream()
        .max((one, other) -> Long.compare(one.maxTimestamp(), other.maxTimestamp()))
        .orElseThrow()
        .compression()
        .dictionary();
  }

  private static List<CompressionDictionary> all(Table table) throws IOException {
    return table.live().tables().stream()
        .map(each -> each.compression().dictionary())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private static Directory files(Directory database) throws IOException {
    Directory keyspace = database.directory("data").directory("ks");
    return keyspace.directory(keyspace.directories().get(0));
  }

  private DictionaryFile kept() throws IOException {
    return DictionaryFile.read(files(disk.directory("db")));
  }

  @Test
  void aFlushTrainsFromWhatIsThere() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      flush(table, 0);
      assertThat(newest(table)).as("nothing to sample").isNull();
      flush(table, 0);
      CompressionDictionary first = newest(table);
      assertThat(first).isNotNull().isEqualTo(kept().dictionary());
      assertThat(first.createdMillis()).isEqualTo(now.get());
      LiveTable with = withDictionary(table, true);
      LiveTable without = withDictionary(table, false);
      assertThat(ratio(with)).isLessThan(0.9 * ratio(without));
      pass(Duration.ofMinutes(59));
      flush(table, 300);
      assertThat(newest(table)).as("trained less than an hour ago").isEqualTo(first);
    }
  }

  private static LiveTable withDictionary(Table table, boolean has) throws IOException {
    return table.live().tables().stream()
        .filter(each -> (each.compression().dictionary() != null) == has)
        .findFirst()
        .orElseThrow();
  }

  private static double ratio(LiveTable table) {
    return (double) table.onDiskBytes() / table.dataBytes();
  }

  /** The gain is measured, and a small one changes nothing. */
  @Test
  void aDictionaryIsReplacedOnlyWhenItsGainHasFallen() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      flush(table, 0);
      flush(table, 0);
      CompressionDictionary first = newest(table);
      pass(Duration.ofHours(2));
      flush(table, 0);
      assertThat(newest(table)).as("data of the same kind").isEqualTo(first);
      assertThat(kept().trainedMillis()).as("but it was tried").isEqualTo(now.get());
      pass(Duration.ofHours(2));
      for (int i = 0; i < 5; i++) {
        flush(table, 300);
      }
      pass(Duration.ofHours(2));
      ask(table, Operation.MAJOR);
      CompressionDictionary second = newest(table);
      assertThat(second).as("data of another kind").isNotEqualTo(first);
      assertThat(second.id()).isGreaterThan(first.id());
      assertThat(kept().dictionary()).isEqualTo(second);
    }
  }

  /** The time of a training is kept, whatever its result, so that another process sees it, too. */
  @Test
  void aRefusalIsNotTriedAgainBeforeItsTime() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      flushNoise(table);
      CompactionReport report = ask(table, Operation.RECOMPRESS);
      assertThat(report.completed()).as("no dictionary pays").isEmpty();
      assertThat(report.remarks())
          .anyMatch(each -> each.startsWith("the table has no compression dictionary"));
    }
    long tried = now.get();
    assertThat(kept()).isEqualTo(new DictionaryFile(tried, null));
    pass(Duration.ofMinutes(59));
    try (Database db = open()) {
      Table table = db.table("ks", "t");
      assertThat(ask(table, Operation.RECOMPRESS).completed()).isEmpty();
      assertThat(kept().trainedMillis()).isEqualTo(tried);
      pass(Duration.ofMinutes(1));
      assertThat(ask(table, Operation.RECOMPRESS).completed()).isEmpty();
      assertThat(kept().trainedMillis()).isEqualTo(now.get());
    }
  }

  @Test
  void aTrainingThatIsAskedForIsUsedByAllThatIsWrittenFromThenOn() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      flush(table, 0);
      CompactionReport report = ask(table, Operation.TRAIN_DICTIONARY);
      CompressionDictionary trained = kept().dictionary();
      assertThat(trained).isNotNull();
      assertThat(report.completed()).isEmpty();
      assertThat(report.remarks())
          .singleElement()
          .asString()
          .startsWith(trained + ", trained from ")
          .contains(" with no dictionary; it is used for SSTables that are written from now on");
      assertThat(newest(table)).as("nothing is rewritten").isNull();
      flush(table, 0);
      assertThat(newest(table)).isEqualTo(trained);
      assertThat(ask(table, Operation.RECOMPRESS).completed()).hasSize(1);
      assertThat(all(table)).containsExactly(trained);
      assertThat(ask(table, Operation.RECOMPRESS).completed()).isEmpty();
      assertThat(ask(table, Operation.TRAIN_DICTIONARY).remarks())
          .singleElement()
          .asString()
          .endsWith("it is not used, since that saves less than 5 %");
      assertThat(kept().dictionary()).isEqualTo(trained);
    }
  }

  /** An SSTable keeps the dictionary that it was written with; recompression brings the newest. */
  @Test
  void olderDictionariesStayAsLongAsSSTablesNeedThem() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      flush(table, 0);
      ask(table, Operation.TRAIN_DICTIONARY);
      flush(table, 0);
      CompressionDictionary first = newest(table);
      for (int i = 0; i < 8; i++) {
        flush(table, 300);
      }
      // The clock was set back meanwhile: the id must be greater nevertheless.
      pass(Duration.ofDays(-1));
      ask(table, Operation.TRAIN_DICTIONARY);
      CompressionDictionary second = kept().dictionary();
      assertThat(second.id()).isGreaterThan(first.id());
      flush(table, 300);
      assertThat(all(table)).containsExactlyInAnyOrder(first, second);
      List<String> rows = Contents.of(table);
      ask(table, Operation.RECOMPRESS);
      assertThat(all(table)).containsExactly(second);
      assertThat(Contents.of(table)).isEqualTo(rows);
    }
  }

  @Test
  void itOutlivesTheSSTablesAndIsPartOfCheckpointsAndBackups() throws IOException {
    Backups backups = Backups.in(disk.directory("backups"));
    CompressionDictionary trained;
    long backup;
    try (Database db = open()) {
      Table table = create(db);
      flush(table, 0);
      ask(table, Operation.TRAIN_DICTIONARY);
      trained = kept().dictionary();
      table.truncate();
      backup = backups.create(db).id();
      db.checkpoint(disk.directory("checkpoint"));
      flush(table, 0);
      assertThat(newest(table)).isEqualTo(trained);
    }
    assertThat(DictionaryFile.read(files(disk.directory("checkpoint"))).dictionary())
        .isEqualTo(trained);
    backups.restore(backup, disk.directory("restored"));
    try (Database db = Database.open(disk.directory("restored"), options(FormatVersion.PA))) {
      Table table = db.table("ks", "t");
      flush(table, 0);
      assertThat(newest(table)).isEqualTo(trained);
    }
    // A version without dictionaries does not use it.
    try (Database db = Database.open(disk.directory("restored"), options(FormatVersion.OA))) {
      Table table = db.table("ks", "t");
      flush(table, 0);
      assertThat(newest(table)).isNull();
      assertThat(Contents.of(table)).hasSize(2 * ROWS);
    }
  }

  @Test
  void whatCannotBeTrainedIsRefusedWithTheReason() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      assertThatThrownBy(() -> ask(table, Operation.TRAIN_DICTIONARY))
          .hasStackTraceContaining(
              "ks.t: there are too few samples for a compression dictionary: 0 chunks of 4 KiB");
      flush(table, 0);
      Table often =
          db.createTable(
              CREATE.formatted(", 'training_min_frequency': '2h'").replace("ks.t", "ks.often"));
      flush(often, 0);
      ask(often, Operation.TRAIN_DICTIONARY);
      pass(Duration.ofMinutes(119));
      assertThatThrownBy(() -> ask(often, Operation.TRAIN_DICTIONARY))
          .hasStackTraceContaining(
              "ks.often: the last training was less than training_min_frequency ago, 120m;");
      pass(Duration.ofMinutes(1));
      ask(often, Operation.TRAIN_DICTIONARY);
      Table plain = db.createTable("CREATE TABLE ks.plain (k int PRIMARY KEY, v text)");
      assertThatThrownBy(() -> ask(plain, Operation.TRAIN_DICTIONARY))
          .hasStackTraceContaining("ks.plain has no compressor that takes a dictionary");
    }
    try (Database db = Database.open(disk.directory("db"), options(FormatVersion.OA))) {
      assertThatThrownBy(() -> ask(db.table("ks", "t"), Operation.TRAIN_DICTIONARY))
          .hasStackTraceContaining(
              "ks.t: SSTables of version oa cannot have a compression dictionary, those of pa and"
                  + " ea can");
    }
  }

  @Test
  void whatFailedIsNoTrainingAfterWhichTimeMustPass() throws IOException {
    try (Database db = open()) {
      Table table = db.createTable(CREATE.formatted(", 'training_min_frequency': '2h'"));
      write(table, "a row is too little");
      table.flush();
      assertThatThrownBy(() -> ask(table, Operation.TRAIN_DICTIONARY))
          .hasStackTraceContaining("there are too few samples");
      pass(Duration.ofMinutes(1));
      flush(table, 0);
      ask(table, Operation.TRAIN_DICTIONARY);
      assertThat(kept().dictionary()).isNotNull();
    }
  }

  /** No data depends on the file. */
  @Test
  void aDamagedOrUnwritableFileStopsNothing() throws IOException {
    try (Database db = open()) {
      Table table = create(db);
      flush(table, 0);
      ask(table, Operation.TRAIN_DICTIONARY);
      flush(table, 0);
    }
    Directory files = files(disk.directory("db"));
    damage(files);
    assertThatThrownBy(() -> DictionaryFile.read(files))
        .hasMessageContaining("compression_dictionary: is damaged: its checksum is wrong");
    try (Database db = open()) {
      Table table = db.table("ks", "t");
      CompressionDictionary present = newest(table);
      flush(table, 0);
      assertThat(newest(table)).as("that of the SSTables").isEqualTo(present);
      pass(Duration.ofHours(2));
      ask(table, Operation.MAJOR);
      assertThat(kept()).as("written anew").isEqualTo(new DictionaryFile(now.get(), null));
    }
    FaultyDirectory faulty =
        new FaultyDirectory(
            disk,
            1,
            Fault.on(io.siltstone.testkit.Operation.CREATE)
                .files("*" + DictionaryFile.FILE + "*")
                .fails("no room"));
    try (Database db = Database.open(faulty.directory("other"), options(FormatVersion.PA))) {
      Table table = create(db);
      flush(table, 0);
      flush(table, 0);
      assertThat(newest(table)).as("trained nevertheless").isNotNull();
    }
    assertThat(faulty.fired()).isPositive();
  }

  private static void damage(Directory files) throws IOException {
    String text = io.siltstone.files.TextFile.read(files, DictionaryFile.FILE);
    io.siltstone.files.TextFile.replace(
        files, DictionaryFile.FILE, text.replace("dictionary 1", "dictionary 2"));
  }
}
