package io.siltstone.peers;

import io.siltstone.bench.peers.CassandraConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requirements of a Cassandra node in this JVM: options of the JVM, its version, settings. */
final class EmbeddedCassandra {
  /** Options of the JVM, because Cassandra uses internals of the JDK. */
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

  private EmbeddedCassandra() {}

  /** Returns the reason why a node cannot run in this JVM, or empty. */
  static Optional<String> unavailable() {
    int running = Runtime.version().feature();
    return running == JAVA
        ? Optional.empty()
        : Optional.of("it needs Java " + JAVA + ", this is " + running);
  }

  /**
   * Configures the node of this JVM.
   *
   * @param home directory for all files of the node; exists
   * @param settings options of {@code cassandra.yaml}, besides those that all nodes share
   */
  static void configure(Path home, int port, Map<String, String> settings) throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("cluster_name", "peer");
    all.put("storage_port", Integer.toString(port));
    // The node's own tables, which have its schema, need not outlive it: to flush and sync them
    // after each change of the schema takes longer than most of what is measured.
    System.setProperty("cassandra.unsafesystem", "true");
    System.setProperty("cassandra.test.flush_local_schema_changes", "false");
    CassandraConfiguration.install(home, "127.0.0.1:" + port, all);
  }
}
