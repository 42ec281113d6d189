package io.siltstone.model;

import io.siltstone.model.Action.DeleteColumns;
import io.siltstone.model.Action.DeletePartition;
import io.siltstone.model.Action.DeleteRange;
import io.siltstone.model.Action.DeleteRow;
import io.siltstone.model.Action.DeleteStatic;
import io.siltstone.model.Action.SetStatic;
import io.siltstone.model.Action.Upsert;
import io.siltstone.model.Assignment.Part;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes and questions as CQL statements, of a table as it is now. Immutable. */
public final class Cql {
  private final TableSchema schema;
  private final String table;

  /** Of this table. */
  public Cql(TableSchema schema) {
    this.schema = schema;
    this.table = schema.keyspace() + "." + schema.name();
  }

  /**
   * The statements of a change.
   *
   * @param automatic timestamp of those without one; null to show that there is none
   */
  public List<String> statements(Change change, @Nullable Long automatic) {
    return change.steps().stream().map(step -> statement(change.key(), step, automatic)).toList();
  }

  private String statement(List<Object> key, Step step, @Nullable Long automatic) {
    String timestamp =
        step.timestamp() != null
            ? step.timestamp().toString()
            : automatic != null ? automatic.toString() : "now";
    String using = " USING TIMESTAMP " + timestamp;
    String usingTtl = using + (step.ttl() == null ? "" : " AND TTL " + step.ttl());
    Action action = step.action();
    if (action instanceof Upsert upsert) {
      return upsert.insert()
          ? insert(key, upsert) + usingTtl
          : update(usingTtl, upsert.assignments(), where(key, upsert.clustering()));
    }
    if (action instanceof SetStatic set) {
      return update(usingTtl, set.assignments(), where(key, List.of()));
    }
    if (action instanceof DeleteColumns delete) {
      return delete(delete.columns(), using, where(key, delete.clustering()));
    }
    if (action instanceof DeleteStatic delete) {
      return delete(delete.columns(), using, where(key, List.of()));
    }
    if (action instanceof DeleteRow delete) {
      return delete(List.of(), using, where(key, delete.clustering()));
    }
    if (action instanceof DeleteRange delete) {
      List<String> conditions = where(key, List.of());
      conditions.addAll(delete.rows().cql(schema));
      return delete(List.of(), using, conditions);
    }
    if (action instanceof DeletePartition) {
      return delete(List.of(), using, where(key, List.of()));
    }
    throw new AssertionError(action);
  }

  private String insert(List<Object> key, Upsert upsert) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    addKey(schema.partitionKeyColumns(), key, names, values);
    addKey(schema.clusteringColumns(), upsert.clustering(), names, values);
    for (Assignment assignment : upsert.assignments()) {
      names.add(assignment.column());
      values.add(Values.literal(column(assignment), assignment.value()));
    }
    return "INSERT INTO "
        + table
        + " ("
        + String.join(", ", names)
        + ") VALUES ("
        + String.join(", ", values)
        + ")";
  }

  private static void addKey(
      List<Column> columns, List<Object> key, List<String> names, List<String> values) {
    for (int i = 0; i < columns.size(); i++) {
      names.add(columns.get(i).name());
      values.add(Values.literal(columns.get(i), key.get(i)));
    }
  }

  private String update(String using, List<Assignment> assignments, List<String> where) {
    return "UPDATE "
        + table
        + using
        + " SET "
        + assignments.stream().map(this::assignment).collect(Collectors.joining(", "))
        + " WHERE "
        + String.join(" AND ", where);
  }

  private String assignment(Assignment assignment) {
    Column column = column(assignment);
    String name = column.name();
    Object value = assignment.value();
    return switch (assignment.kind()) {
      case SET -> name + " = " + Values.literal(column, value);
      case ADD -> name + " = " + name + " + " + Values.literal(column, value);
      case PREPEND -> name + " = " + Values.literal(column, value) + " + " + name;
      case REMOVE -> name + " = " + name + " - " + elements(column.type(), value);
      case PUT -> {
        List<CqlType> types = column.type().elementTypes();
        Part part = part(value);
        yield name
            + "["
            + literal(types.get(0), part.key())
            + "] = "
            + literal(types.get(1), part.value());
      }
      case FIELD -> {
        Part part = part(value);
        UserType type = (UserType) column.type();
        int index = type.fields().stream().map(f -> (Object) f.name()).toList().indexOf(part.key());
        yield name
            + "."
            + part.key()
            + " = "
            + literal(type.fields().get(index).type(), part.value());
      }
    };
  }

  private static Part part(@Nullable Object value) {
    if (value instanceof Part part) {
      return part;
    }
    throw new AssertionError(value);
  }

  private static String elements(CqlType type, @Nullable Object value) {
    if (value instanceof Collection<?> all) {
      return all.stream()
          .map(element -> literal(type.elementTypes().get(0), element))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    throw new AssertionError(value);
  }

  private static String literal(CqlType type, @Nullable Object value) {
    if (value == null) {
      return "null";
    }
    byte[] bytes = type.encode(value);
    return type.toCqlLiteral(bytes, 0, bytes.length);
  }

  private Column column(Assignment assignment) {
    return schema.column(assignment.column()).orElseThrow();
  }

  private String delete(List<String> columns, String using, List<String> where) {
    return "DELETE "
        + (columns.isEmpty() ? "" : String.join(", ", columns) + " ")
        + "FROM "
        + table
        + using
        + " WHERE "
        + String.join(" AND ", where);
  }

  private List<String> where(List<Object> key, List<Object> clustering) {
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      conditions.add(equal(schema.partitionKeyColumns().get(i), key.get(i)));
    }
    for (int i = 0; i < clustering.size(); i++) {
      conditions.add(equal(schema.clusteringColumns().get(i), clustering.get(i)));
    }
    return conditions;
  }

  private static String equal(Column column, Object value) {
    return column.name() + " = " + Values.literal(column, value);
  }

  /**
   * A question without what CQL cannot say at once: pages, several ranges, and the present time are
   * left to the caller.
   *
   * @param columns what to select
   */
  public String select(Question question, String columns) {
    List<String> conditions = new ArrayList<>();
    Question.Partitions partitions = question.partitions();
    if (partitions instanceof Question.Partitions.One one) {
      conditions.addAll(where(one.key(), List.of()));
    } else if (partitions instanceof Question.Partitions.Tokens tokens) {
      addToken(conditions, ">=", tokens.first());
      addToken(conditions, "<=", tokens.last());
    } else if (partitions instanceof Question.Partitions.Keys keys) {
      addToken(conditions, keys.fromIncluded() ? ">=" : ">", keys.from());
      addToken(conditions, keys.toIncluded() ? "<=" : "<", keys.to());
    }
    for (Rows rows : question.rows()) {
      conditions.addAll(rows.cql(schema));
    }
    return "SELECT "
        + (question.distinct() ? "DISTINCT " : "")
        + columns
        + " FROM "
        + table
        + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
        + (question.reversed() ? " ORDER BY " + reversedOrder() : "")
        + (question.perPartitionLimit() == Integer.MAX_VALUE
            ? ""
            : " PER PARTITION LIMIT " + question.perPartitionLimit())
        + (question.limit() == Integer.MAX_VALUE ? "" : " LIMIT " + question.limit());
  }

  private String reversedOrder() {
    return schema.clusteringColumns().stream()
        .map(column -> column.name() + (column.isDescending() ? " ASC" : " DESC"))
        .collect(Collectors.joining(", "));
  }

  private void addToken(List<String> conditions, String operator, @Nullable List<Object> key) {
    if (key == null) {
      return;
    }
    List<Column> columns = schema.partitionKeyColumns();
    List<String> literals = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      literals.add(Values.literal(columns.get(i), key.get(i)));
    }
    conditions.add(
        "token("
            + columns.stream().map(Column::name).collect(Collectors.joining(", "))
            + ") "
            + operator
            + " token("
            + String.join(", ", literals)
            + ")");
  }
}
