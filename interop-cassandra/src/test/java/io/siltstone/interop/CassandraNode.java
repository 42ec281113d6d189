package io.siltstone.interop;

import io.siltstone.bench.peers.CassandraConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.tools.SSTableMetadataViewer;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;

/**
 * The storage part of one Cassandra node, without gossip, network or security manager: schema,
 * memtables, flush, compaction and the tools work; nothing listens.
 *
 * <p>There is one per JVM ({@link #get}), because Cassandra's state is static; it runs until the
 * JVM ends. Statements may be executed by one thread at a time.
 */
final class CassandraNode {

  /** The keyspace of all tables; its writes are not logged. */
  static final String KEYSPACE = "ks";

  private static @Nullable CassandraNode running;

  private final NodeOptions options;
  private final Path home;
  private int tables;

  private CassandraNode(NodeOptions options, Path home) {
    this.options = options;
    this.home = home;
  }

  /** Returns the node of this JVM, started on first use according to the system properties. */
  static synchronized CassandraNode get() {
    CassandraNode node = running;
    if (node == null) {
      try {
        node = start(NodeOptions.fromSystemProperties());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      running = node;
    }
    return node;
  }

  NodeOptions options() {
    return options;
  }

  /** Returns a directory of this node that no other process uses; deleted when the JVM ends. */
  Path home() {
    return home;
  }

  private static CassandraNode start(NodeOptions options) throws IOException {
    Path home = Files.createTempDirectory("cassandra-node-");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> removeTree(home)));
    CassandraConfiguration.install(home, "127.0.0.1", settings(options));
    System.setProperty("cassandra.schema.force_load_local_keyspaces", "true");
    // Flushing and syncing the schema tables after each statement would take most of the time.
    System.setProperty("cassandra.test.flush_local_schema_changes", "false");

    // Dropping a table would flush everything in the log, which has no other tables.
    KeyspaceParams.DEFAULT_LOCAL_DURABLE_WRITES = false;
    DatabaseDescriptor.daemonInitialization();
    loadToolsBesideDaemon();
    DatabaseDescriptor.createAllDirectories();
    CommitLog.instance.start();
    Keyspace.setInitialized();
    CassandraCalls.ownRing();
    CassandraNode node = new CassandraNode(options, home);
    node.define(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
            + " AND durable_writes = false");
    return node;
  }

  /**
   * Loads {@code SSTableMetadataViewer}, whose static initializer requires to be in a tool and not
   * in a node, although nothing else in it does.
   */
  private static void loadToolsBesideDaemon() {
    try {
      Field daemon = DatabaseDescriptor.class.getDeclaredField("daemonInitialized");
      Field tool = DatabaseDescriptor.class.getDeclaredField("toolInitialized");
      daemon.setAccessible(true);
      tool.setAccessible(true);
      daemon.setBoolean(null, false);
      tool.setBoolean(null, true);
      try {
        Class.forName(SSTableMetadataViewer.class.getName());
      } finally {
        tool.setBoolean(null, false);
        daemon.setBoolean(null, true);
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not the DatabaseDescriptor of Cassandra 5.0", e);
    }
  }

  private static Map<String, String> settings(NodeOptions options) {
    Map<String, String> settings = new HashMap<>();
    settings.put("cluster_name", "interop");
    settings.put("partitioner", options.partitioner().className);
    settings.put("storage_compatibility_mode", options.storageCompatibilityMode());
    settings.put("incremental_backups", "false");
    settings.put("concurrent_compactors", "1");
    settings.put("column_index_size", options.columnIndexSizeKib() + "KiB");
    settings.put("memtable_heap_space", "128MiB");
    settings.put("memtable_offheap_space", "128MiB");
    settings.put("user_defined_functions_enabled", "false");
    // 5.0.9 loops forever at the end of a Data.db that is shorter than CompressionInfo.db says.
    settings.put("compressed_read_ahead_buffer_size", "0KiB");
    if (CassandraCalls.isSix()) {
      // At equal timestamps, cursors keep other versions than reads and memtables do.
      settings.put("cursor_compaction_enabled", "false");
    }
    return settings;
  }

  /** Executes a statement that changes the schema. */
  void define(String cql) {
    execute(cql, 0L, List.of());
  }

  /**
   * Executes a statement at a given time.
   *
   * @param nowInSeconds present for local deletion times and expirations, in seconds since 1970
   * @param values of the bind markers, serialized; null for null
   */
  void execute(String cql, long nowInSeconds, List<? extends @Nullable ByteBuffer> values) {
    result(cql, nowInSeconds, values);
  }

  /**
   * Returns the rows of a {@code SELECT}.
   *
   * @param nowInSeconds decides what has expired, in seconds since 1970
   */
  UntypedResultSet select(String cql, long nowInSeconds) {
    return UntypedResultSet.create(resultSet(cql, nowInSeconds, List.of()));
  }

  /**
   * Returns the rows of a {@code SELECT}, each with the serialized values of what was selected, in
   * order; null for null. Parameters are those of {@link #execute}.
   */
  List<List<@Nullable ByteBuffer>> select(
      String cql, long nowInSeconds, List<? extends @Nullable ByteBuffer> values) {
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    // Arrays in Cassandra 6, buffers before.
    for (List<?> row : resultSet(cql, nowInSeconds, values).rows) {
      List<@Nullable ByteBuffer> buffers = new ArrayList<>();
      for (Object value : row) {
        buffers.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : (ByteBuffer) value);
      }
      rows.add(buffers);
    }
    return rows;
  }

  private static ResultSet resultSet(
      String cql, long nowInSeconds, List<? extends @Nullable ByteBuffer> values) {
    if (result(cql, nowInSeconds, values) instanceof ResultMessage.Rows rows) {
      return rows.result;
    }
    throw new IllegalArgumentException("no SELECT: " + cql);
  }

  private static @Nullable ResultMessage result(
      String cql, long nowInSeconds, List<? extends @Nullable ByteBuffer> values) {
    ClientState client = ClientState.forInternalCalls(KEYSPACE);
    QueryState state = new QueryState(client);
    CQLStatement statement = QueryProcessor.parseStatement(cql, client);
    statement.validate(client);
    QueryOptions queryOptions =
        QueryOptions.create(
            ConsistencyLevel.ONE,
            new ArrayList<>(values),
            false,
            -1,
            null,
            null,
            ProtocolVersion.CURRENT,
            KEYSPACE,
            Long.MIN_VALUE,
            nowInSeconds == 0 ? Integer.MIN_VALUE : nowInSeconds);
    return statement.executeLocally(state, queryOptions);
  }

  /** Returns a name that no other table of this node has. */
  String newTableName() {
    return "t" + ++tables;
  }

  static void removeTree(Path root) {
    try (var paths = Files.walk(root)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // Cassandra may delete files at the same time.
    }
  }
}
