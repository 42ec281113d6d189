package io.siltstone.model;

import io.siltstone.model.Action.DeleteColumns;
import io.siltstone.model.Action.DeletePartition;
import io.siltstone.model.Action.DeleteRange;
import io.siltstone.model.Action.DeleteRow;
import io.siltstone.model.Action.DeleteStatic;
import io.siltstone.model.Action.SetStatic;
import io.siltstone.model.Action.Upsert;
import io.siltstone.model.Assignment.Kind;
import io.siltstone.model.Assignment.Part;
import io.siltstone.model.Question.Partitions;
import io.siltstone.model.Rows.Bound;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Draws sequences from seeds: over few keys, few clusterings and few timestamps, so that much of
 * what is written meets what was written before, and ties are frequent.
 *
 * <p>Columns whose names begin with {@code x} come and go. What is written to them is older than
 * their being dropped, as it is not said what of later cells is left.
 */
public final class SequenceGenerator {
  private static final int KEYS = 4;
  private static final int MOST_STEPS = 5;
  private static final int WIDE_KEYS = 2;
  private static final int MOST_STEPS_OF_WIDE = 20;
  private static final List<Object> MANY_NUMBERS =
      IntStream.range(-5, 25).<Object>mapToObj(i -> i).toList();
  // Long, so that some rows are an index block; and of few different beginnings.
  private static final List<Object> MANY_TEXTS =
      IntStream.range(0, 30)
          .<Object>mapToObj(
              i -> i == 0 ? "" : "xyz".charAt(i % 3) + (i % 2 == 0 ? "" : "-".repeat(8 * i)) + i)
          .toList();
  private static final int MOST_COLUMNS_OF_BOUND = 2;
  private static final List<Object> NUMBERS = List.of(0, 1, -1, 7);
  private static final List<Object> TEXTS = List.of("a", "b", "ab", "B");
  private static final List<String> COMPRESSION =
      List.of(
          "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}",
          "compression = {'class': 'DeflateCompressor', 'chunk_length_in_kb': 16}",
          "compression = {'enabled': 'false'}");
  private static final Map<String, String> EXTRA_COLUMNS =
      new TreeMap<>(Map.of("xi", "int", "xt", "text", "xs", "set<int>", "xm", "map<int, text>"));

  private final Random random;
  private final Instant start;
  private final boolean wide;
  private final List<TableDefinition> tables = new ArrayList<>();
  private final Map<String, TableSchema> schemas = new TreeMap<>();
  private final Map<String, List<List<Object>>> keys = new TreeMap<>();

  private SequenceGenerator(long seed, Instant start, List<String> names, boolean wide) {
    this.start = start;
    this.wide = wide;
    this.random = new Random(new SplittableRandom(seed).nextLong());
    for (String name : names) {
      TableDefinition table = TableDefinition.draw(random, name);
      while (wide && table.schema().clusteringColumns().isEmpty()) {
        table = TableDefinition.draw(random, name);
      }
      tables.add(table);
      schemas.put(name, table.schema());
      List<List<Object>> some = new ArrayList<>();
      for (int i = 0; i < (wide ? WIDE_KEYS : KEYS); i++) {
        some.add(values(table.schema().partitionKeyColumns(), NUMBERS, TEXTS));
      }
      keys.put(name, some);
    }
  }

  /** A sequence over two tables, beginning in the autumn of 2023. */
  public static Sequence draw(long seed, int operations) {
    Partitioner partitioner =
        new SplittableRandom(~seed).nextBoolean() ? Partitioner.MURMUR3 : Partitioner.BYTE_ORDERED;
    return draw(
        seed, operations, partitioner, Instant.ofEpochSecond(1_700_000_000), List.of("t1", "t2"));
  }

  /**
   * A sequence.
   *
   * @param start of the clock
   * @param names of the tables
   */
  public static Sequence draw(
      long seed, int operations, Partitioner partitioner, Instant start, List<String> names) {
    return new SequenceGenerator(seed, start, names, false)
        .operations(seed, operations, partitioner);
  }

  /**
   * A sequence over one table of two partitions with many rows: so many that they have index
   * blocks, which range tombstones and slices begin and end in and reach over.
   */
  public static Sequence drawWide(long seed, int operations) {
    return drawWide(
        seed, operations, Partitioner.MURMUR3, Instant.ofEpochSecond(1_700_000_000), "t1");
  }

  /**
   * Likewise.
   *
   * @param start of the clock
   * @param name of the table
   */
  public static Sequence drawWide(
      long seed, int operations, Partitioner partitioner, Instant start, String name) {
    return new SequenceGenerator(seed, start, List.of(name), true)
        .operations(seed, operations, partitioner);
  }

  private Sequence operations(long seed, int operations, Partitioner partitioner) {
    List<Operation> drawn = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      drawn.add(operation(partitioner));
    }
    return new Sequence(seed, partitioner, start, tables, drawn);
  }

  private Operation operation(Partitioner partitioner) {
    String table = one(new ArrayList<>(schemas.keySet()));
    int kind = random.nextInt(1000);
    if (kind < 420) {
      return new Operation.Write(List.of(change(table, true)));
    } else if (kind < 470) {
      List<Change> changes = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        changes.add(change(one(new ArrayList<>(schemas.keySet())), true));
      }
      return new Operation.Write(changes);
    } else if (kind < 530) {
      return writeIf(table);
    } else if (kind < 800) {
      return new Operation.Ask(question(table, partitioner));
    } else if (kind < 860) {
      return new Operation.Flush(table);
    } else if (kind < 890) {
      return new Operation.Compact(table, random.nextLong());
    } else if (kind < 930) {
      return new Operation.AdvanceClock(1 + random.nextInt(4));
    } else if (kind < 950) {
      return alter(table);
    } else if (kind < 965) {
      List<Change> changes = new ArrayList<>();
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        changes.add(change(table, true));
      }
      return new Operation.Import(table, changes);
    } else if (kind < 975) {
      return new Operation.Reopen();
    } else if (kind < 985) {
      return new Operation.Crash(random.nextLong(), random.nextBoolean());
    } else if (kind < 990) {
      return new Operation.Checkpoint();
    } else if (kind < 994) {
      return new Operation.Truncate(table);
    }
    return new Operation.AskAll();
  }

  private Operation alter(String table) {
    TableSchema schema = schema(table);
    if (random.nextInt(4) == 0) {
      return new Operation.SetOptions(table, one(COMPRESSION));
    }
    String name = one(new ArrayList<>(EXTRA_COLUMNS.keySet()));
    boolean there = schema.column(name).isPresent();
    String what = there ? " DROP " + name : " ADD " + name + " " + EXTRA_COLUMNS.get(name);
    schemas.put(
        table,
        SchemaParser.alter(
            schema, "ALTER TABLE " + schema.keyspace() + "." + table + what + ";", 1));
    return there
        ? new Operation.DropColumn(table, name)
        : new Operation.AddColumn(table, name, String.valueOf(EXTRA_COLUMNS.get(name)));
  }

  private Operation writeIf(String table) {
    Change change = change(table, false);
    List<Requirement> requirements = new ArrayList<>();
    List<Column> simple =
        schema(table).regularColumns().stream()
            .filter(c -> c.type().equals(CqlTypes.INT) || c.type().equals(CqlTypes.TEXT))
            .toList();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      Column column = one(simple);
      Object value = scalar(column.type());
      requirements.add(
          switch (random.nextInt(6)) {
            case 0 -> new Requirement(Requirement.Kind.EXISTS, "", null);
            case 1 -> new Requirement(Requirement.Kind.NOT_EXISTS, "", null);
            case 2 ->
                new Requirement(
                    Requirement.Kind.EQUAL, column.name(), random.nextInt(3) == 0 ? null : value);
            case 3 ->
                new Requirement(
                    Requirement.Kind.NOT_EQUAL,
                    column.name(),
                    random.nextInt(3) == 0 ? null : value);
            case 4 -> new Requirement(Requirement.Kind.LESS, column.name(), value);
            default -> new Requirement(Requirement.Kind.AT_LEAST, column.name(), value);
          });
    }
    return new Operation.WriteIf(change, clustering(table), requirements);
  }

  private Change change(String table, boolean timestamps) {
    List<Step> steps = new ArrayList<>();
    boolean same = random.nextBoolean();
    @Nullable Long first = timestamps ? timestamp() : null;
    int most = wide ? MOST_STEPS_OF_WIDE : MOST_STEPS;
    for (int i = wide || random.nextInt(3) == 0 ? 1 + random.nextInt(most) : 1; i > 0; i--) {
      @Nullable Long timestamp = same || !timestamps ? first : timestamp();
      @Nullable Integer ttl = random.nextInt(3) > 0 ? null : Integer.valueOf(random.nextInt(5));
      Action action = action(table);
      if (timestamp != null && timestamp > 1_000_000 && action instanceof Upsert upsert) {
        action =
            new Upsert(
                upsert.insert(),
                upsert.clustering(),
                upsert.assignments().stream().filter(a -> !a.column().startsWith("x")).toList());
      }
      if (!(action instanceof Upsert upsert)
          || upsert.insert()
          || !upsert.assignments().isEmpty()) {
        steps.add(new Step(timestamp, ttl, action));
      }
    }
    if (steps.isEmpty()) {
      return change(table, timestamps);
    }
    // A builder has no way back from a timestamp of its own to those of the clock.
    steps.sort(Comparator.comparing(step -> step.timestamp() != null));
    return new Change(table, key(table), steps);
  }

  /** That of the clock, one of a few old ones, or one of a few that are still to come. */
  private @Nullable Long timestamp() {
    return switch (random.nextInt(12)) {
      case 0 -> 3_000_000_000_000_000L + random.nextInt(3);
      case 1, 2, 3, 4 -> null;
      default -> 10L + random.nextInt(5);
    };
  }

  private Action action(String table) {
    TableSchema schema = schema(table);
    boolean rows = !schema.clusteringColumns().isEmpty();
    List<Column> statics = schema.staticColumns();
    return switch (random.nextInt(20)) {
      case 0 ->
          wide && random.nextInt(50) > 0 ? new DeleteRow(clustering(table)) : new DeletePartition();
      case 1, 2 -> new DeleteRow(clustering(table));
      case 3, 4, 5 -> {
        if (wide && random.nextInt(3) > 0) {
          yield upsert(table, true);
        }
        yield rows ? new DeleteRange(range(schema)) : new DeleteRow(clustering(table));
      }
      case 6 -> new DeleteColumns(clustering(table), List.of(settable(schema).name()));
      case 7, 8, 9 -> {
        if (statics.isEmpty()) {
          yield upsert(table, false);
        }
        yield random.nextInt(4) == 0
            ? new DeleteStatic(List.of(one(statics).name()))
            : new SetStatic(assignments(statics, false));
      }
      case 10, 11, 12, 13 -> upsert(table, true);
      default -> upsert(table, false);
    };
  }

  /** Not one that comes and goes: the timestamp may be any. */
  private Column settable(TableSchema schema) {
    return one(schema.regularColumns().stream().filter(c -> !c.name().startsWith("x")).toList());
  }

  private Action upsert(String table, boolean insert) {
    return new Upsert(
        insert, clustering(table), assignments(schema(table).regularColumns(), insert));
  }

  private List<Assignment> assignments(List<Column> columns, boolean insert) {
    List<Assignment> assignments = new ArrayList<>();
    Map<String, Column> some = new TreeMap<>();
    for (int i = (insert ? 0 : 1) + random.nextInt(3); i > 0; i--) {
      Column column = one(columns);
      some.put(column.name(), column);
    }
    some.values().forEach(column -> assignments.add(assignment(column, insert)));
    return assignments;
  }

  private Assignment assignment(Column column, boolean insert) {
    CqlType type = column.type();
    String name = column.name();
    if (insert || !type.isMultiCell() || random.nextInt(3) == 0) {
      return new Assignment(name, Kind.SET, random.nextInt(5) == 0 ? null : value(type));
    }
    return switch (type.kind()) {
      case LIST -> new Assignment(name, random.nextBoolean() ? Kind.ADD : Kind.PREPEND, some(type));
      case SET -> new Assignment(name, random.nextInt(3) > 0 ? Kind.ADD : Kind.REMOVE, some(type));
      case MAP -> {
        CqlType keyType = type.elementTypes().get(0);
        yield switch (random.nextInt(4)) {
          case 0 -> new Assignment(name, Kind.REMOVE, some(CqlTypes.set(keyType)));
          case 1 -> new Assignment(name, Kind.ADD, some(type));
          default ->
              new Assignment(
                  name, Kind.PUT, new Part(scalar(keyType), orNull(type.elementTypes().get(1))));
        };
      }
      default -> {
        int field = random.nextInt(type.elementTypes().size());
        yield new Assignment(
            name,
            Kind.FIELD,
            new Part(ModelTable.fields(type).get(field), orNull(type.elementTypes().get(field))));
      }
    };
  }

  private @Nullable Object orNull(CqlType type) {
    return random.nextInt(4) == 0 ? null : scalar(type);
  }

  /** A collection that is not empty. */
  private Object some(CqlType type) {
    return collection(type, 1);
  }

  private Object value(CqlType type) {
    return type.kind() == TypeKind.SCALAR ? scalar(type) : collection(type, 0);
  }

  private Object collection(CqlType type, int least) {
    int size = least + random.nextInt(3);
    List<CqlType> types = type.elementTypes();
    switch (type.kind()) {
      case LIST -> {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          list.add(scalar(types.get(0)));
        }
        return list;
      }
      case SET -> {
        TreeSet<Object> set = new TreeSet<>();
        for (int i = 0; i < size; i++) {
          set.add(scalar(types.get(0)));
        }
        return set;
      }
      case MAP -> {
        TreeMap<Object, Object> map = new TreeMap<>();
        for (int i = 0; i < size; i++) {
          map.put(scalar(types.get(0)), scalar(types.get(1)));
        }
        return map;
      }
      case USER -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < types.size(); i++) {
          fields.put(ModelTable.fields(type).get(i), orNull(types.get(i)));
        }
        return fields;
      }
      default -> throw new AssertionError(type);
    }
  }

  /** An empty text is a value like others. */
  private Object scalar(CqlType type) {
    if (type.equals(CqlTypes.INT)) {
      return one(NUMBERS);
    }
    return random.nextInt(5) == 0 ? "" : one(TEXTS);
  }

  private Rows range(TableSchema schema) {
    List<Column> columns = schema.clusteringColumns();
    int prefix = random.nextInt(columns.size() + 1);
    List<Object> start = values(columns.subList(0, prefix));
    int rest = Math.min(MOST_COLUMNS_OF_BOUND, columns.size() - prefix);
    if (rest == 0) {
      return new Rows(start, null, null);
    }
    @Nullable Bound lower = null;
    @Nullable Bound upper = null;
    // A range of all is said by deleting the partition.
    while (lower == null && upper == null && prefix == 0) {
      lower = bound(columns, prefix, rest);
      upper = bound(columns, prefix, rest);
    }
    return new Rows(start, lower, upper);
  }

  private @Nullable Bound bound(List<Column> columns, int from, int most) {
    if (random.nextInt(3) == 0) {
      return null;
    }
    int to = from + 1 + random.nextInt(most);
    return new Bound(values(columns.subList(from, to)), random.nextBoolean());
  }

  private Question question(String table, Partitioner partitioner) {
    TableSchema schema = schema(table);
    Partitions partitions =
        switch (random.nextInt(8)) {
          case 0 -> new Partitions.All();
          case 1 -> new Partitions.Tokens(keyOrNull(table), keyOrNull(table));
          case 2 ->
              partitioner == Partitioner.BYTE_ORDERED
                  ? new Partitions.Keys(
                      keyOrNull(table),
                      random.nextBoolean(),
                      keyOrNull(table),
                      random.nextBoolean())
                  : new Partitions.All();
          default -> new Partitions.One(key(table));
        };
    boolean one = partitions instanceof Partitions.One;
    boolean distinct = random.nextInt(8) == 0;
    List<Rows> rows = new ArrayList<>();
    boolean hasRows = !schema.clusteringColumns().isEmpty();
    if (!distinct && hasRows && random.nextInt(3) > 0) {
      int most = wide ? 6 : 3;
      for (int i = random.nextInt(3) == 0 ? 1 + random.nextInt(most) : 1; i > 0; i--) {
        rows.add(range(schema));
      }
    }
    return new Question(
        table,
        partitions,
        rows,
        one && !distinct && random.nextBoolean(),
        distinct,
        select(schema, distinct),
        random.nextInt(4) == 0 ? 1 + random.nextInt(6) : Integer.MAX_VALUE,
        !distinct && random.nextInt(4) == 0 ? 1 + random.nextInt(3) : Integer.MAX_VALUE,
        random.nextInt(3) == 0 ? 1 + random.nextInt(5) : Integer.MAX_VALUE,
        random.nextInt(6) == 0
            ? OptionalLong.of(start.getEpochSecond() + random.nextInt(60))
            : OptionalLong.empty());
  }

  private @Nullable List<String> select(TableSchema schema, boolean distinct) {
    if (random.nextInt(3) > 0) {
      return null;
    }
    return Stream.concat(
            schema.staticColumns().stream(),
            distinct ? Stream.of() : schema.regularColumns().stream())
        .map(Column::name)
        .filter(name -> random.nextInt(3) == 0)
        .toList();
  }

  private @Nullable List<Object> keyOrNull(String table) {
    return random.nextInt(4) == 0 ? null : key(table);
  }

  private List<Object> key(String table) {
    List<List<Object>> some = keys.get(table);
    if (some == null) {
      throw new AssertionError(table);
    }
    return one(some);
  }

  private List<Object> clustering(String table) {
    return values(schema(table).clusteringColumns());
  }

  private List<Object> values(List<Column> columns) {
    return wide ? values(columns, MANY_NUMBERS, MANY_TEXTS) : values(columns, NUMBERS, TEXTS);
  }

  private List<Object> values(List<Column> columns, List<Object> numbers, List<Object> texts) {
    return columns.stream()
        .map(column -> column.valueType().equals(CqlTypes.INT) ? one(numbers) : one(texts))
        .toList();
  }

  private TableSchema schema(String table) {
    TableSchema schema = schemas.get(table);
    if (schema == null) {
      throw new AssertionError(table);
    }
    return schema;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
