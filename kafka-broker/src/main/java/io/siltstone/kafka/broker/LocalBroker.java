package io.siltstone.kafka.broker;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * A Kafka broker that listens on a free port of the loopback interface and is its own controller.
 * It has the topics for transactions and groups with one partition each, and lets members of a
 * group fail within seconds, as a test needs it. Safe for use by all threads.
 *
 * <p>As a program, {@code LocalBroker DIRECTORY} prints its bootstrap servers in one line, and runs
 * until its standard input ends. So it ends with the process that has started it.
 */
public final class LocalBroker implements Closeable {
  private static final int NODE = 1;

  private final KafkaRaftServer server;
  private final String bootstrapServers;

  private LocalBroker(KafkaRaftServer server, String bootstrapServers) {
    this.server = server;
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Formats the storage of a new cluster, and starts its only broker.
   *
   * @param directory for its logs; empty or missing
   * @return the running broker, to be closed by the caller
   * @throws IOException if the directory cannot be formatted
   */
  public static LocalBroker start(Path directory) throws IOException {
    Properties properties = new Properties();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String host = loopback.getHostAddress();
    String clients;
    // Both are bound at the same time, so that they differ. Another process might take one before
    // the broker does, but the system gives away others first.
    try (ServerSocket one = new ServerSocket(0, 1, loopback);
        ServerSocket other = new ServerSocket(0, 1, loopback)) {
      clients = host + ":" + one.getLocalPort();
      String controller = host + ":" + other.getLocalPort();
      properties.put("listeners", "PLAINTEXT://" + clients + ",CONTROLLER://" + controller);
      properties.put("controller.quorum.voters", NODE + "@" + controller);
    }
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", Integer.toString(NODE));
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("log.dirs", directory.toString());
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("offsets.topic.num.partitions", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    // A consumer of committed records waits until a transaction whose producer was killed is
    // aborted.
    properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "100");
    properties.put("share.coordinator.state.topic.replication.factor", "1");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("group.min.session.timeout.ms", "1000");
    format(directory);
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties), Time.SYSTEM);
    server.startup();
    return new LocalBroker(server, clients);
  }

  private static void format(Path directory) throws IOException {
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(NODE)
          .setDirectories(List.of(directory.toString()))
          .setMetadataLogDirectory(directory.toString())
          .setControllerListenerName("CONTROLLER")
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .setPrintStream(nowhere)
          .run();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(directory + " cannot be formatted for a broker: " + e.getMessage(), e);
    }
  }

  /** Returns host and port, as clients need them for {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Runs a broker; see the class. */
  @SuppressWarnings("SystemOut") // Its output is what a program is for.
  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    // The output of libraries must not mix with the address.
    System.setOut(System.err);
    LocalBroker broker = start(Path.of(arguments[0]));
    out.println(broker.bootstrapServers());
    out.flush();
    System.in.transferTo(OutputStream.nullOutputStream());
    // Nobody needs the topics any more, so that there is nothing to shut down in order.
    Runtime.getRuntime().halt(0);
  }

  /** Stops the broker. Closing it again has no effect. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
