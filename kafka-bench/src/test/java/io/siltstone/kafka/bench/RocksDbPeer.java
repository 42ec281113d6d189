package io.siltstone.kafka.bench;

import io.siltstone.bench.state.StateStorePeer;
import io.siltstone.bench.state.StateStores;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.Stores;
import org.rocksdb.RocksDB;

/** Kafka's persistent stores. */
public final class RocksDbPeer implements StateStorePeer {
  private static final List<String> MEMORY =
      List.of("size-all-mem-tables", "block-cache-usage", "estimate-table-readers-mem");

  @Override
  public String name() {
    return KAFKA;
  }

  @Override
  public String version() {
    return jarOf(KafkaStreams.class) + ", " + jarOf(RocksDB.class);
  }

  /** Returns name and version of a library: its jar, as not every manifest has a version. */
  private static String jarOf(Class<?> type) {
    String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return path.substring(path.lastIndexOf('/') + 1)
        .replaceFirst("\\.jar$", "")
        .replaceFirst("-(?=\\d)", " ");
  }

  @Override
  public String setting() {
    return "as Kafka sets it by default: a database for each store, with a cache of 50 MiB, three"
        + " write buffers of 16 MiB, blocks of 4 KiB without compression, bloom filters, universal"
        + " compaction, no write-ahead log";
  }

  @Override
  public StateStores open(Path directory) {
    return new KafkaStores(
        directory,
        Stores.persistentKeyValueStore(KafkaStores.NAME),
        contexts ->
            contexts.stream()
                .mapToLong(
                    context ->
                        MEMORY.stream().mapToLong(name -> KafkaStores.metric(context, name)).sum())
                .sum());
  }
}
