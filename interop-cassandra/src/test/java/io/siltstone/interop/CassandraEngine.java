package io.siltstone.interop;

import io.siltstone.model.Change;
import io.siltstone.model.Cql;
import io.siltstone.model.EngineUnderTest;
import io.siltstone.model.Question;
import io.siltstone.model.Question.Partitions;
import io.siltstone.model.ReferenceModel;
import io.siltstone.model.Requirement;
import io.siltstone.model.Rows;
import io.siltstone.model.SteppedClock;
import io.siltstone.model.TableDefinition;
import io.siltstone.schema.Column;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/** Cassandra as an engine that runs sequences: changes and queries are CQL statements. */
final class CassandraEngine implements EngineUnderTest {
  private final CassandraNode node;
  private final SteppedClock clock;
  private final Map<String, CassandraTable> tables = new TreeMap<>();
  private final Map<String, TableSchema> schemas = new TreeMap<>();

  CassandraEngine(CassandraNode node, SteppedClock clock) {
    this.node = node;
    this.clock = clock;
  }

  private CassandraTable table(String name) {
    return Objects.requireNonNull(tables.get(name), name);
  }

  private TableSchema schema(String name) {
    return Objects.requireNonNull(schemas.get(name), name);
  }

  @Override
  public void create(TableDefinition table) {
    tables.put(
        table.name(),
        CassandraTable.create(node, table.name(), table.createTypes(), table.createTable()));
    schemas.put(table.name(), table.schema());
  }

  @Override
  public void write(List<Change.Stamped> changes) {
    List<String> statements = new ArrayList<>();
    for (Change.Stamped change : changes) {
      statements.addAll(
          new Cql(schema(change.change().table())).statements(change.change(), change.timestamp()));
    }
    node.execute(
        statements.size() == 1
            ? statements.get(0)
            : "BEGIN UNLOGGED BATCH " + String.join("; ", statements) + "; APPLY BATCH",
        clock.seconds(),
        List.of());
  }

  /** Uses a read and a write, because Paxos needs more than the storage part of a node. */
  @Override
  public boolean writeIf(
      Change.Stamped change, List<Object> clustering, List<Requirement> requirements) {
    Question all = Question.of(change.change().table(), change.change().key(), false);
    List<Map<String, @Nullable Object>> rows =
        clustering.isEmpty()
            ? answer(all)
            : answer(all.withRows(List.of(new Rows(clustering, null, null))));
    boolean exists = !rows.isEmpty();
    for (Requirement required : requirements) {
      if (!required.holds(exists, exists ? rows.get(0).get(required.column()) : null)) {
        return false;
      }
    }
    write(List.of(change));
    return true;
  }

  /** Returns whether CQL can express the question in one statement. */
  @Override
  public boolean canAnswer(Question question) {
    boolean one = question.partitions() instanceof Partitions.One;
    boolean tuple =
        question.rows().stream().anyMatch(rows -> size(rows.lower()) > 1 || size(rows.upper()) > 1);
    boolean ordered =
        question.partitions() instanceof Partitions.Tokens
            && node.options().partitioner() == NodeOptions.Partitioner.BYTE_ORDERED;
    return question.rows().size() <= 1
        && (one || !tuple)
        && !ordered
        && !(question.reversed() && schema(question.table()).clusteringColumns().isEmpty());
  }

  private static int size(Rows.@Nullable Bound bound) {
    return bound == null ? 0 : bound.values().size();
  }

  @Override
  public List<Map<String, @Nullable Object>> answer(Question question) {
    TableSchema schema = schema(question.table());
    List<Column> key = new ArrayList<>(schema.partitionKeyColumns());
    if (!question.distinct()) {
      key.addAll(schema.clusteringColumns());
    }
    List<Column> cells =
        ReferenceModel.resultColumns(schema, question).stream()
            .map(name -> schema.column(name).orElseThrow())
            .toList();
    List<String> selected = new ArrayList<>();
    key.forEach(column -> selected.add(column.name()));
    for (Column column : cells) {
      boolean complex = column.type().isMultiCell();
      selected.add(column.name());
      selected.add((complex ? "MAXWRITETIME(" : "WRITETIME(") + column.name() + ")");
      selected.add("TTL(" + column.name() + ")");
    }
    String cql = new Cql(schema).select(question, String.join(", ", selected));
    boolean filters =
        !(question.partitions() instanceof Partitions.One) && !question.rows().isEmpty();
    UntypedResultSet result =
        node.select(
            cql + (filters ? " ALLOW FILTERING" : ""), question.now().orElse(clock.seconds()));
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (UntypedResultSet.Row row : result) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      for (Column column : key) {
        values.put(column.name(), value(row, column));
      }
      for (Column column : cells) {
        values.put(column.name(), value(row, column));
        values.put("writetime(" + column.name() + ")", writetime(row, column));
        values.put("ttl(" + column.name() + ")", ttl(row, column));
      }
      rows.add(values);
    }
    return rows;
  }

  private static @Nullable Object value(UntypedResultSet.Row row, Column column) {
    if (!row.has(column.name())) {
      return null;
    }
    byte[] bytes = ByteBufferUtil.getArray(row.getBlob(column.name()));
    return ReferenceModel.plain(column.valueType().frozen().decode(bytes, 0, bytes.length));
  }

  private static @Nullable Object writetime(UntypedResultSet.Row row, Column column) {
    String name =
        (column.type().isMultiCell() ? "maxwritetime(" : "writetime(") + column.name() + ")";
    return row.has(name) ? (Object) ReferenceModel.comparableTimestamp(row.getLong(name)) : null;
  }

  private static @Nullable Object ttl(UntypedResultSet.Row row, Column column) {
    String name = "ttl(" + column.name() + ")";
    if (!row.has(name)) {
      return null;
    }
    if (!column.type().isMultiCell()) {
      return (long) row.getInt(name);
    }
    ByteBuffer bytes = row.getBlob(name);
    long least = Long.MAX_VALUE;
    for (int i = bytes.getInt(); i > 0; i--) {
      int length = bytes.getInt();
      if (length > 0) {
        least = Math.min(least, Int32Type.instance.compose(bytes.slice(bytes.position(), length)));
        bytes.position(bytes.position() + length);
      }
    }
    return least == Long.MAX_VALUE ? null : (Object) least;
  }

  @Override
  public void flush(String table) {
    table(table).flush();
  }

  @Override
  public void compact(String table, long seed) {
    table(table).compact();
  }

  @Override
  public void truncate(String table) {
    node.execute("TRUNCATE " + CassandraNode.KEYSPACE + "." + table, 0, List.of());
  }

  @Override
  public void alter(String table, String cql, long timestamp) {
    String statement = cql.replace(";", "");
    node.define(
        statement.contains(" DROP ") ? statement + " USING TIMESTAMP " + timestamp : statement);
    schemas.put(table, SchemaParser.alter(schema(table), cql, timestamp));
  }

  @Override
  public void close() {
    tables.values().forEach(CassandraTable::close);
  }
}
