package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.ModelMerge;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.Column;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.RandomTypes;
import io.siltstone.type.UserType;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * One mutation of many operations says what as many mutations of one operation each say together.
 * Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomMutationsTest {
  private static final long NOW = 1_700_000_000L;

  @Test
  void operationsOfOneMutationAreMergedAsMutationsAre() {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, 400L * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    int[] refused = new int[2];
    seeds.forEach(
        seed -> {
          try {
            refused[new Case(seed).check() ? 1 : 0]++;
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
          }
        });
    if (one == null) {
      assertThat(refused[0]).isGreaterThan(50);
      assertThat(refused[1]).isGreaterThan(50);
    }
  }

  /** What is done with a builder. */
  private record Operation(long timestamp, int ttl, Consumer<MutationBuilder> change) {
    void addTo(MutationBuilder builder, long at) {
      change.accept(builder.timestamp(at).ttl(ttl));
    }
  }

  /** A table and the operations on one of its partitions. */
  private static final class Case {
    private final Random random;
    private final RandomTypes values;
    private final TableSchema schema;
    private final RowEncoding encoding;
    private final Object[] key;
    private final List<Object[]> clusterings = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final int of;

    Case(long seed) {
      random = new Random(seed);
      values = new RandomTypes(random);
      TableSchema drawn;
      int next = 0;
      do {
        drawn = RandomSchemas.table(seed * 1000 + next++);
      } while (!isUsable(drawn));
      schema = drawn.withOptions(TableOptions.DEFAULT);
      encoding = RowEncoding.of(schema, EncodingStats.NONE, true);
      key = schema.partitionKeyColumns().stream().map(column -> key(column.type())).toArray();
      for (int i = 0; i < 4; i++) {
        clusterings.add(
            schema.clusteringColumns().stream()
                .map(column -> values.value(column.valueType()))
                .toArray());
      }
      // Few timestamps for much that meets, many for much that is no contradiction.
      of = 1 << random.nextInt(12);
      for (int i = 1 + random.nextInt(25); i > 0; i--) {
        operations.add(operation());
      }
    }

    private static boolean isUsable(TableSchema schema) {
      return !schema.isCounter()
          && Stream.of(
                  schema.partitionKeyColumns(),
                  schema.clusteringColumns(),
                  schema.staticColumns(),
                  schema.regularColumns())
              .flatMap(List::stream)
              .noneMatch(column -> hasEmpty(column.type()));
    }

    private static boolean hasEmpty(CqlType type) {
      return type.equals(CqlTypes.EMPTY) || type.elementTypes().stream().anyMatch(Case::hasEmpty);
    }

    /** A partition key is not empty. */
    private Object key(CqlType type) {
      Object value = values.value(type);
      while (type.encode(value).length == 0) {
        value = values.value(type);
      }
      return value;
    }

    private Operation operation() {
      long timestamp = 10L + random.nextInt(of);
      int ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
      return new Operation(timestamp, ttl, change());
    }

    private Consumer<MutationBuilder> change() {
      Object[] row = clusterings.get(random.nextInt(clusterings.size()));
      ClusteringRange range = range();
      Consumer<MutationBuilder> cells = cells(row);
      return switch (random.nextInt(40)) {
        case 0 -> MutationBuilder::deletePartition;
        case 1, 2, 3 -> builder -> builder.deleteRow(row);
        case 4, 5, 6, 7 -> builder -> builder.deleteRange(range);
        case 8, 9, 10, 11 -> builder -> builder.insert(row);
        default -> cells;
      };
    }

    private ClusteringRange range() {
      Object[] row = clusterings.get(random.nextInt(clusterings.size()));
      Object[] other = clusterings.get(random.nextInt(clusterings.size()));
      int prefix = random.nextInt(row.length + 1);
      ClusteringRange range = ClusteringRange.of(Arrays.copyOf(row, prefix));
      if (prefix == row.length) {
        return range;
      }
      range =
          switch (random.nextInt(3)) {
            case 0 -> range.from(row[prefix]);
            case 1 -> range.after(row[prefix]);
            default -> range;
          };
      return switch (random.nextInt(3)) {
        case 0 -> range.to(other[prefix]);
        case 1 -> range.before(other[prefix]);
        default -> range;
      };
    }

    private Consumer<MutationBuilder> cells(Object[] row) {
      List<Column> columns =
          Stream.concat(schema.staticColumns().stream(), schema.regularColumns().stream()).toList();
      if (columns.isEmpty()) {
        return builder -> builder.insert(row);
      }
      Consumer<MutationBuilder> change = cells(columns.get(random.nextInt(columns.size())));
      return builder -> change.accept(builder.update(row));
    }

    private Consumer<MutationBuilder> cells(Column column) {
      String name = column.name();
      CqlType type = column.type();
      Object value = values.value(type);
      if (!type.isMultiCell() || random.nextBoolean()) {
        int kind = random.nextInt(5);
        return builder -> {
          if (kind == 0) {
            builder.delete(name);
          } else {
            builder.set(name, kind == 1 ? null : value);
          }
        };
      }
      boolean some = random.nextBoolean();
      return switch (type.kind()) {
        case LIST ->
            builder -> {
              if (some) {
                builder.append(name, (List<?>) value);
              } else {
                builder.prepend(name, (List<?>) value);
              }
            };
        case SET ->
            builder -> {
              if (some) {
                builder.add(name, (Collection<?>) value);
              } else {
                builder.remove(name, (Collection<?>) value);
              }
            };
        case MAP ->
            builder -> {
              if (some) {
                builder.putAll(name, (Map<?, ?>) value);
              } else {
                builder.remove(name, ((Map<?, ?>) value).keySet());
              }
            };
        default -> field(name, (UserType) type, (Map<?, ?>) value);
      };
    }

    private Consumer<MutationBuilder> field(String name, UserType type, Map<?, ?> value) {
      UserType.Field field = type.fields().get(random.nextInt(type.fields().size()));
      return builder -> builder.setField(name, field.name(), value.get(field.name()));
    }

    private MutationFactory factory() {
      InstantSource source = InstantSource.fixed(Instant.ofEpochSecond(NOW));
      return new MutationFactory(
          schema,
          encoding,
          Partitioner.MURMUR3,
          WriteClock.following(source),
          new ListPaths(source, 1));
    }

    /**
     * Whether the mutation was refused. What is not refused says what the operations say each by
     * itself, and of those with the same timestamp it does not matter which is later.
     */
    boolean check() throws IOException {
      MutationBuilder together = factory().mutation(key);
      operations.forEach(operation -> operation.addTo(together, operation.timestamp));
      Mutation built;
      try {
        built = together.build();
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("with the same timestamp");
        return true;
      }
      TableModel merged = alone(operation -> operation.timestamp);
      assertThat(model(built).scan()).isEqualTo(merged.scan());
      for (int round = 0; round < 4; round++) {
        IdentityHashMap<Operation, Integer> places = new IdentityHashMap<>();
        List<Operation> shuffled = new ArrayList<>(operations);
        Collections.shuffle(shuffled, random);
        shuffled.forEach(operation -> places.put(operation, places.size()));
        TableModel ordered =
            alone(
                operation ->
                    operation.timestamp * 1000
                        + 2L * Objects.requireNonNull(places.get(operation)));
        assertThat(live(ordered)).isEqualTo(live(merged));
      }
      return false;
    }

    private TableModel alone(ToLongFunction<Operation> timestamps) throws IOException {
      MutationFactory alone = factory();
      List<TableModel> models = new ArrayList<>();
      for (Operation operation : operations) {
        MutationBuilder builder = alone.mutation(key);
        operation.addTo(builder, timestamps.applyAsLong(operation));
        models.add(model(builder.build()));
      }
      return ModelMerge.of(encoding.header(), Map.of(), models);
    }

    /** What readers see, without timestamps. */
    private static List<String> live(TableModel model) {
      List<String> lines = new ArrayList<>();
      for (Partition partition : model.partitions()) {
        List<Item> items = new ArrayList<>(partition.items());
        if (partition.staticRow() != null) {
          items.add(0, partition.staticRow());
        }
        for (Item item : items) {
          if (item instanceof Row row) {
            live(row, lines);
          }
        }
      }
      return lines;
    }

    private static void live(Row row, List<String> lines) {
      String place = row.text().substring(0, row.text().indexOf(')') + 1);
      if (!DeletionTime.isLive(row.liveness())) {
        lines.add(place + " ttl " + row.ttl());
      }
      for (TableModel.Column column : row.columns()) {
        for (TableModel.Cell cell : column.cells()) {
          if (cell.ttl() != DeletionTime.NO_TTL
              || cell.localDeletionTime() == DeletionTime.NO_DELETION_TIME) {
            lines.add(
                place
                    + " column "
                    + column.index()
                    + " "
                    + Arrays.toString(cell.path())
                    + "="
                    + Arrays.toString(cell.value())
                    + " ttl "
                    + cell.ttl());
          }
        }
      }
    }

    private TableModel model(Mutation mutation) throws IOException {
      PartitionUpdate view = new PartitionUpdate(encoding);
      mutation.wrapIn(view);
      List<Partition> partitions = new ArrayList<>();
      try (PartitionCursor cursor = view.cursor()) {
        cursor.nextPartition();
        @Nullable Row staticRow = null;
        List<Item> items = new ArrayList<>();
        while (cursor.nextUnfiltered()) {
          Item item = TableModel.itemOf(cursor.unfiltered());
          if (TableModel.isStatic(item)) {
            staticRow = (Row) item;
          } else {
            items.add(item);
          }
        }
        PartitionKey copy = new PartitionKey();
        copy.copyFrom(cursor.key());
        if (!mutation.isEmpty()) {
          partitions.add(
              new Partition(
                  copy,
                  new Deletion(cursor.deletionTimestamp(), cursor.deletionLocalTime()),
                  staticRow,
                  items));
        }
      }
      return new TableModel(encoding.header(), Partitioner.MURMUR3, partitions);
    }
  }
}
