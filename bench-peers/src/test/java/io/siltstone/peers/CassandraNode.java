package io.siltstone.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a Cassandra in this JVM needs before its classes are loaded. */
final class CassandraNode {
  /** Of the JVM: Cassandra reaches into it. */
  static final List<String> JVM_OPTIONS =
      List.of(
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.transport.tcp=ALL-UNNAMED",
          "--add-exports=java.sql/java.sql=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.module=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.math=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.module=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
          "-Djdk.attach.allowAttachSelf=true");

  private static final int JAVA = 17;

  private CassandraNode() {}

  /** Why there cannot be one in this JVM, or empty. */
  static Optional<String> unavailable() {
    int running = Runtime.version().feature();
    return running == JAVA
        ? Optional.empty()
        : Optional.of("it needs Java " + JAVA + ", this is " + running);
  }

  /**
   * Writes its {@code cassandra.yaml} and says where that is.
   *
   * @param home for all that it stores; exists
   * @param settings besides those that are the same for all
   */
  static void configure(Path home, int port, Map<String, String> settings) throws IOException {
    Map<String, String> all = new TreeMap<>();
    all.put("cluster_name", "peer");
    all.put("num_tokens", "1");
    all.put("listen_address", "127.0.0.1");
    all.put("storage_port", Integer.toString(port));
    all.put("endpoint_snitch", "SimpleSnitch");
    all.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider,"
            + " parameters: [{seeds: \"127.0.0.1:"
            + port
            + "\"}]}]");
    all.put("data_file_directories", "[" + home.resolve("data") + "]");
    all.put("commitlog_directory", home.resolve("commitlog").toString());
    all.put("saved_caches_directory", home.resolve("saved_caches").toString());
    all.put("hints_directory", home.resolve("hints").toString());
    all.put("cdc_raw_directory", home.resolve("cdc_raw").toString());
    all.put("commitlog_sync", "periodic");
    all.put("commitlog_sync_period", "10000ms");
    all.put("start_native_transport", "false");
    all.put("hinted_handoff_enabled", "false");
    all.put("auto_snapshot", "false");
    all.put("compaction_throughput", "0MiB/s");
    all.putAll(settings);
    StringBuilder text = new StringBuilder();
    all.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    Path yaml = home.resolve("cassandra.yaml");
    Files.writeString(yaml, text);
    System.setProperty("cassandra.config", yaml.toUri().toString());
    System.setProperty("cassandra.storagedir", home.toString());
    System.setProperty("cassandra.size_recorder_interval", "0");
    System.setProperty("cassandra.ring_delay_ms", "1");
  }
}
