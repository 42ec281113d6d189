package io.siltstone.model;

import io.siltstone.model.ModelRow.Live;
import io.siltstone.model.Question.Partitions;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a database must answer, on plain maps: written to be obviously right, by Cassandra's rules.
 *
 * <p>Rows are maps of column names to values as {@link Values#plain} has them, null or not; beside
 * each value that is not of the primary key there is {@code writetime(column)} and {@code
 * ttl(column)}.
 */
public final class ReferenceModel {
  private static final long MICROS_PER_MILLI = 1000;

  // Explicit timestamps are less, but for some that lie in the future.
  private static final long FIRST_AUTOMATIC = 1_000_000_000_000_000L;

  private final Partitioner partitioner;
  private final SteppedClock clock;
  private final Map<String, ModelTable> tables = new TreeMap<>();
  private long lastTimestamp;

  ReferenceModel(Partitioner partitioner, SteppedClock clock) {
    this.partitioner = partitioner;
    this.clock = clock;
  }

  void create(TableSchema schema) {
    tables.put(schema.name(), new ModelTable(schema, partitioner));
  }

  /** Names of the tables, in order. */
  public List<String> tables() {
    return List.copyOf(tables.keySet());
  }

  /** A table as it is now. */
  public TableSchema schema(String table) {
    return table(table).schema();
  }

  private ModelTable table(String name) {
    ModelTable table = tables.get(name);
    if (table == null) {
      throw new IllegalArgumentException("no table " + name);
    }
    return table;
  }

  /** Keys of all partitions that were ever written to. */
  List<List<Object>> keys(String table) {
    return table(table).partitions().stream().map(ModelPartition::key).toList();
  }

  boolean accepts(Change change) {
    return table(change.table()).accepts(change);
  }

  /** The timestamp of the next change without one: that of the clock, and greater than before. */
  long nextTimestamp() {
    lastTimestamp = peekTimestamp();
    return lastTimestamp;
  }

  /** Returns what {@link #nextTimestamp} would. */
  long peekTimestamp() {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    return Math.max(micros, lastTimestamp + 1);
  }

  void write(Change.Stamped change) {
    table(change.change().table()).write(change, clock.seconds());
  }

  /** Whether the partition of a change has anything of a greater timestamp. */
  boolean hasNewer(Change.Stamped stamped) {
    ModelTable table = table(stamped.change().table());
    ModelPartition partition = table.byKey().get(table.place(stamped.change().key()));
    return partition != null && partition.newest() > stamped.timestamp();
  }

  /** Whether a row is as it is required to be. */
  boolean holds(Change change, List<Object> clustering, List<Requirement> requirements) {
    Rows row = new Rows(clustering, null, null);
    Question question = Question.of(change.table(), change.key(), false);
    List<Map<String, @Nullable Object>> found = new ArrayList<>();
    ModelTable table = table(change.table());
    ModelPartition partition = table.byKey().get(table.place(change.key()));
    if (partition != null) {
      rows(table, partition, question, List.of(row), clock.seconds(), found);
    }
    boolean exists = !found.isEmpty();
    return requirements.stream()
        .allMatch(
            required ->
                required.holds(exists, exists ? found.get(0).get(required.column()) : null));
  }

  void truncate(String table) {
    table(table).truncate();
  }

  /** Executes an {@code ALTER TABLE} statement. */
  void alter(String table, String cql) {
    ModelTable altered = table(table);
    altered.alter(SchemaParser.alter(altered.schema(), cql, nextTimestamp()));
  }

  /** The rows that answer a question, as if not by pages. */
  public List<Map<String, @Nullable Object>> answer(Question question) {
    ModelTable table = table(question.table());
    long now = question.now().orElse(clock.seconds());
    List<Rows> wanted =
        question.rows().stream().anyMatch(ReferenceModel::isAll) ? List.of() : question.rows();
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (ModelPartition partition : partitions(table, question.partitions())) {
      List<Map<String, @Nullable Object>> rows = new ArrayList<>();
      rows(table, partition, question, wanted, now, rows);
      rows.stream()
          .limit(question.distinct() ? 1 : question.perPartitionLimit())
          .map(row -> selected(table.schema(), row, question))
          .forEach(all::add);
    }
    return all.stream().limit(question.limit()).toList();
  }

  private static boolean isAll(Rows rows) {
    return rows.prefix().isEmpty() && rows.lower() == null && rows.upper() == null;
  }

  private static Collection<ModelPartition> partitions(ModelTable table, Partitions which) {
    Map<PartitionKey, ModelPartition> found = new TreeMap<>(table.byKey());
    if (which instanceof Partitions.One one) {
      found.keySet().removeIf(key -> !key.equals(table.place(one.key())));
    } else if (which instanceof Partitions.Tokens tokens) {
      List<Object> first = tokens.first();
      List<Object> last = tokens.last();
      found
          .keySet()
          .removeIf(
              key ->
                  (first != null && key.token() < table.place(first).token())
                      || (last != null && key.token() > table.place(last).token()));
    } else if (which instanceof Partitions.Keys keys) {
      List<Object> from = keys.from();
      List<Object> to = keys.to();
      found
          .keySet()
          .removeIf(
              key ->
                  (from != null && key.compareTo(table.place(from)) < (keys.fromIncluded() ? 0 : 1))
                      || (to != null
                          && key.compareTo(table.place(to)) > (keys.toIncluded() ? 0 : -1)));
    }
    return found.values();
  }

  /** All rows of a partition that are wanted, with all columns. */
  private static void rows(
      ModelTable table,
      ModelPartition partition,
      Question question,
      List<Rows> wanted,
      long now,
      List<Map<String, @Nullable Object>> into) {
    TableSchema schema = table.schema();
    Map<String, @Nullable Object> shared = new LinkedHashMap<>();
    for (int i = 0; i < partition.key().size(); i++) {
      shared.put(schema.partitionKeyColumns().get(i).name(), partition.key().get(i));
    }
    boolean hasStatic =
        takeCells(
            table,
            schema.staticColumns(),
            partition.staticRow(),
            partition.staticCoveredUntil(),
            now,
            shared);
    Map<List<Object>, ModelRow> rows =
        question.reversed() ? partition.rows().descendingMap() : partition.rows();
    rows.forEach(
        (clustering, row) -> {
          if (!wanted.isEmpty() && wanted.stream().noneMatch(one -> one.contains(clustering))) {
            return;
          }
          long covered = partition.coveredUntil(clustering);
          Map<String, @Nullable Object> values = new LinkedHashMap<>(shared);
          for (int i = 0; i < clustering.size(); i++) {
            values.put(schema.clusteringColumns().get(i).name(), clustering.get(i));
          }
          boolean live = takeCells(table, schema.regularColumns(), row, covered, now, values);
          if (live || row.isInserted(covered, now)) {
            into.add(values);
          }
        });
    if (into.isEmpty() && hasStatic && wanted.isEmpty()) {
      into.add(shared);
    }
  }

  /** Takes what is alive of some columns; whether there was anything. */
  private static boolean takeCells(
      ModelTable table,
      List<Column> columns,
      ModelRow row,
      long coveredUntil,
      long now,
      Map<String, @Nullable Object> into) {
    boolean any = false;
    for (Column column : columns) {
      long gone = Math.max(coveredUntil, table.droppedAt(column.name()));
      List<Live> live = row.live(column.name(), gone, now);
      if (!live.isEmpty()) {
        any = true;
        into.put(column.name(), Values.plain(value(column.type(), live)));
        into.put(
            writetime(column.name()),
            comparableTimestamp(
                live.stream().mapToLong(one -> one.cell().timestamp()).max().orElseThrow()));
        long endsAt = live.stream().mapToLong(one -> one.cell().endsAt()).min().orElseThrow();
        into.put(ttl(column.name()), endsAt == Long.MAX_VALUE ? null : endsAt - now);
      }
    }
    return any;
  }

  static String writetime(String column) {
    return "writetime(" + column + ")";
  }

  static String ttl(String column) {
    return "ttl(" + column + ")";
  }

  /** A value as it is in rows: equal ones are equal, and sets and maps are lists. */
  public static @Nullable Object plain(@Nullable Object value) {
    return Values.plain(value);
  }

  /** Without what distinguishes automatic timestamps of one millisecond. */
  public static long comparableTimestamp(long micros) {
    return micros < FIRST_AUTOMATIC ? micros : micros - micros % MICROS_PER_MILLI;
  }

  private static @Nullable Object value(CqlType type, List<Live> live) {
    if (!type.isMultiCell()) {
      return live.get(0).cell().value();
    }
    if (type.kind() == TypeKind.SET || type.kind() == TypeKind.LIST) {
      return live.stream().map(one -> one.cell().value()).toList();
    }
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    if (type.kind() == TypeKind.USER) {
      List<String> fields = ModelTable.fields(type);
      fields.forEach(field -> map.put(field, null));
      live.forEach(one -> map.put(fields.get((Integer) one.path()), one.cell().value()));
    } else {
      live.forEach(one -> map.put(one.path(), one.cell().value()));
    }
    return map;
  }

  /** Only the columns asked for, null where there is no value. */
  private static Map<String, @Nullable Object> selected(
      TableSchema schema, Map<String, @Nullable Object> row, Question question) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    schema.partitionKeyColumns().forEach(c -> values.put(c.name(), row.get(c.name())));
    if (!question.distinct()) {
      schema.clusteringColumns().forEach(c -> values.put(c.name(), row.get(c.name())));
    }
    for (String column : resultColumns(schema, question)) {
      values.put(column, row.get(column));
      values.put(writetime(column), row.get(writetime(column)));
      values.put(ttl(column), row.get(ttl(column)));
    }
    return values;
  }

  /** The columns of a question's rows behind those of the primary key. */
  public static List<String> resultColumns(TableSchema schema, Question question) {
    if (question.select() != null) {
      return question.select();
    }
    List<String> names = new ArrayList<>();
    schema.staticColumns().forEach(column -> names.add(column.name()));
    if (!question.distinct()) {
      schema.regularColumns().forEach(column -> names.add(column.name()));
    }
    return names;
  }
}
