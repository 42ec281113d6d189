package io.siltstone.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.StorageService;

/**
 * A whole Cassandra node in this JVM, which listens on the loopback only and runs as long as the
 * JVM. It calls only what Cassandra 5.0 and 6.0 have in common.
 */
final class LocalNode {
  /** The keyspace, which has no commit log. */
  static final String KEYSPACE = "bench";

  private LocalNode() {}

  /**
   * Starts the node of this JVM, with the keyspace.
   *
   * @param home directory for all files of the node; exists
   * @param settings options of {@code cassandra.yaml}
   */
  static void start(Path home, Map<String, String> settings) throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    all.put("concurrent_compactors", "1");
    all.put("auto_bootstrap", "false");
    EmbeddedCassandra.configure(home, freePort(), all);
    System.setProperty("cassandra.superuser_setup_delay_ms", "-1");
    System.setProperty("cassandra.skip_wait_for_gossip_to_settle", "0");
    System.setProperty("cassandra-foreground", "yes");
    CassandraDaemon daemon = new CassandraDaemon(true);
    daemon.applyConfig();
    daemon.init(null);
    daemon.start();
    // The files are of no use after the JVM, and to leave the ring properly takes seconds.
    StorageService.instance.removeShutdownHook();
    define(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
            + " AND durable_writes = false");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Runs a statement that changes the schema. */
  static void define(String cql) {
    QueryProcessor.process(cql, ConsistencyLevel.ONE);
  }
}
