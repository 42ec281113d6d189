package com.example.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.kafka.broker.LocalBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.DoubleDeserializer;
import org.apache.kafka.common.serialization.DoubleSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.query.StateQueryResult;
import org.apache.kafka.streams.query.TimestampedKeyQuery;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StationHighsTest {
  private static final Instant NOON = Instant.parse("2026-06-15T12:00:00Z");

  @TempDir private Path directory;

  @Test
  void highsGoOnAfterARestart() throws Exception {
    try (LocalBroker broker =
        LocalBroker.start(Files.createDirectory(directory.resolve("broker")))) {
      String servers = broker.bootstrapServers();
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
        admin
            .createTopics(
                List.of(
                    new NewTopic(StationHighs.READINGS, 1, (short) 1),
                    new NewTopic(StationHighs.HIGHS, 1, (short) 1)))
            .all()
            .get();
      }
      try (Producer<String, Double> readings =
              new KafkaProducer<>(
                  Map.of("bootstrap.servers", servers),
                  new StringSerializer(),
                  new DoubleSerializer());
          Consumer<String, Double> highs =
              new KafkaConsumer<>(
                  Map.of(
                      "bootstrap.servers", servers,
                      "group.id", "test",
                      "auto.offset.reset", "earliest",
                      "isolation.level", "read_committed"),
                  new StringDeserializer(),
                  new DoubleDeserializer())) {
        highs.subscribe(List.of(StationHighs.HIGHS));
        try (KafkaStreams streams = start(servers)) {
          send(readings, "Bonn", 19.0, 0);
          send(readings, "Bonn", 21.5, 10);
          assertEquals(21.5, lastHigh(highs, 21.5));
          // Both readings of the hour, in the window store.
          try (var windows =
              streams
                  .store(
                      StoreQueryParameters.fromNameAndType(
                          StationHighs.HOURLY, QueryableStoreTypes.<String, Long>windowStore()))
                  .fetch("Bonn", NOON, NOON)) {
            assertEquals(2, windows.next().value);
          }
          StateQueryResult<ValueAndTimestamp<Double>> high =
              streams.query(
                  StateQueryRequest.inStore(StationHighs.HIGHS)
                      .withQuery(TimestampedKeyQuery.<String, Double>withKey("Bonn")));
          assertEquals(21.5, high.getOnlyPartitionResult().getResult().value());
        }
        try (KafkaStreams streams = start(servers)) {
          send(readings, "Bonn", 20.0, 20);
          send(readings, "Bonn", 22.0, 30);
          assertEquals(22.0, lastHigh(highs, 22.0));
          assertTrue(streams.state().isRunningOrRebalancing());
        }
        runsWithADatabaseElsewhere(servers, readings, highs);
      }
    }
    assertTrue(Files.isDirectory(directory.resolve("state/station-highs/global/siltstone-closed")));
    assertThrows(ClassNotFoundException.class, () -> Class.forName("org.rocksdb.RocksDB"));
  }

  /** The state is restored into it, and read from a checkpoint. */
  private void runsWithADatabaseElsewhere(
      String servers, Producer<String, Double> readings, Consumer<String, Double> highs)
      throws Exception {
    Path checkpoint = directory.resolve("checkpoint");
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Void> run =
        CompletableFuture.runAsync(
            () -> {
              try {
                HostedHighs.run(
                    properties(servers, "other"), directory.resolve("database"), checkpoint, end);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    send(readings, "Bonn", 23.0, 40);
    assertEquals(23.0, lastHigh(highs, 23.0));
    end.countDown();
    run.get();
    assertTrue(
        SavedHighs.read(SavedHighsTest.table(checkpoint, "highs")).get(0).startsWith("Bonn"));
  }

  private KafkaStreams start(String servers) {
    KafkaStreams streams = new KafkaStreams(StationHighs.topology(), properties(servers, "state"));
    streams.start();
    return streams;
  }

  private Properties properties(String servers, String state) {
    Properties properties = StationHighs.properties(servers, directory.resolve(state));
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    // A restart takes the place of the instance before at once, not after the session's timeout.
    properties.put(StreamsConfig.consumerPrefix("group.instance.id"), "test");
    return properties;
  }

  private static void send(
      Producer<String, Double> readings, String station, double degrees, int minute)
      throws Exception {
    long time = NOON.plus(Duration.ofMinutes(minute)).toEpochMilli();
    readings.send(new ProducerRecord<>(StationHighs.READINGS, null, time, station, degrees)).get();
  }

  /** Reads what the application writes until that high appears, and returns the last. */
  private static double lastHigh(Consumer<String, Double> highs, double awaited) {
    List<Double> found = new ArrayList<>();
    while (!found.contains(awaited)) {
      highs.poll(Duration.ofSeconds(1)).forEach(high -> found.add(high.value()));
    }
    return found.get(found.size() - 1);
  }
}
