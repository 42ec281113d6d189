package io.siltstone.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The {@code cassandra.yaml} and the system properties of a Cassandra node that runs within this
 * JVM, without a network and without limits on compaction. They must be set before the first class
 * of Cassandra is loaded.
 */
public final class CassandraConfiguration {
  private CassandraConfiguration() {}

  /**
   * Writes {@code cassandra.yaml} into the home of a node, and sets the system properties by which
   * Cassandra finds it.
   *
   * @param home directory for all files of the node; exists
   * @param seed address of the only seed, which is the node itself
   * @param settings options of the file, besides those that are the same for all nodes
   */
  public static void install(Path home, String seed, Map<String, String> settings)
      throws IOException {
    Map<String, String> all = common(home, seed);
    all.putAll(settings);
    StringBuilder text = new StringBuilder();
    all.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    Path yaml = home.resolve("cassandra.yaml");
    Files.writeString(yaml, text);
    System.setProperty("cassandra.config", yaml.toUri().toString());
    System.setProperty("cassandra.storagedir", home.toString());
    // The recorder's tasks would outlive the node's directory.
    System.setProperty("cassandra.size_recorder_interval", "0");
    System.setProperty("cassandra.ring_delay_ms", "1");
  }

  private static Map<String, String> common(Path home, String seed) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("num_tokens", "1");
    settings.put("listen_address", "127.0.0.1");
    settings.put("endpoint_snitch", "SimpleSnitch");
    settings.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: \""
            + seed
            + "\"}]}]");
    settings.put("data_file_directories", "[" + home.resolve("data") + "]");
    settings.put("commitlog_directory", home.resolve("commitlog").toString());
    settings.put("saved_caches_directory", home.resolve("saved_caches").toString());
    settings.put("hints_directory", home.resolve("hints").toString());
    settings.put("cdc_raw_directory", home.resolve("cdc_raw").toString());
    settings.put("commitlog_sync", "periodic");
    settings.put("commitlog_sync_period", "10000ms");
    settings.put("start_native_transport", "false");
    settings.put("hinted_handoff_enabled", "false");
    settings.put("auto_snapshot", "false");
    settings.put("compaction_throughput", "0MiB/s");
    return settings;
  }
}
