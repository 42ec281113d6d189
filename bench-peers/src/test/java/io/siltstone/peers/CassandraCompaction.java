package io.siltstone.peers;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.compaction.CompactionPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * A Cassandra node in this JVM without a network, which runs as long as the JVM. It calls only what
 * Cassandra 5.0 and 6.0 have in common: compiled with one version, it runs with the other.
 */
public final class CassandraCompaction implements CompactionPeer {
  private static final int DELETION_CHECKS = 600;
  private static final int DELETION_MILLIS = 100;
  // More generations than a node assigns while this runs.
  private static final int GENERATIONS_PER_LOAD = 100_000;

  private @Nullable ColumnFamilyStore table;
  private int loads;

  @Override
  public String name() {
    return "Cassandra";
  }

  @Override
  public List<String> jvmOptions() {
    List<String> options = new ArrayList<>(EmbeddedCassandra.JVM_OPTIONS);
    // Cassandra would log every step otherwise.
    options.add("-Dlogback.configurationFile=io/siltstone/peers/logback.xml");
    return options;
  }

  @Override
  public Optional<String> unavailable() {
    return EmbeddedCassandra.unavailable();
  }

  @Override
  public void start(Path directory, String cql, NamedValues parameters) throws Exception {
    EmbeddedCassandra.configure(
        directory,
        freePort(),
        Map.of(
            "partitioner", "org.apache.cassandra.dht.Murmur3Partitioner",
            // Version nb, like the input, because only then Cassandra may merge by cursors.
            "storage_compatibility_mode", "CASSANDRA_4",
            "concurrent_compactors", "1",
            "auto_bootstrap", "false"));
    System.setProperty("cassandra.superuser_setup_delay_ms", "-1");
    System.setProperty("cassandra.skip_wait_for_gossip_to_settle", "0");
    System.setProperty("cassandra-foreground", "yes");
    CassandraDaemon daemon = new CassandraDaemon(true);
    daemon.applyConfig();
    daemon.init(null);
    daemon.start();
    define(
        "CREATE KEYSPACE bench WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    define(cql);
    table = Keyspace.open("bench").getColumnFamilyStore("rows");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void define(String cql) {
    QueryProcessor.process(cql, ConsistencyLevel.ONE);
  }

  @Override
  public String version() {
    return "Apache Cassandra "
        + FBUtilities.getReleaseVersionString()
        + (mergesByCursors() ? " with cursor_compaction_enabled" : "");
  }

  /** Returns whether Cassandra merges by cursors, as from 6.0 on unless that is turned off. */
  private static boolean mergesByCursors() {
    try {
      return Config.class.getField("cursor_compaction_enabled").getBoolean(new Config());
    } catch (NoSuchFieldException e) {
      return false;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  // Loads the files as nodetool refresh does, whose replacement differs between the versions.
  @SuppressWarnings("deprecation")
  @Override
  public void load(List<Path> files) throws Exception {
    ColumnFamilyStore all = requireNonNull(table);
    all.truncateBlockingWithoutSnapshot();
    Path directory = Path.of(all.getDirectories().getDirectoryForNewSSTables().path());
    awaitDeletions(directory);
    loads++;
    for (Path file : files) {
      // Not under an earlier generation, whose deletion may not have ended within Cassandra.
      String[] name = requireNonNull(file.getFileName()).toString().split("-", 3);
      long generation = Long.parseLong(name[1]) + (long) loads * GENERATIONS_PER_LOAD;
      Files.createLink(directory.resolve(name[0] + "-" + generation + "-" + name[2]), file);
    }
    all.loadNewSSTables();
    if (all.getLiveSSTables().isEmpty()) {
      throw new IOException("none of the SSTables was loaded from " + directory);
    }
  }

  /** Waits for deletions in the background. */
  private static void awaitDeletions(Path directory) throws IOException, InterruptedException {
    for (int i = 0; i < DELETION_CHECKS; i++) {
      try (Stream<Path> files = Files.list(directory)) {
        if (files.noneMatch(file -> file.toString().endsWith(".db"))) {
          return;
        }
      }
      Thread.sleep(DELETION_MILLIS);
    }
    throw new IOException("files of an emptied table are left in " + directory);
  }

  @Override
  public void compact() {
    requireNonNull(table).forceMajorCompaction();
  }

  @Override
  public List<Path> liveFiles() {
    List<Path> files = new ArrayList<>();
    for (SSTableReader live : requireNonNull(table).getLiveSSTables()) {
      for (Component component : live.getComponents()) {
        files.add(Path.of(live.descriptor.fileFor(component).path()));
      }
    }
    return files;
  }

  /** Does nothing: the node ends with the JVM. */
  @Override
  public void close() {}
}
