package io.siltstone.kafka.judges;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * The record of a run of a topology, as lines of text: by the name of a topic the records that were
 * written to it, and by the name of a store its entries.
 */
record Transcript(SortedMap<String, List<String>> lines) {

  /** The end of the names of topics of windows that are written when they close. */
  static final String CLOSED_WINDOWS = "-closed";

  // Kafka's cache looks into each minute of a range, so that the range must have an end.
  private static final Duration RANGE = Duration.ofHours(2);

  private static final Comparator<TestRecord<byte[], byte[]>> IN_ORDER = (one, other) -> 0;

  // Windows that close at once are in the order of their keys or in that of time, see
  // docs/kafka-streams.md. Those of a key stay in order.
  private static final Comparator<TestRecord<byte[], byte[]>> BY_KEY =
      Comparator.comparing(record -> text(record.key()).replaceFirst("@.*", ""));

  /**
   * Returns what the topology of a driver has done, which takes the records from the driver.
   *
   * @param start of the time in which the records are
   */
  static Transcript of(TopologyTestDriver driver, Instant start) {
    SortedMap<String, List<String>> lines = new TreeMap<>();
    for (String topic : new TreeSet<>(driver.producedTopicNames())) {
      lines.put(
          "topic " + topic,
          driver
              .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
              .readRecordsToList()
              .stream()
              .sorted(topic.endsWith(CLOSED_WINDOWS) ? BY_KEY : IN_ORDER)
              .map(Transcript::text)
              .toList());
    }
    driver
        .getAllStateStores()
        .forEach((name, store) -> lines.put("store " + name, content(store, start)));
    return new Transcript(lines);
  }

  /** Returns how many records and entries there are. */
  int size() {
    return lines.values().stream().mapToInt(List::size).sum();
  }

  private static String text(TestRecord<byte[], byte[]> record) {
    StringBuilder headers = new StringBuilder();
    record
        .headers()
        .forEach(
            header ->
                headers.append(' ').append(header.key()).append('=').append(text(header.value())));
    return record.timestamp() + " " + text(record.key()) + " = " + text(record.value()) + headers;
  }

  private static String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "null";
    }
    for (byte each : bytes) {
      if (each < ' ') {
        return HexFormat.of().formatHex(bytes);
      }
    }
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @SuppressWarnings("unchecked") // All keys are texts.
  private static List<String> content(StateStore store, Instant start) {
    List<String> entries = new ArrayList<>();
    if (store instanceof KeyValueStore<?, ?> keyValues) {
      addAll(entries, "", keyValues.all());
      try {
        addAll(entries, "reverse ", keyValues.reverseAll());
      } catch (UnsupportedOperationException e) {
        entries.add("no reverse: Kafka's store of lists for outer joins");
      }
    } else if (store instanceof WindowStore<?, ?> windows) {
      addAll(entries, "", windows.all());
      addAll(entries, "backward ", windows.backwardAll());
      for (String key : keys()) {
        addAll(
            entries,
            key + " ",
            ((WindowStore<String, ?>) windows)
                .fetch(key, key, start.minus(RANGE), start.plus(RANGE)));
      }
    } else if (store instanceof SessionStore<?, ?> sessions) {
      addAll(entries, "", sessions.fetch(null, null));
      for (String key : keys()) {
        addAll(entries, key + " ", ((SessionStore<String, ?>) sessions).backwardFetch(key));
      }
    } else if (store instanceof VersionedKeyValueStore<?, ?> versions) {
      for (String key : keys()) {
        entries.add(key + " " + ((VersionedKeyValueStore<String, ?>) versions).get(key));
      }
    } else {
      entries.add(store.getClass().getSimpleName());
    }
    if (!(store instanceof KeyValueStore<?, ?>)) {
      // Kafka promises no order of the windows of several keys.
      Collections.sort(entries);
    }
    return entries;
  }

  private static List<String> keys() {
    return List.of("k0", "k1", "k2", "k3", "k10", "k11", "k23");
  }

  private static void addAll(List<String> lines, String prefix, KeyValueIterator<?, ?> entries) {
    try (entries) {
      entries.forEachRemaining(entry -> lines.add(prefix + entry));
    }
  }

  /** Returns where another transcript differs first, or null if it does not. */
  @Nullable String difference(Transcript other) {
    if (!lines.keySet().equals(other.lines.keySet())) {
      return "topics and stores " + lines.keySet() + " and " + other.lines.keySet();
    }
    for (Map.Entry<String, List<String>> entry : lines.entrySet()) {
      List<String> one = entry.getValue();
      List<String> two = other.lines.getOrDefault(entry.getKey(), List.of());
      for (int i = 0; i < Math.max(one.size(), two.size()); i++) {
        String first = i < one.size() ? one.get(i) : "no more";
        String second = i < two.size() ? two.get(i) : "no more";
        if (!first.equals(second)) {
          return entry.getKey() + ", line " + i + ":\n  " + first + "\n  " + second;
        }
      }
    }
    return null;
  }
}
