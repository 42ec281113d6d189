package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.siltstone.sstable.format.FormatVersion;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spark reads the rows that the driver selects from one and from two nodes, from their snapshots;
 * and the nodes take what Spark writes, by {@code nodetool import} and {@code sstableloader}. Runs
 * with {@code -Dsiltstone.nodes=} the directory of a script as {@link RealNodes} needs one.
 */
@EnabledIfSystemProperty(named = "siltstone.nodes", matches = ".+")
class NodesAgreeTest {
  private static final String KEYSPACE = CassandraNode.KEYSPACE;

  private static final FormatVersion[] VERSIONS = {
    FormatVersion.NB, FormatVersion.OA, FormatVersion.DA
  };

  @TempDir Path directory;

  /** For types and values; what is judged are the others. */
  private final CassandraNode types = CassandraNode.get();

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void onRandomTables(int nodes) throws Exception {
    Path scripts = Path.of(System.getProperty("siltstone.nodes")).toAbsolutePath();
    try (RealNodes cluster = RealNodes.start(scripts, directory.resolve("nodes"), nodes)) {
      replicate(cluster, "CREATE", 1);
      int tables = 0;
      for (long seed : RandomCases.seeds(6).toArray()) {
        if (nodes > 1 && seed % 2 == 0) {
          // Rows that two replicas have.
          replicate(cluster, "ALTER", nodes);
        }
        tables += check(cluster, seed) ? 1 : 0;
        if (nodes > 1) {
          replicate(cluster, "ALTER", 1);
        }
      }
      assertThat(tables).as("tables that Spark can write").isPositive();
    }
  }

  private static void replicate(RealNodes cluster, String how, int replicas) {
    cluster
        .session()
        .execute(
            how
                + " KEYSPACE "
                + KEYSPACE
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
                + replicas
                + "}");
  }

  /** Returns whether the random table could be judged. */
  private boolean check(RealNodes cluster, long seed) throws Exception {
    String name = types.newTableName();
    RandomTable definition = RandomTable.of(seed, name, types.options());
    try (CassandraTable table =
        CassandraTable.create(types, name, definition.createTypes(), definition.createTable())) {
      if (!SparkAgreesTest.isWritable(table)) {
        return false;
      }
      definition.createTypes().forEach(cluster.session()::execute);
      cluster.session().execute(definition.createTable());
      new Statements(cluster, table.metadata(), new Random(seed)).run(300);
      compare(cluster, table, definition, seed);
      return true;
    }
  }

  private void compare(RealNodes cluster, CassandraTable table, RandomTable definition, long seed)
      throws Exception {
    String what = cluster.count() + " nodes, seed " + seed + "\n" + definition;
    List<Path> snapshots = cluster.snapshot(KEYSPACE, table.name(), "judged");
    long now = System.currentTimeMillis() / 1000;
    // The schema.cql of a snapshot lacks types that only collections, tuples and vectors use.
    Map<String, String> schema =
        definition.createTypes().isEmpty() ? Map.of() : Map.of("schema", definition + ";");
    Dataset<Row> frame = SparkJob.read(now, schema, snapshots.toArray(Path[]::new));
    List<String> selected = select(cluster, table, frame);
    CanonicalRow.requireSame(SparkJob.texts(frame), selected, what);

    Dataset<Row> rows = SparkAgreesTest.insertable(frame, table.metadata());
    List<String> expected = SparkJob.texts(rows);
    FormatVersion version = version(definition, seed);
    // The rows are loaded by sstableloader, and into a single node, which owns all tokens, by
    // nodetool import, too.
    for (int way = 0; way < (cluster.count() == 1 ? 2 : 1); way++) {
      Path target = directory.resolve("way" + way).resolve(KEYSPACE).resolve(table.name());
      SparkJob.append(
          rows, target, Map.of("schema", definition + ";", "version", version.text(), "ttl", "0"));
      cluster.session().execute("TRUNCATE " + KEYSPACE + "." + table.name());
      if (!expected.isEmpty()) {
        if (way == 0) {
          Files.deleteIfExists(target.resolve("schema.cql"));
          cluster.load(target);
        } else {
          cluster.tool(1, "import", KEYSPACE, table.name(), target.toString());
        }
      }
      CanonicalRow.requireSame(
          select(cluster, table, rows), expected, what + "\nversion " + version + ", way " + way);
    }
    System.out.printf(
        "%d nodes, seed %d: %d rows, %s agree%n", cluster.count(), seed, selected.size(), version);
  }

  private static FormatVersion version(RandomTable definition, long seed) {
    FormatVersion version = VERSIONS[(int) (seed % VERSIONS.length)];
    boolean hasVectors = definition.toString().contains("vector<");
    return hasVectors && version == FormatVersion.NB ? FormatVersion.OA : version;
  }

  /** Returns what the driver selects. */
  private static List<String> select(RealNodes cluster, CassandraTable table, Dataset<Row> frame) {
    List<ColumnMetadata> columns = SelectedRows.columns(table, List.of(frame.columns()));
    String cql =
        "SELECT "
            + String.join(", ", columns.stream().map(c -> c.name.toCQLString()).toList())
            + " FROM "
            + KEYSPACE
            + "."
            + table.name();
    List<String> texts = new ArrayList<>();
    for (var row : cluster.session().execute(SimpleStatement.newInstance(cql).setPageSize(500))) {
      List<@Nullable ByteBuffer> values = new ArrayList<>();
      IntStream.range(0, columns.size()).forEach(i -> values.add(row.getBytesUnsafe(i)));
      texts.add(SelectedRows.text(columns, values));
    }
    return texts.stream().sorted().toList();
  }

  /** Random inserts and deletions of rows and partitions, with few keys. */
  private static final class Statements {
    private final RealNodes cluster;
    private final TableMetadata table;
    private final Random random;
    private final RandomValues values;
    private final List<List<ByteBuffer>> keys = new ArrayList<>();

    Statements(RealNodes cluster, TableMetadata table, Random random) {
      this.cluster = cluster;
      this.table = table;
      this.random = random;
      this.values = new RandomValues(random);
      for (int i = 0; i < 15; i++) {
        keys.add(table.partitionKeyColumns().stream().map(this::shortValue).toList());
      }
    }

    private ByteBuffer shortValue(ColumnMetadata column) {
      ByteBuffer value;
      do {
        value = values.value(column.type);
      } while (!value.hasRemaining() || value.remaining() > 1000);
      return value;
    }

    void run(int count) {
      for (int i = 0; i < count; i++) {
        List<ByteBuffer> key = keys.get(random.nextInt(keys.size()));
        switch (random.nextInt(20)) {
          case 0 -> delete(table.partitionKeyColumns(), key);
          case 1 -> {
            List<ColumnMetadata> primary = new ArrayList<>(table.partitionKeyColumns());
            primary.addAll(table.clusteringColumns());
            delete(primary, row(key));
          }
          default -> insert(key);
        }
      }
    }

    private List<ByteBuffer> row(List<ByteBuffer> key) {
      List<ByteBuffer> row = new ArrayList<>(key);
      table.clusteringColumns().forEach(column -> row.add(shortValue(column)));
      return row;
    }

    private void insert(List<ByteBuffer> key) {
      List<ColumnMetadata> columns = new ArrayList<>(table.partitionKeyColumns());
      columns.addAll(table.clusteringColumns());
      List<ByteBuffer> row = row(key);
      for (ColumnMetadata column : table.regularAndStaticColumns()) {
        if (random.nextInt(3) > 0) {
          columns.add(column);
          row.add(values.value(column.type));
        }
      }
      String names = String.join(", ", columns.stream().map(c -> c.name.toCQLString()).toList());
      String marks = "?" + ", ?".repeat(columns.size() - 1);
      String ttl = random.nextInt(4) == 0 ? " USING TTL 100000" : "";
      execute("INSERT INTO " + name() + " (" + names + ") VALUES (" + marks + ")" + ttl, row);
    }

    private void delete(List<ColumnMetadata> columns, List<ByteBuffer> key) {
      String where =
          String.join(" AND ", columns.stream().map(c -> c.name.toCQLString() + " = ?").toList());
      execute("DELETE FROM " + name() + " WHERE " + where, key);
    }

    private String name() {
      return KEYSPACE + "." + table.name;
    }

    private void execute(String cql, List<ByteBuffer> row) {
      BoundStatement statement = cluster.session().prepare(cql).bind();
      for (int i = 0; i < row.size(); i++) {
        statement = statement.setBytesUnsafe(i, row.get(i).duplicate());
      }
      cluster.session().execute(statement);
    }
  }
}
