package io.siltstone.kafka.judges;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.GlobalKTable;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;

/** The streams and tables that the operators of a topology read, and the topics they write. */
final class Sources {
  /** The topics of the streams. */
  static final List<String> STREAMS = List.of("stream-a", "stream-b");

  /** The topics of the tables. */
  static final List<String> TABLES = List.of("table-a", "table-b", "versioned");

  /** The topic of the global table. */
  static final String GLOBAL = "global-table";

  private final StreamsBuilder builder = new StreamsBuilder();
  private final StoreEngine engine;
  private final List<KStream<String, String>> streams;
  private final List<KTable<String, String>> tables;
  private final GlobalKTable<String, String> globalTable;

  Sources(StoreEngine engine) {
    this.engine = engine;
    streams = STREAMS.stream().map(topic -> builder.<String, String>stream(topic)).toList();
    tables =
        TABLES.stream()
            .map(
                topic ->
                    builder.<String, String>table(
                        topic,
                        topic.equals("versioned")
                            ? Materialized.as(
                                engine.versionedStore(topic + "-store", Duration.ofSeconds(60)))
                            : Materialized.as(topic + "-store")))
            .toList();
    globalTable = builder.globalTable(GLOBAL, Materialized.as(GLOBAL + "-store"));
  }

  StreamsBuilder builder() {
    return builder;
  }

  StoreEngine engine() {
    return engine;
  }

  Serde<String> serde() {
    return Serdes.String();
  }

  KStream<String, String> stream(Random random) {
    return streams.get(random.nextInt(streams.size()));
  }

  KStream<String, String> otherStream(KStream<String, String> than) {
    return than == streams.get(0) ? streams.get(1) : streams.get(0);
  }

  /** Returns one of the tables that are not versioned. */
  KTable<String, String> table(Random random) {
    return tables.get(random.nextInt(2));
  }

  KTable<String, String> otherTable(KTable<String, String> than) {
    return than == tables.get(0) ? tables.get(1) : tables.get(0);
  }

  GlobalKTable<String, String> globalTable() {
    return globalTable;
  }

  /** Returns one of all tables. */
  KTable<String, String> anyTable(Random random) {
    return tables.get(random.nextInt(tables.size()));
  }

  /** Writes the records to the topic {@code out-NAME}, as texts. */
  void out(String name, KStream<?, ?> records) {
    records
        .map((key, value) -> KeyValue.pair(String.valueOf(key), String.valueOf(value)))
        .to("out-" + name);
  }

  /** Writes the changes to the topic {@code out-NAME}, as texts. */
  void out(String name, KTable<?, ?> changes) {
    out(name, changes.toStream());
  }
}
