package com.example.streams;

import io.siltstone.kafka.streams.SiltstoneDslStoreSuppliers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;

/**
 * An application that reads temperatures by station from the topic {@code readings}, and writes the
 * highest of each station to the topic {@code highs} whenever it changes. It also counts the
 * readings of each station and hour, to be queried.
 */
public final class StationHighs {
  static final String READINGS = "readings";
  static final String HIGHS = "highs";
  static final String HOURLY = "hourly";

  private StationHighs() {}

  static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    KGroupedStream<String, Double> byStation =
        builder.stream(READINGS, Consumed.with(Serdes.String(), Serdes.Double())).groupByKey();
    byStation
        .reduce(Math::max, Materialized.as(HIGHS))
        .toStream()
        .to(HIGHS, Produced.with(Serdes.String(), Serdes.Double()));
    byStation
        .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofHours(1)))
        .count(Materialized.as(HOURLY));
    return builder.build();
  }

  static Properties properties(String bootstrapServers, Path stateDirectory) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "station-highs");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.DoubleSerde.class);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, SiltstoneDslStoreSuppliers.class);
    return properties;
  }

  /**
   * Runs until the process gets a signal.
   *
   * @param arguments bootstrap servers and state directory
   */
  public static void main(String[] arguments) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    KafkaStreams streams =
        new KafkaStreams(topology(), properties(arguments[0], Path.of(arguments[1])));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  // Commits, and closes the stores and their database.
                  streams.close();
                  end.countDown();
                }));
    streams.start();
    end.await();
  }
}
