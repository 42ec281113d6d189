package io.siltstone.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.model.Action.DeleteColumns;
import io.siltstone.model.Action.DeletePartition;
import io.siltstone.model.Action.DeleteRange;
import io.siltstone.model.Action.DeleteRow;
import io.siltstone.model.Action.DeleteStatic;
import io.siltstone.model.Action.SetStatic;
import io.siltstone.model.Action.Upsert;
import io.siltstone.model.Assignment.Part;
import io.siltstone.model.Question.Partitions;
import io.siltstone.model.Rows.Bound;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Changes and questions as calls of Siltstone, and its rows in the form of the model. */
final class EngineCalls {
  private EngineCalls() {}

  /** Opens the rows of a query. */
  @FunctionalInterface
  interface Reader {
    LiveRows read(Query query) throws IOException;
  }

  /** Tells a builder of the change's partition all of the change. */
  static Mutation build(MutationBuilder builder, TableSchema schema, Change change) {
    change.steps().forEach(step -> tell(builder, schema, step));
    return builder.build();
  }

  /** Whether a change may be written: one that contradicts itself is refused. */
  static boolean isWithoutContradiction(
      MutationBuilder builder, TableSchema schema, Change change, long timestamp) {
    try {
      // Given, as the clock must not be moved on for this.
      Mutation built = build(builder.timestamp(timestamp), schema, change);
      return built.serializedSize() > 0;
    } catch (IllegalArgumentException e) {
      if (String.valueOf(e.getMessage()).contains("with the same timestamp")) {
        return false;
      }
      throw e;
    }
  }

  private static void tell(MutationBuilder builder, TableSchema schema, Step step) {
    if (step.timestamp() != null) {
      builder.timestamp(step.timestamp());
    }
    builder.ttl(step.ttl() == null ? schema.options().defaultTimeToLive() : step.ttl());
    Action action = step.action();
    if (action instanceof Upsert upsert) {
      Object[] row = upsert.clustering().toArray();
      if (upsert.insert()) {
        builder.insert(row);
      } else {
        builder.update(row);
      }
      upsert.assignments().forEach(assignment -> assign(builder, schema, assignment));
    } else if (action instanceof SetStatic set) {
      set.assignments().forEach(assignment -> assign(builder, schema, assignment));
    } else if (action instanceof DeleteColumns delete) {
      builder.update(delete.clustering().toArray());
      delete.columns().forEach(builder::delete);
    } else if (action instanceof DeleteStatic delete) {
      delete.columns().forEach(builder::delete);
    } else if (action instanceof DeleteRow delete) {
      builder.deleteRow(delete.clustering().toArray());
    } else if (action instanceof DeleteRange delete) {
      builder.deleteRange(clusteringRange(delete.rows()));
    } else if (action instanceof DeletePartition) {
      builder.deletePartition();
    }
  }

  private static void assign(MutationBuilder builder, TableSchema schema, Assignment assignment) {
    String column = assignment.column();
    Object value = assignment.value();
    switch (assignment.kind()) {
      case SET -> builder.set(column, value);
      case ADD -> add(builder, schema.column(column).orElseThrow(), Objects.requireNonNull(value));
      case PREPEND -> builder.prepend(column, (List<?>) Objects.requireNonNull(value));
      case REMOVE -> builder.remove(column, (Collection<?>) Objects.requireNonNull(value));
      case PUT -> {
        Part part = (Part) Objects.requireNonNull(value);
        builder.put(column, part.key(), part.value());
      }
      case FIELD -> {
        Part part = (Part) Objects.requireNonNull(value);
        builder.setField(column, part.key().toString(), part.value());
      }
    }
  }

  private static void add(MutationBuilder builder, Column column, Object value) {
    switch (column.type().kind()) {
      case LIST -> builder.append(column.name(), (List<?>) value);
      case SET -> builder.add(column.name(), (Collection<?>) value);
      default -> builder.putAll(column.name(), (Map<?, ?>) value);
    }
  }

  /** All rows that answer a question, by pages if it asks for them. */
  static List<Map<String, @Nullable Object>> answer(
      Question question, TableSchema schema, Partitioner partitioner, Reader reader)
      throws IOException {
    Query.Builder builder = Query.builder(schema, partitioner);
    if (!restrict(builder, question.partitions(), schema, partitioner)) {
      return List.of();
    }
    question.rows().forEach(rows -> builder.rows(clusteringRange(rows)));
    if (question.reversed()) {
      builder.reversed();
    }
    if (question.distinct()) {
      builder.distinct();
    }
    if (question.select() != null) {
      builder.select(question.select().toArray(String[]::new));
    }
    if (question.limit() != Integer.MAX_VALUE) {
      builder.limit(question.limit());
    }
    if (question.perPartitionLimit() != Integer.MAX_VALUE) {
      builder.perPartitionLimit(question.perPartitionLimit());
    }
    if (question.pageSize() != Integer.MAX_VALUE) {
      builder.pageSize(question.pageSize());
    }
    question.now().ifPresent(builder::nowSeconds);
    return byPages(builder.build(), question.pageSize(), reader);
  }

  private static List<Map<String, @Nullable Object>> byPages(
      Query first, int pageSize, Reader reader) throws IOException {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    Query query = first;
    while (true) {
      try (LiveRows rows = reader.read(query)) {
        int before = all.size();
        rows.forEachRemaining(row -> all.add(values(row)));
        assertThat(all.size() - before).isLessThanOrEqualTo(pageSize);
        Optional<PagingState> token = rows.pagingState();
        if (token.isEmpty()) {
          return all;
        }
        assertThat(all.size() - before).as("rows of a page").isEqualTo(pageSize);
        query = first.after(token.get());
      }
    }
  }

  /** Whether there can be any rows. */
  private static boolean restrict(
      Query.Builder builder, Partitions which, TableSchema schema, Partitioner partitioner) {
    if (which instanceof Partitions.One one) {
      builder.partition(one.key().toArray());
    } else if (which instanceof Partitions.Tokens tokens) {
      ModelTable places = new ModelTable(schema, partitioner);
      List<Object> firstKey = tokens.first();
      List<Object> lastKey = tokens.last();
      long first = firstKey == null ? Long.MIN_VALUE : places.place(firstKey).token();
      long last = lastKey == null ? Long.MAX_VALUE : places.place(lastKey).token();
      if (first > last) {
        return false;
      }
      builder.tokens(first, last);
    } else if (which instanceof Partitions.Keys keys) {
      ModelTable places = new ModelTable(schema, partitioner);
      List<Object> from = keys.from();
      List<Object> to = keys.to();
      if (from != null && to != null && places.place(from).compareTo(places.place(to)) > 0) {
        return false;
      }
      if (from != null && keys.fromIncluded()) {
        builder.keysFrom(from.toArray());
      } else if (from != null) {
        builder.keysAfter(from.toArray());
      }
      if (to != null && keys.toIncluded()) {
        builder.keysTo(to.toArray());
      } else if (to != null) {
        builder.keysBefore(to.toArray());
      }
    }
    return true;
  }

  private static ClusteringRange clusteringRange(Rows rows) {
    ClusteringRange range = ClusteringRange.of(rows.prefix().toArray());
    Bound lower = rows.lower();
    Bound upper = rows.upper();
    if (lower != null) {
      Object[] values = lower.values().toArray();
      range = lower.inclusive() ? range.from(values) : range.after(values);
    }
    if (upper != null) {
      Object[] values = upper.values().toArray();
      range = upper.inclusive() ? range.to(values) : range.before(values);
    }
    return range;
  }

  private static Map<String, @Nullable Object> values(Row row) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < row.columns().size(); i++) {
      Column column = row.columns().get(i);
      String name = column.name();
      Object value = row.get(i);
      assertThat(row.isNull(i)).as("null: %s", name).isEqualTo(value == null);
      values.put(name, Values.plain(value));
      if (!column.isPrimaryKey()) {
        OptionalLong timestamp = row.timestamp(name);
        values.put(
            ReferenceModel.writetime(name),
            timestamp.isEmpty()
                ? null
                : (Object) ReferenceModel.comparableTimestamp(timestamp.getAsLong()));
        OptionalInt ttl = row.ttl(name);
        values.put(ReferenceModel.ttl(name), ttl.isEmpty() ? null : (Object) (long) ttl.getAsInt());
      }
    }
    return values;
  }
}
