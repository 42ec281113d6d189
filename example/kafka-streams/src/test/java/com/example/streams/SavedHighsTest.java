package com.example.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.kafka.streams.StoreHost;
import io.siltstone.tools.Siltstone;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.DoubleSerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads a checkpoint of the application's state, by the program and by the command line. */
class SavedHighsTest {
  private static final Instant NOON = Instant.parse("2026-06-15T12:00:00Z");

  @TempDir private Path directory;

  @Test
  void aCheckpointHasKeysAndValuesAsColumns() throws IOException {
    Path checkpoint = directory.resolve("checkpoint");
    run(checkpoint);
    Path highs = table(checkpoint, "highs");
    assertEquals(
        List.of("Bonn 21.5 2026-06-15T12:00:00Z", "Oslo 14.0 2026-06-15T12:00:00Z"),
        SavedHighs.read(highs));

    // The command line and its output stand in the documentation.
    List<String> page = Files.readAllLines(page());
    int line = page.indexOf("siltstone export checkpoint --table highs --key 0x426f6e6e");
    assertTrue(line >= 0, "the command line is in the documentation");
    assertEquals(export(checkpoint, "--table", "highs", "--key", "0x426f6e6e"), page.get(line + 4));
    assertEquals(3, export(checkpoint, "--table", "highs").lines().count()); // with the offsets
  }

  private void run(Path checkpoint) throws IOException {
    Properties properties = StationHighs.properties("localhost:1", directory.resolve("state"));
    try (StoreHost host = StoreHost.builder(directory.resolve("host")).open()) {
      properties.put(StoreHost.HOST_CONFIG, host);
      try (TopologyTestDriver driver =
          new TopologyTestDriver(StationHighs.topology(), properties)) {
        TestInputTopic<String, Double> readings =
            driver.createInputTopic(
                StationHighs.READINGS, new StringSerializer(), new DoubleSerializer());
        readings.pipeInput("Oslo", 14.0, NOON);
        readings.pipeInput("Bonn", 19.0, NOON);
        readings.pipeInput("Bonn", 21.5, NOON);
        host.database().checkpoint(checkpoint);
      }
    }
  }

  static Path table(Path checkpoint, String store) throws IOException {
    try (Stream<Path> tables =
        Files.find(
            checkpoint.resolve("data"),
            2,
            (path, attributes) -> path.getFileName().toString().startsWith(store + "-"))) {
      return tables.findFirst().orElseThrow();
    }
  }

  private static String export(Path checkpoint, String... options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> command =
        Stream.concat(Stream.of("export", checkpoint.toString()), Stream.of(options)).toList();
    assertEquals(0, Siltstone.run(command.toArray(String[]::new), out, System.err));
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  private static Path page() {
    Path from = Path.of("").toAbsolutePath();
    while (!Files.exists(from.resolve("docs/kafka-streams.md"))) {
      from = from.getParent();
    }
    return from.resolve("docs/kafka-streams.md");
  }
}
