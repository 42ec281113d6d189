package io.siltstone.interop;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Nodes of Cassandra in processes of their own on loopback, and a session with them. A script
 * {@code node.sh} starts them, which takes what it is to do, {@code NODE}, the number of a node,
 * and {@code OUT}, where node 1 has its data in {@code run1/data}:
 *
 * <pre>
 *   node.sh prepare | start | stop
 *   node.sh tool ARGUMENTS       nodetool
 *   node.sh load DIRECTORY       sstableloader
 * </pre>
 */
final class RealNodes implements AutoCloseable {
  private static final int PORT = 19_042;

  private final Path script;
  private final Path out;
  private final int count;
  private final CqlSession session;

  private RealNodes(Path script, Path out, int count, CqlSession session) {
    this.script = script;
    this.out = out;
    this.count = count;
    this.session = session;
  }

  /**
   * Starts nodes, each of which owns as much of the ring.
   *
   * @param scripts the directory of {@code node.sh}
   * @param out where they work
   */
  static RealNodes start(Path scripts, Path out, int count) throws IOException {
    Path script = scripts.resolve("node.sh");
    Files.createDirectories(out);
    run(script, out, 1, List.of("prepare"));
    for (int node = 1; node <= count; node++) {
      run(script, out, node, List.of("start"));
    }
    return new RealNodes(script, out, count, connect());
  }

  private static CqlSession connect() {
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ALL")
            .build();
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress("127.0.0.1", PORT))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(config)
        .build();
  }

  CqlSession session() {
    return session;
  }

  int count() {
    return count;
  }

  /** Runs nodetool on one node. */
  void tool(int node, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("tool"));
    command.addAll(List.of(arguments));
    run(script, out, node, command);
  }

  /** Streams a directory, whose last names are the keyspace and the table, to its owners. */
  void load(Path directory) throws IOException {
    run(script, out, 1, List.of("load", directory.toString()));
  }

  /** Takes a snapshot of a table on all nodes; returns its directories. */
  List<Path> snapshot(String keyspace, String table, String name) throws IOException {
    List<Path> snapshots = new ArrayList<>();
    for (int node = 1; node <= count; node++) {
      tool(node, "flush", keyspace, table);
      tool(node, "snapshot", "-t", name, "-cf", table, keyspace);
      Path data = out.resolve("run" + node).resolve("data").resolve(keyspace);
      try (var tables = Files.newDirectoryStream(data, table + "-*")) {
        for (Path each : tables) {
          snapshots.add(each.resolve("snapshots").resolve(name));
        }
      }
    }
    return snapshots;
  }

  private static void run(Path script, Path out, int node, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "OUT", out.toString(),
                "NODE", Integer.toString(node),
                "RING", "4000",
                "JAVA", ProcessHandle.current().info().command().orElse("java")));
    Path log = out.resolve("script.log");
    // A file: the nodes, which go on, would keep a pipe open.
    Process process = builder.redirectOutput(log.toFile()).start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command + " failed: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    session.close();
    for (int node = count; node > 0; node--) {
      run(script, out, node, List.of("stop"));
    }
  }
}
