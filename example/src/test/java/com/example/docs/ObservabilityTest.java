package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.event.EngineListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/observability.md. */
class ObservabilityTest {
  @TempDir private Path directory;

  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  @Test
  void listenerAndRecording() throws Exception {
    EngineListener listener =
        new EngineListener() {
          @Override
          public void flushCompleted(FlushCompleted event) {
            told.add(event.table() + " flushed " + event.bytes() + " bytes");
          }

          @Override
          public void slowRead(SlowRead event) {
            told.add(
                event.key() + " took " + event.duration() + ", " + event.sstables() + " files");
          }
        };
    DatabaseOptions options =
        DatabaseOptions.builder()
            .listener(listener)
            .slowReadThreshold(Duration.ofNanos(1)) // to see some
            .build();
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("siltstone.Flush");
      recording.enable("siltstone.SlowRead");
      recording.start();
      try (Database db = Database.open(directory.resolve("db"), options)) {
        Table table = db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
        table.write(table.mutation(1).insert().set("v", "a").build());
        table.flush();
        table.get(table.query().partition(1).build());
      }
      recording.stop();
      Path file = directory.resolve("siltstone.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }

    assertTrue(told.stream().anyMatch(line -> line.contains("flushed")), told.toString());
    assertTrue(told.stream().anyMatch(line -> line.startsWith("1 took")), told.toString());
    List<String> names = events.stream().map(event -> event.getEventType().getName()).toList();
    assertTrue(names.contains("siltstone.Flush"), names.toString());
    assertTrue(names.contains("siltstone.SlowRead"), names.toString());
  }

  @Test
  void whatBecameOfAKey() throws Exception {
    List<String> verdicts = new ArrayList<>();
    try (Database db = Database.open(directory.resolve("db"))) {
      Table table = db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "a").build());
      table.flush();
      table.write(table.mutation(1).insert().set("v", "b").build());

      Query query = table.query().partition(1).build();
      table.explain(query, finding -> verdicts.add(finding.item() + " is " + finding.verdict()));
      ReadTrace trace = new ReadTrace();
      try (LiveRows rows = table.read(query, trace)) {
        rows.forEachRemaining(row -> {});
      }
      System.out.println(trace.sstables().size() + " SSTables, " + trace.nanos() + " ns");
    }

    assertEquals(4, verdicts.size(), verdicts.toString());
    assertEquals(2, verdicts.stream().filter(line -> line.endsWith("SHADOWED")).count());
  }
}
