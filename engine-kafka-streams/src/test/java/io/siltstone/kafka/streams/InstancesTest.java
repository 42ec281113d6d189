package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.all;
import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.commit;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.kafka.streams.host.OpenDatabases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several instances of an application in one JVM. */
final class InstancesTest {
  @TempDir Path directory;

  @AfterEach
  void nothingIsOpenAfterTheLastClose() {
    assertThat(OpenDatabases.areNone()).isTrue();
  }

  private Properties properties(String state) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, StoreContext.APPLICATION);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(state).toString());
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, SiltstoneDslStoreSuppliers.class);
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    return properties;
  }

  private KafkaStreams instance(String state) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream("words").groupByKey().count(Materialized.as("counts"));
    return new KafkaStreams(builder.build(), properties(state));
  }

  private StoreContext context(String state) {
    return new StoreContext(directory.resolve(state), 0);
  }

  @Test
  void instancesWithStateDirectoriesOfTheirOwnHaveDatabasesOfTheirOwn() throws IOException {
    KeyValueStore<Bytes, byte[]> one = open("a", context("1"));
    KeyValueStore<Bytes, byte[]> other = open("a", context("2"));
    one.put(key("k"), bytes("1"));
    other.put(key("k"), bytes("2"));
    commit(one, 1);
    commit(other, 1);
    assertThat(OpenDatabases.find(directory.resolve("1"), StoreContext.APPLICATION))
        .isNotSameAs(OpenDatabases.find(directory.resolve("2"), StoreContext.APPLICATION));
    one.close();
    assertThat(all(other)).containsExactly("k=2");

    // The other instance goes on while the state of the first is cleaned up.
    try (KafkaStreams first = instance("1")) {
      first.cleanUp();
      assertThat(all(other)).containsExactly("k=2");
      one.init(context("1"), one);
      assertThat(all(one)).isEmpty();
      one.close();
    }
    other.close();
    other.init(context("2"), other);
    assertThat(all(other)).containsExactly("k=2");
    other.close();
  }

  @Test
  void anInstanceWithTheStateDirectoryOfAnotherIsRefused() {
    try (KafkaStreams first = instance("1")) {
      assertThat(first.state()).isEqualTo(KafkaStreams.State.CREATED);
      assertThatThrownBy(() -> instance("1"))
          .isInstanceOf(StreamsException.class)
          .hasMessageContaining("running in the same state directory")
          .hasMessageContaining(directory.resolve("1").toString());
    }
    // The instance that failed has released the lock, so that another one can use the directory.
    instance("1").close();
  }
}
