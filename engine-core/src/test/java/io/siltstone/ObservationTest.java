package io.siltstone;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Condition;
import io.siltstone.rows.LiveRows;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.StoredSummary;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.statistics.WriteSummary;
import io.siltstone.table.GuardedListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be seen of a database at work: counted writes, slow reads, events of a recording. */
class ObservationTest {
  private static final String READINGS =
      "CREATE TABLE w.readings (station text, day int, at int, celsius double,"
          + " PRIMARY KEY ((station, day), at))";

  @TempDir private Path temporary;

  private final List<EngineListener.SlowRead> slow = new ArrayList<>();
  private final MemoryDirectory disk = new MemoryDirectory();

  private DatabaseOptions options(Duration slowRead) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .slowReadThreshold(slowRead)
        .listener(
            new EngineListener() {
              @Override
              public void slowRead(SlowRead event) {
                slow.add(event);
              }
            })
        .build();
  }

  private static void put(Table table, int day, int at) throws IOException {
    table.write(table.mutation("Cologne", day).insert(at).set("celsius", 21.5).build());
  }

  private static int read(Table table, int day) throws IOException {
    int rows = 0;
    try (LiveRows found = table.read(table.query().partition("Cologne", day).build())) {
      for (; found.hasNext(); rows++) {
        found.next();
      }
    }
    return rows;
  }

  @Test
  void countsEachMutationThatIsWritten() throws IOException {
    try (Database database = Database.open(disk, options(Duration.ZERO))) {
      Table readings = database.createTable(READINGS);
      Table others = database.createTable(READINGS.replace("readings", "others"));
      put(readings, 1, 1);
      readings.writeAsync(readings.mutation("Cologne", 1).deleteRow(7).build());
      database.write(
          Batch.of(
              readings.mutation("Cologne", 1).insert(2).set("celsius", 1.5).build(),
              readings.mutation("Bonn", 1).insert(2).set("celsius", 1.5).build(),
              others.mutation("Bonn", 1).insert(2).set("celsius", 1.5).build()));
      boolean isWritten =
          readings.writeIf(
              readings.mutation("Cologne", 1).insert(1).set("celsius", 0.0).build(),
              List.of(1),
              Condition.notExists());
      assertThat(isWritten).isFalse();
      assertThat(readings.statistics().writes().mutations()).isEqualTo(4);
      assertThat(readings.statistics().writes().micros().count()).isEqualTo(3);
      assertThat(readings.statistics().writes().micros().max()).isPositive();
      assertThat(others.statistics().writes().mutations()).isEqualTo(1);
      assertThat(others.statistics().writes().micros().count()).isEqualTo(1);
    }
  }

  @Test
  void theTimesOfAllWritesAreNotMoreThanTheTimeThatWentBy() throws IOException {
    try (KeyValueStore store = KeyValueStore.open(disk, options(Duration.ZERO))) {
      KeyValueBatch batch = new KeyValueBatch();
      for (int i = 0; i < 10_000; i++) {
        batch.put(("key" + i).getBytes(StandardCharsets.UTF_8), new byte[10]);
      }
      long startedAt = System.nanoTime();
      store.write(batch);
      long micros = (System.nanoTime() - startedAt) / 1000;
      WriteSummary writes = store.table().statistics().writes();
      assertThat(writes.mutations()).isEqualTo(10_000);
      assertThat(writes.micros().count()).isEqualTo(1);
      assertThat(writes.micros().mean() * writes.micros().count()).isLessThan(micros * 1.02 + 10);
    }
  }

  /** Else two of them, of two partitions, could wait for each other. */
  @Test
  void whoIsToldOfAReadOfAConditionalWriteCanWaitForWhoWritesToThePartition() throws Exception {
    AtomicReference<Table> opened = new AtomicReference<>();
    Set<String> ended = new HashSet<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void slowRead(SlowRead event) {
            writeElsewhere(event);
          }

          @Override
          public void corruptionFound(CorruptionFound event) {
            writeElsewhere(event);
          }

          private void writeElsewhere(Object event) {
            CompletableFuture<Void> written =
                CompletableFuture.runAsync(
                    () -> {
                      try {
                        put(requireNonNull(opened.get()), 1, 1);
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    });
            written.orTimeout(10, TimeUnit.SECONDS).join();
            ended.add(event.getClass().getSimpleName());
          }
        };
    DatabaseOptions options =
        options(Duration.ofNanos(1)).toBuilder().chunkCacheBytes(0).listener(listener).build();
    try (Database database = Database.open(temporary, options)) {
      Table readings = database.createTable(READINGS);
      opened.set(readings);
      put(readings, 1, 2);
      readings.flush();
      damageData();
      assertThatThrownBy(
              () ->
                  readings.writeIf(
                      readings.mutation("Cologne", 1).insert(2).set("celsius", 0.0).build(),
                      List.of(2),
                      Condition.exists()))
          .isInstanceOf(CorruptSSTableException.class);
      assertThat(ended).containsExactlyInAnyOrder("SlowRead", "CorruptionFound");
    }
  }

  private void damageData() throws IOException {
    Path data;
    try (var files = Files.walk(temporary)) {
      data = files.filter(file -> file.endsWith("oa-1-big-Data.db")).findFirst().orElseThrow();
    }
    try (FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {77}), file.size() / 2);
    }
  }

  @Test
  void addsUpWhatSSTablesSayOfThemselves() throws IOException {
    DatabaseOptions fixed =
        options(Duration.ZERO).toBuilder()
            .clock(InstantSource.fixed(Instant.parse("2026-11-21T10:00:00Z")))
            .build();
    try (Database database = Database.open(disk, fixed)) {
      Table readings =
          database.createTable(READINGS.replaceFirst("\\)\\)$", ")) WITH gc_grace_seconds = 0"));
      assertThat(readings.storedSummary().sstables()).isZero();
      for (int day = 0; day < 20; day++) {
        put(readings, day, 1);
      }
      readings.flush();
      for (int day = 10; day < 30; day++) {
        put(readings, day, 2);
      }
      readings.flush();
      StoredSummary stored = readings.storedSummary();
      assertThat(stored.sstables()).isEqualTo(2);
      assertThat(stored.levels().sstables()).containsExactly(2);
      assertThat(stored.levels().bytes()).containsExactly(stored.sizes().onDisk());
      assertThat(stored.sizes().largest())
          .isBetween(stored.sizes().onDisk() / 2, stored.sizes().onDisk());
      assertThat(stored.sizes().data()).isEqualTo(readings.statistics().sstables().dataBytes());
      // All files: more than the data files.
      assertThat(stored.sizes().onDisk())
          .isGreaterThan(readings.statistics().sstables().onDiskBytes());
      assertThat(
              stored.offHeap().filters()
                  + stored.offHeap().summaries()
                  + stored.offHeap().offsets())
          .isEqualTo(readings.statistics().sstables().offHeapBytes());
      // Ten partitions are in both.
      assertThat(stored.counts().partitions()).isEqualTo(30);
      assertThat(stored.counts().rows()).isEqualTo(40);
      assertThat(stored.counts().partitionSizes().count()).isEqualTo(40);
      assertThat(stored.counts().droppableTombstoneRatio()).isZero();
      assertThat(stored.sizes().repaired()).isZero();
    }
  }

  @Test
  void tellsWhichShareOfCellsMayGo() throws IOException {
    Instant now = Instant.parse("2026-11-21T10:00:00Z");
    Instant[] clock = {now};
    DatabaseOptions options = options(Duration.ZERO).toBuilder().clock(() -> clock[0]).build();
    try (Database database = Database.open(disk, options)) {
      Table readings =
          database.createTable(READINGS.replaceFirst("\\)\\)$", ")) WITH gc_grace_seconds = 3600"));
      for (int at = 0; at < 50; at++) {
        put(readings, 1, at);
      }
      for (int at = 50; at < 100; at++) {
        readings.write(readings.mutation("Cologne", 1).update(at).delete("celsius").build());
      }
      readings.flush();
      assertThat(readings.storedSummary().counts().droppableTombstoneRatio()).isZero();
      clock[0] = now.plusSeconds(7200);
      assertThat(readings.storedSummary().counts().droppableTombstoneRatio()).isBetween(0.45, 0.55);
    }
  }

  @Test
  void tellsOfSlowReads() throws IOException {
    try (Database database = Database.open(disk, options(Duration.ofNanos(1)))) {
      Table readings = database.createTable(READINGS);
      put(readings, 3, 1);
      readings.flush();
      assertThat(read(readings, 3)).isEqualTo(1);
      assertThat(read(readings, 3)).isEqualTo(1);
    }
    assertThat(slow)
        .extracting(
            EngineListener.SlowRead::key,
            read -> read.table().toString(),
            EngineListener.SlowRead::sstables,
            EngineListener.SlowRead::chunksRead)
        // The reader still has the chunk when it is asked again.
        .containsExactly(
            tuple("Cologne:3", "w.readings", 1, 1L), tuple("Cologne:3", "w.readings", 1, 0L));
    assertThat(slow.get(0).bytesRead()).isPositive();
    assertThat(slow.get(0).duration()).isPositive();
  }

  @Test
  void tellsOfNoReadBelowTheThreshold() throws IOException {
    for (Duration threshold : List.of(Duration.ZERO, Duration.ofDays(365_000))) {
      try (Database database = Database.open(new MemoryDirectory(), options(threshold))) {
        Table readings = database.createTable(READINGS);
        put(readings, 3, 1);
        assertThat(read(readings, 3)).isEqualTo(1);
      }
    }
    assertThat(slow).isEmpty();
  }

  @Test
  void refusesANegativeThreshold() {
    assertThatThrownBy(() -> options(Duration.ofMillis(-1)))
        .hasMessageContaining("slowReadThreshold PT-0.001S");
  }

  @Test
  void anOtherListenerHearsWhatOneThrowsOn() throws IOException {
    List<String> heard = new ArrayList<>();
    EngineListener failing =
        new EngineListener() {
          @Override
          public void tableDropped(TableDropped event) {
            throw new IllegalStateException("on purpose");
          }
        };
    EngineListener listening =
        new EngineListener() {
          @Override
          public void tableDropped(TableDropped event) {
            heard.add(event.table().toString());
          }
        };
    GuardedListener.of(failing, listening)
        .tableDropped(
            new EngineListener.TableDropped(new TableId("w", "readings", new UUID(0, 1))));
    assertThat(heard).containsExactly("w.readings");
  }

  /** All events of the engine that are recorded while something is done, by time. */
  private List<RecordedEvent> record(Step step) throws Exception {
    Path file = temporary.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      step.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("siltstone."))
        .collect(Collectors.toList());
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  @Test
  void aRecordingHasFlushMissAndSlowRead() throws Exception {
    List<RecordedEvent> events =
        record(
            () -> {
              try (Database database = Database.open(disk, options(Duration.ofNanos(1)))) {
                Table readings = database.createTable(READINGS);
                put(readings, 3, 1);
                readings.flush();
                assertThat(read(readings, 3)).isEqualTo(1);
              }
            });
    assertThat(events)
        .extracting(event -> event.getEventType().getName())
        .containsExactlyInAnyOrder(
            "siltstone.Flush", "siltstone.ChunkCacheMiss", "siltstone.SlowRead");
    for (RecordedEvent event : events) {
      assertThat(event.getEventType().getCategoryNames()).containsExactly("Siltstone");
      assertThat(event.getEventType().getDescription()).isNotEmpty();
      switch (event.getEventType().getName()) {
        case "siltstone.Flush" -> {
          assertThat(event.getString("table")).isEqualTo("w.readings");
          assertThat(event.getInt("sstables")).isEqualTo(1);
          assertThat(event.getLong("bytesWritten")).isPositive();
          assertThat(event.getLong("memtableBytes")).isPositive();
          assertThat(event.getDuration()).isPositive();
          assertThat(event.getString("failure")).isNull();
        }
        case "siltstone.ChunkCacheMiss" -> {
          assertThat(event.getString("path")).endsWith("-Data.db");
          assertThat(event.getLong("position")).isZero();
          assertThat(event.getInt("length")).isPositive();
          assertThat(event.getLong("bytesRead")).isPositive();
          assertThat(event.getBoolean("isKept")).isTrue();
        }
        default -> {
          assertThat(event.getString("key")).isEqualTo("Cologne:3");
          assertThat(event.getInt("sstables")).isEqualTo(1);
          assertThat(event.getDuration("took")).isPositive();
        }
      }
    }
  }

  @Test
  void aRecordingHasCompactionsAndDamage() throws Exception {
    TableId table = new TableId("w", "readings", new UUID(0, 1));
    List<Descriptor> inputs = List.of(Descriptor.parse("oa-1-big-Data.db"));
    List<RecordedEvent> events =
        record(
            () -> {
              FlightRecorderListener listener = new FlightRecorderListener();
              for (int i = 0; i < 2; i++) {
                listener.compactionStarted(
                    new EngineListener.CompactionStarted(
                        table, new UUID(0, i), "MAJOR", inputs, 100));
              }
              listener.compactionCompleted(
                  new EngineListener.CompactionCompleted(
                      table,
                      new UUID(0, 0),
                      "MAJOR",
                      inputs,
                      List.of(),
                      new EngineListener.CompactionCompleted.Totals(90, 80, 7, 8, List.of(7L)),
                      Duration.ofSeconds(1)));
              listener.compactionFailed(
                  new EngineListener.CompactionFailed(
                      table, new UUID(0, 1), "MAJOR", inputs, new IOException("no disk")));
              listener.corruptionFound(
                  new EngineListener.CorruptionFound(
                      null, "/a/Data.db", new IOException("checksum at 4096")));
            });
    assertThat(events)
        .extracting(event -> event.getEventType().getName())
        .containsExactlyInAnyOrder(
            "siltstone.Compaction", "siltstone.Compaction", "siltstone.Corruption");
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().equals("siltstone.Corruption")) {
        assertThat(event.getString("path")).isEqualTo("/a/Data.db");
        assertThat(event.getString("reason")).isEqualTo("checksum at 4096");
        assertThat(event.getString("table")).isNull();
      } else if (event.getString("failure") == null) {
        assertThat(event.getLong("bytesRead")).isEqualTo(90);
        assertThat(event.getLong("bytesWritten")).isEqualTo(80);
        assertThat(event.getLong("rows")).isEqualTo(8);
        assertThat(event.getString("operation")).isEqualTo("MAJOR");
      } else {
        assertThat(event.getString("failure")).contains("no disk");
        assertThat(event.getLong("bytesRead")).isEqualTo(100);
      }
    }
  }
}
