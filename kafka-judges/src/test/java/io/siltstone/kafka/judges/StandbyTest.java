package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.broker.LocalBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances of an application with a broker: the standby shows what the active task shows at
 * the same position, takes over without a restore, and goes on; the other one, whose state was
 * cleaned up, becomes its standby.
 */
class StandbyTest {
  private static final List<String> KEYS = List.of("a", "b", "c");
  private static final int RECORDS = 60;

  // Recent, as the broker deletes what is older than the retention.
  private final long start = System.currentTimeMillis() / 10_000 * 10_000 - 3_600_000;

  @TempDir private Path directory;

  @Test
  void aStandbyTakesOverWithEverything() throws Exception {
    try (LocalBroker broker =
        LocalBroker.start(Files.createDirectory(directory.resolve("broker")))) {
      String servers = broker.bootstrapServers();
      Map<String, Object> client = Map.of("bootstrap.servers", servers);
      try (Admin admin = Admin.create(client)) {
        admin.createTopics(List.of(new NewTopic(StandbyInstance.TOPIC, 1, (short) 1))).all().get();
      }
      try (Producer<String, String> input =
              new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
          StandbyInstance one = start(servers, "one");
          StandbyInstance other = start(servers, "other")) {
        StandbyInstance.awaitTasks(one, other);
        StandbyInstance active = one.isActive() ? one : other;
        StandbyInstance standby = one.isActive() ? other : one;
        PositionBound sent = send(input, 0);
        List<String> content = active.content(KEYS, sent);
        assertThat(content)
            .filteredOn(line -> line.startsWith("counts "))
            .hasSize(KEYS.size())
            .allMatch(line -> line.endsWith(", " + RECORDS / KEYS.size() + ")"));
        assertThat(content).hasSizeGreaterThan(RECORDS);
        assertThat(standby.content(KEYS, sent)).isEqualTo(content);

        active.stop();
        standby.awaitActive();
        assertThat(standby.content(KEYS, sent)).isEqualTo(content);
        assertThat(standby.restored()).isZero();

        PositionBound more = send(input, RECORDS);
        List<String> later = standby.content(KEYS, more);
        assertThat(later).hasSizeGreaterThan(content.size());
        active.cleanUp();
        try (StandbyInstance again = start(servers, active == one ? "one" : "other")) {
          StandbyInstance.awaitTasks(standby, again);
          assertThat(again.content(KEYS, more)).isEqualTo(later);
        }
      }
    }
  }

  private StandbyInstance start(String servers, String name) {
    return new StandbyInstance(servers, name, directory.resolve(name));
  }

  /** Sends records of all keys in turn, and returns the position after them. */
  private PositionBound send(Producer<String, String> input, int first) throws Exception {
    RecordMetadata last = null;
    for (int i = first; i < first + RECORDS; i++) {
      last =
          input
              .send(
                  new ProducerRecord<>(
                      StandbyInstance.TOPIC,
                      0,
                      start + 2_500L * i,
                      KEYS.get(i % KEYS.size()),
                      "value " + i))
              .get();
    }
    return PositionBound.at(
        Position.emptyPosition().withComponent(last.topic(), last.partition(), last.offset()));
  }
}
