package io.siltstone.model;

import io.siltstone.model.Action.DeleteColumns;
import io.siltstone.model.Action.DeletePartition;
import io.siltstone.model.Action.DeleteRange;
import io.siltstone.model.Action.DeleteRow;
import io.siltstone.model.Action.DeleteStatic;
import io.siltstone.model.Action.SetStatic;
import io.siltstone.model.Action.Upsert;
import io.siltstone.model.Assignment.Part;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One table of the model: takes changes in, as {@code INSERT}, {@code UPDATE}, {@code DELETE}. */
final class ModelTable {
  private final Partitioner partitioner;
  private final NavigableMap<PartitionKey, ModelPartition> partitions = new TreeMap<>();
  private TableSchema schema;
  // Of list elements: later appended ones are greater, later prepended ones less.
  private long elements;

  ModelTable(TableSchema schema, Partitioner partitioner) {
    this.schema = schema;
    this.partitioner = partitioner;
  }

  TableSchema schema() {
    return schema;
  }

  void alter(TableSchema altered) {
    schema = altered;
  }

  void truncate() {
    partitions.clear();
  }

  /** In partition order. */
  Collection<ModelPartition> partitions() {
    return partitions.values();
  }

  /** Those with keys in the given range of places. */
  NavigableMap<PartitionKey, ModelPartition> byKey() {
    return partitions;
  }

  /** Where a key is among the partitions. */
  PartitionKey place(List<Object> key) {
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      parts.add(schema.partitionKeyColumns().get(i).type().encode(key.get(i)));
    }
    byte[] bytes = parts.get(0);
    if (parts.size() > 1) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (byte[] part : parts) {
        out.write(part.length >> 8);
        out.write(part.length);
        out.writeBytes(part);
        out.write(0);
      }
      bytes = out.toByteArray();
    }
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }

  /** When columns were dropped, cells that are not newer are gone, even if it was added again. */
  long droppedAt(String column) {
    return schema.droppedColumn(column).map(DroppedColumn::droppedAtMicros).orElse(Long.MIN_VALUE);
  }

  /** Whether the table has all columns that a change names. */
  boolean accepts(Change change) {
    return change.steps().stream()
        .flatMap(step -> columns(step.action()))
        .allMatch(column -> schema.column(column).isPresent());
  }

  private static Stream<String> columns(Action action) {
    if (action instanceof Upsert upsert) {
      return upsert.assignments().stream().map(Assignment::column);
    }
    if (action instanceof SetStatic set) {
      return set.assignments().stream().map(Assignment::column);
    }
    if (action instanceof DeleteColumns delete) {
      return delete.columns().stream();
    }
    return action instanceof DeleteStatic delete ? delete.columns().stream() : Stream.of();
  }

  /**
   * Takes a change in.
   *
   * @param now seconds since 1970
   */
  void write(Change.Stamped stamped, long now) {
    Change change = stamped.change();
    ModelPartition partition =
        partitions.computeIfAbsent(
            place(change.key()), key -> new ModelPartition(change.key(), clusteringOrder()));
    for (Step step : change.steps()) {
      new Writing(partition, step, stamped.timestamp(), now).run();
      partition.wrote(step.timestamp() == null ? stamped.timestamp() : step.timestamp());
    }
  }

  private Comparator<List<Object>> clusteringOrder() {
    List<Column> columns = schema.clusteringColumns();
    return (left, right) -> {
      for (int i = 0; i < columns.size(); i++) {
        int order = Values.compare(left.get(i), right.get(i));
        if (order != 0) {
          return columns.get(i).isDescending() ? -order : order;
        }
      }
      return 0;
    };
  }

  /** One statement. */
  private final class Writing {
    private final ModelPartition partition;
    private final Action action;
    private final long timestamp;
    private final int ttl;
    private final long now;

    Writing(ModelPartition partition, Step step, long automatic, long now) {
      this.partition = partition;
      this.action = step.action();
      this.timestamp = step.timestamp() == null ? automatic : step.timestamp();
      this.ttl = step.ttl() == null ? schema.options().defaultTimeToLive() : step.ttl();
      this.now = now;
    }

    void run() {
      if (action instanceof Upsert upsert) {
        ModelRow row = partition.row(upsert.clustering());
        if (upsert.insert()) {
          row.insert(new ModelLiveness(timestamp, ttl, endsAt()));
        }
        upsert.assignments().forEach(assignment -> assign(row, assignment));
      } else if (action instanceof SetStatic set) {
        set.assignments().forEach(assignment -> assign(partition.staticRow(), assignment));
      } else if (action instanceof DeleteColumns delete) {
        delete.columns().forEach(column -> delete(partition.row(delete.clustering()), column));
      } else if (action instanceof DeleteStatic delete) {
        delete.columns().forEach(column -> delete(partition.staticRow(), column));
      } else if (action instanceof DeleteRow delete) {
        partition.row(delete.clustering()).delete(timestamp);
      } else if (action instanceof DeleteRange delete) {
        partition.delete(delete.rows(), timestamp);
      } else if (action instanceof DeletePartition) {
        partition.delete(timestamp);
      }
    }

    private long endsAt() {
      return ttl == 0 ? Long.MAX_VALUE : now + ttl;
    }

    private void delete(ModelRow row, String column) {
      if (type(column).isMultiCell()) {
        row.deleteElements(column, timestamp);
      } else {
        row.set(column, ModelRow.SIMPLE, tombstone());
      }
    }

    private ModelCell tombstone() {
      return new ModelCell(timestamp, 0, now, null, new byte[0]);
    }

    private ModelCell cell(CqlType type, Object value) {
      return new ModelCell(timestamp, ttl, endsAt(), value, type.encode(value));
    }

    private void assign(ModelRow row, Assignment assignment) {
      String column = assignment.column();
      CqlType type = type(column);
      Object value = assignment.value();
      switch (assignment.kind()) {
        case SET -> {
          if (type.isMultiCell()) {
            // What is set takes the place of what was there a microsecond before.
            row.deleteElements(column, timestamp - 1);
            if (value != null) {
              add(row, column, type, value);
            }
          } else {
            row.set(column, ModelRow.SIMPLE, value == null ? tombstone() : cell(type, value));
          }
        }
        case ADD -> add(row, column, type, Objects.requireNonNull(value));
        case PREPEND -> {
          List<?> list = (List<?>) Objects.requireNonNull(value);
          for (int i = list.size() - 1; i >= 0; i--) {
            row.set(column, - ++elements, cell(type.elementTypes().get(0), list.get(i)));
          }
        }
        case REMOVE ->
            ((Collection<?>) Objects.requireNonNull(value))
                .forEach(element -> row.set(column, element, tombstone()));
        case PUT -> {
          Part part = (Part) Objects.requireNonNull(value);
          set(row, column, part.key(), type.elementTypes().get(1), part.value());
        }
        case FIELD -> {
          Part part = (Part) Objects.requireNonNull(value);
          int field = fields(type).indexOf(part.key().toString());
          set(row, column, field, type.elementTypes().get(field), part.value());
        }
      }
    }

    private void set(
        ModelRow row, String column, Object path, CqlType type, @Nullable Object value) {
      row.set(column, path, value == null ? tombstone() : cell(type, value));
    }

    private void add(ModelRow row, String column, CqlType type, Object value) {
      List<CqlType> types = type.elementTypes();
      if (type.kind() == TypeKind.LIST) {
        ((List<?>) value).forEach(e -> row.set(column, ++elements, cell(types.get(0), e)));
      } else if (type.kind() == TypeKind.SET) {
        ((Collection<?>) value)
            .forEach(
                e -> row.set(column, e, new ModelCell(timestamp, ttl, endsAt(), e, new byte[0])));
      } else if (type.kind() == TypeKind.MAP) {
        ((Map<?, ?>) value).forEach((k, v) -> row.set(column, k, cell(types.get(1), v)));
      } else {
        List<String> fields = fields(type);
        ((Map<?, ?>) value)
            .forEach(
                (name, v) -> {
                  int field = fields.indexOf(name.toString());
                  if (v != null) {
                    row.set(column, field, cell(types.get(field), v));
                  }
                });
      }
    }

    private CqlType type(String column) {
      return schema.column(column).orElseThrow().type();
    }
  }

  static List<String> fields(CqlType type) {
    return ((UserType) type).fields().stream().map(field -> field.name()).toList();
  }
}
