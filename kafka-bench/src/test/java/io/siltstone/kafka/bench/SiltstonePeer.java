package io.siltstone.kafka.bench;

import io.siltstone.bench.state.StateStorePeer;
import io.siltstone.bench.state.StateStores;
import io.siltstone.kafka.streams.SiltstoneStores;
import java.nio.file.Path;

/** Siltstone's stores. */
public final class SiltstonePeer implements StateStorePeer {
  @Override
  public String name() {
    return OWN;
  }

  @Override
  public String version() {
    return "this build";
  }

  @Override
  public String setting() {
    return "as by default: 256 MiB of memory for all stores of the process, half of it for"
        + " memtables and a quarter for the chunk cache, one database with a table for each store,"
        + " no commit log";
  }

  @Override
  public StateStores open(Path directory) {
    return new KafkaStores(
        directory,
        SiltstoneStores.persistentKeyValueStore(KafkaStores.NAME),
        // All stores share the budget, so that each reports the whole.
        contexts ->
            contexts.isEmpty() ? 0 : KafkaStores.metric(contexts.get(0), "memory-budget-usage"));
  }
}
