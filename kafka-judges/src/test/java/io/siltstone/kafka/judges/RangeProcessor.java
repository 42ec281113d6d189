package io.siltstone.kafka.judges;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A processor that puts, deletes and reads ranges of a key-value store in all ways that the store
 * has, and forwards what it has found. Confined to one thread, as each processor.
 */
final class RangeProcessor implements Processor<String, String, String, String> {
  private static final int KINDS = 7;

  private final String name;
  private final int prefix;
  private @Nullable ProcessorContext<String, String> context;
  private int records;

  /**
   * @param name of the store
   * @param prefix length of the prefixes that are looked for
   */
  RangeProcessor(String name, int prefix) {
    this.name = name;
    this.prefix = prefix;
  }

  @Override
  public void init(ProcessorContext<String, String> initialized) {
    context = initialized;
  }

  @Override
  public void process(Record<String, String> record) {
    ProcessorContext<String, String> to = requireNonNull(context);
    KeyValueStore<String, String> store = to.getStateStore(name);
    String key = record.key();
    String value = String.valueOf(record.value());
    String found =
        switch (records++ % KINDS) {
          case 0, 1 -> {
            String before = store.get(key);
            store.put(key, value);
            yield String.valueOf(before);
          }
          case 2 -> String.valueOf(store.putIfAbsent(key + value, value));
          case 3 -> String.valueOf(store.delete(key));
          case 4 -> text(store.range(key, null));
          case 5 -> text(store.reverseRange(null, key));
          default ->
              text(
                  store.prefixScan(
                      key.substring(0, Math.min(prefix, key.length())), new StringSerializer()));
        };
    to.forward(record.withValue(found));
  }

  private static String text(KeyValueIterator<String, String> entries) {
    StringBuilder text = new StringBuilder();
    try (entries) {
      entries.forEachRemaining(entry -> text.append(entry).append(' '));
    }
    return text.toString();
  }
}
