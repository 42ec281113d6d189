package io.siltstone.interop;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A random history of one table: inserts, updates, time to live, and deletions of every kind, on a
 * few partitions, one of which is wide. Timestamps, local deletion times and expirations depend
 * only on the seed; the cell paths of lists come from Cassandra's clock, and counters have this
 * node's clock ids.
 *
 * <p>Statements go to the memtable in order; keys and clusterings are drawn from small pools, so
 * that statements meet.
 */
final class RandomWorkload {

  static final long BASE_MICROS = 1_700_000_000_000_000L;
  static final long BASE_SECONDS = 1_700_000_000L;

  private static final int TIMESTAMPS = 2_000;
  private static final int SECONDS = 100_000;

  /** The number of choices in a workload of ties, in which much is equal. */
  private static final int FEW = 3;

  private final Random random;
  private final RandomValues values;
  private final CassandraTable table;
  private final TableMetadata metadata;
  private final List<ColumnMetadata> keyColumns;
  private final List<ColumnMetadata> clusteringColumns;
  private final List<ColumnMetadata> statics = new ArrayList<>();
  private final List<ColumnMetadata> regulars = new ArrayList<>();
  private final List<List<ByteBuffer>> keys = new ArrayList<>();
  private final List<List<ByteBuffer>> clusteringPools = new ArrayList<>();
  private final boolean extremeTimes;
  private final boolean late;
  private final int maxTtlSeconds;
  private final boolean ties;

  RandomWorkload(long seed, CassandraTable table, NodeOptions options) {
    this(seed, table, options, false);
  }

  /**
   * Returns a workload whose statements often agree in timestamp, expiration, TTL, row, value or
   * path of an element, and seldom in all of them.
   */
  static RandomWorkload ofTies(long seed, CassandraTable table, NodeOptions options) {
    return new RandomWorkload(seed, table, options, true);
  }

  private RandomWorkload(long seed, CassandraTable table, NodeOptions options, boolean ties) {
    this.random = new Random(seed);
    this.values = ties ? RandomValues.pooled(random, FEW) : new RandomValues(random);
    this.ties = ties;
    this.table = table;
    this.metadata = table.metadata();
    this.keyColumns = metadata.partitionKeyColumns();
    this.clusteringColumns = metadata.clusteringColumns();
    readColumns();
    boolean longTimes = options.isSinceFive();
    this.extremeTimes = random.nextInt(5) == 0 && !ties;
    this.late = longTimes && random.nextInt(4) == 0 && !ties;
    this.maxTtlSeconds = longTimes ? 630_720_000 : 315_360_000;
    int partitions = 1 + random.nextInt(ties ? FEW : 30);
    for (int i = 0; i < partitions; i++) {
      keys.add(newKey());
    }
    for (ColumnMetadata column : clusteringColumns) {
      List<ByteBuffer> pool = new ArrayList<>();
      for (int i = ties ? FEW : 3 + random.nextInt(12); i > 0; i--) {
        pool.add(shortValue(column));
      }
      clusteringPools.add(pool);
    }
  }

  /** Reads the present columns of the table, which further statements use. */
  void readColumns() {
    statics.clear();
    statics.addAll(toList(table.metadata().staticColumns()));
    regulars.clear();
    regulars.addAll(toList(table.metadata().regularColumns()));
  }

  private static List<ColumnMetadata> toList(Iterable<ColumnMetadata> columns) {
    List<ColumnMetadata> list = new ArrayList<>();
    columns.forEach(list::add);
    return list;
  }

  /** Executes statements; about one third of them on the first partition. */
  void run(int statements) {
    for (int i = 0; i < statements; i++) {
      List<ByteBuffer> key = random.nextInt(3) == 0 ? keys.get(0) : pick(keys);
      if (metadata.isCounter()) {
        counterStatement(key);
      } else {
        statement(key);
      }
    }
  }

  /** Inserts rows of one partition, enough for an index of several blocks. */
  void widen(int rows) {
    if (metadata.isCounter() || clusteringColumns.isEmpty()) {
      return;
    }
    List<ByteBuffer> key = keys.get(0);
    for (int i = 0; i < rows; i++) {
      List<ByteBuffer> clustering = clustering(clusteringColumns.size());
      int last = clusteringColumns.size() - 1;
      clustering.set(last, shortValue(clusteringColumns.get(last)));
      insert(key, clustering, regulars);
      if (i % 10 == 3) {
        deleteRange(key);
      }
    }
  }

  private void statement(List<ByteBuffer> key) {
    int draw = random.nextInt(100);
    if (draw < 35) {
      insert(key, clustering(clusteringColumns.size()), regulars);
    } else if (draw < 60) {
      update(key, false);
    } else if (draw < 68 && !statics.isEmpty()) {
      update(key, true);
    } else if (draw < 76) {
      deleteCells(key, !statics.isEmpty() && random.nextInt(4) == 0);
    } else if (draw < 84) {
      deleteRow(key);
    } else if (draw < 97) {
      deleteRange(key);
    } else if (draw < 98) {
      execute("DELETE FROM " + name() + usingNotNegative(), new Binder().key(key));
    } else {
      // A new partition, which has only statics or is only deleted.
      List<ByteBuffer> fresh = newKey();
      keys.add(fresh);
      if (!statics.isEmpty() && random.nextBoolean()) {
        update(fresh, true);
      } else {
        execute("DELETE FROM " + name() + usingNotNegative(), new Binder().key(fresh));
      }
    }
  }

  private void counterStatement(List<ByteBuffer> key) {
    int draw = random.nextInt(100);
    if (draw < 80) {
      boolean ofStatic = !statics.isEmpty() && (regulars.isEmpty() || random.nextInt(4) == 0);
      ColumnMetadata column = pick(ofStatic ? statics : regulars);
      Binder binder = new Binder();
      String cql =
          "UPDATE "
              + name()
              + " SET "
              + column.name.toCQLString()
              + " = "
              + column.name.toCQLString()
              + " + ";
      binder.add(LongType.instance.decompose((long) random.nextInt(1000) - 300));
      execute(
          cql + "?",
          ofStatic ? binder.key(key) : binder.row(key, clustering(clusteringColumns.size())));
    } else if (draw < 90) {
      execute("DELETE FROM " + name(), new Binder().row(key, clustering(clusteringColumns.size())));
    } else {
      execute(
          "DELETE " + pick(regulars).name.toCQLString() + " FROM " + name(),
          new Binder().row(key, clustering(clusteringColumns.size())));
    }
  }

  private void insert(
      List<ByteBuffer> key, List<ByteBuffer> clustering, List<ColumnMetadata> from) {
    StringJoiner columns = new StringJoiner(", ", " (", ")");
    StringJoiner marks = new StringJoiner(", ", " VALUES (", ")");
    Binder binder = new Binder();
    for (int i = 0; i < keyColumns.size(); i++) {
      columns.add(keyColumns.get(i).name.toCQLString());
      marks.add("?");
      binder.add(key.get(i));
    }
    for (int i = 0; i < clusteringColumns.size(); i++) {
      columns.add(clusteringColumns.get(i).name.toCQLString());
      marks.add("?");
      binder.add(clustering.get(i));
    }
    for (ColumnMetadata column : subset(from)) {
      columns.add(column.name.toCQLString());
      marks.add("?");
      binder.add(random.nextInt(12) == 0 ? null : values.value(column.type));
    }
    table.execute("INSERT INTO " + name() + columns + marks + using(true), now(), binder.values);
  }

  private void update(List<ByteBuffer> key, boolean ofStatics) {
    List<ColumnMetadata> columns = ofStatics ? statics : regulars;
    if (columns.isEmpty()) {
      insert(key, clustering(clusteringColumns.size()), regulars);
      return;
    }
    StringJoiner sets = new StringJoiner(", ", " SET ", "");
    Binder binder = new Binder();
    List<ColumnMetadata> chosen = subset(columns);
    for (ColumnMetadata column : chosen.isEmpty() ? List.of(pick(columns)) : chosen) {
      sets.add(assignment(column, binder));
    }
    execute(
        "UPDATE " + name() + using(true) + sets,
        ofStatics ? binder.key(key) : binder.row(key, clustering(clusteringColumns.size())));
  }

  private String assignment(ColumnMetadata column, Binder binder) {
    String name = column.name.toCQLString();
    AbstractType<?> type = column.type;
    if (type.isMultiCell() && random.nextInt(3) > 0) {
      if (type instanceof ListType<?>) {
        binder.add(values.value(type));
        return random.nextBoolean() ? name + " = " + name + " + ?" : name + " = ? + " + name;
      } else if (type instanceof SetType<?>) {
        binder.add(values.value(type));
        return name + " = " + name + (random.nextBoolean() ? " + ?" : " - ?");
      } else if (type instanceof MapType<?, ?> map) {
        if (random.nextBoolean()) {
          binder.add(values.value(type));
          return name + " = " + name + " + ?";
        }
        binder.add(element(map.getKeysType()));
        binder.add(random.nextInt(4) == 0 ? null : element(map.getValuesType()));
        return name + "[?] = ?";
      } else if (type instanceof UserType user) {
        int field = random.nextInt(user.size());
        binder.add(random.nextInt(4) == 0 ? null : element(user.type(field)));
        return name
            + "."
            + org.apache.cassandra.cql3.ColumnIdentifier.maybeQuote(user.fieldNameAsString(field))
            + " = ?";
      }
    }
    binder.add(random.nextInt(8) == 0 ? null : values.value(type));
    return name + " = ?";
  }

  /**
   * Returns an element, which is never empty: Cassandra composes elements, and empty is null for
   * most types.
   */
  private ByteBuffer element(AbstractType<?> type) {
    ByteBuffer value;
    do {
      value = values.value(type);
    } while (!value.hasRemaining() && !(type instanceof CollectionType<?>) && !isText(type));
    return value;
  }

  private static boolean isText(AbstractType<?> type) {
    return type.isByteOrderComparable || type instanceof org.apache.cassandra.db.marshal.StringType;
  }

  private void deleteCells(List<ByteBuffer> key, boolean ofStatics) {
    List<ColumnMetadata> columns = ofStatics ? statics : regulars;
    if (columns.isEmpty()) {
      deleteRow(key);
      return;
    }
    ColumnMetadata column = pick(columns);
    Binder binder = new Binder();
    String what = column.name.toCQLString();
    if (column.type.isMultiCell() && column.type instanceof MapType<?, ?> map) {
      if (random.nextBoolean()) {
        what += "[?]";
        binder.add(element(map.getKeysType()));
      }
    } else if (column.type.isMultiCell() && column.type instanceof SetType<?> set) {
      if (random.nextBoolean()) {
        what += "[?]";
        binder.add(element(set.getElementsType()));
      }
    }
    execute(
        "DELETE " + what + " FROM " + name() + using(false),
        ofStatics ? binder.key(key) : binder.row(key, clustering(clusteringColumns.size())));
  }

  private void deleteRow(List<ByteBuffer> key) {
    // Without clustering columns this is the deletion of a partition.
    execute(
        "DELETE FROM " + name() + (clusteringColumns.isEmpty() ? usingNotNegative() : using(false)),
        new Binder().row(key, clustering(clusteringColumns.size())));
  }

  /**
   * Deletes a range: some leading clustering columns are fixed, the next is bounded on one side,
   * both or not at all.
   */
  private void deleteRange(List<ByteBuffer> key) {
    if (clusteringColumns.isEmpty()) {
      deleteRow(key);
      return;
    }
    int fixed = random.nextInt(clusteringColumns.size());
    List<ByteBuffer> clustering = clustering(fixed);
    Binder binder = new Binder().row(key, clustering);
    ColumnMetadata bounded = clusteringColumns.get(fixed);
    String name = bounded.name.toCQLString();
    ByteBuffer low = pick(clusteringPools.get(fixed));
    ByteBuffer high = pick(clusteringPools.get(fixed));
    if (bounded.type.unwrap().compare(low, high) > 0) {
      ByteBuffer swap = low;
      low = high;
      high = swap;
    }
    int sides = random.nextInt(4);
    if (sides == 0 || sides == 2) {
      binder.where(name + (random.nextBoolean() ? " > ?" : " >= ?"), low);
    }
    if (sides == 1 || sides == 2) {
      binder.where(name + (random.nextBoolean() ? " < ?" : " <= ?"), high);
    }
    // An index block repeats the range that is open at its end, in the form of a partition
    // deletion.
    execute("DELETE FROM " + name() + usingNotNegative(), binder);
  }

  private void execute(String cql, Binder binder) {
    table.execute(cql + binder.where, now(), binder.values);
  }

  private String name() {
    return CassandraNode.KEYSPACE + "." + table.name();
  }

  private String using(boolean mayExpire) {
    String using = " USING TIMESTAMP " + timestampMicros();
    if (mayExpire && random.nextInt(ties ? 3 : 5) == 0) {
      int[] ttls =
          ties ? new int[] {60, 61, 62} : new int[] {1, 60, 86_400, 31_536_000, maxTtlSeconds, 0};
      using += " AND TTL " + ttls[random.nextInt(ttls.length)];
    }
    return using;
  }

  /**
   * Returns a timestamp that is not negative: in {@code oa} the sign bit of a partition deletion's
   * timestamp means "no deletion", and Cassandra 5.0.9 writes a negative one that it cannot read
   * back.
   */
  private String usingNotNegative() {
    return " USING TIMESTAMP " + Math.max(0, timestampMicros());
  }

  private long timestampMicros() {
    if (extremeTimes && random.nextInt(10) == 0) {
      long[] extremes = {0, 1, -1, -BASE_MICROS, Long.MAX_VALUE, Long.MIN_VALUE + 1};
      return extremes[random.nextInt(extremes.length)];
    }
    return BASE_MICROS + random.nextInt(ties ? FEW : TIMESTAMPS);
  }

  private long now() {
    if (late && random.nextInt(4) == 0) {
      return 3_000_000_000L + random.nextInt(100_000);
    }
    return BASE_SECONDS + random.nextInt(ties ? FEW : SECONDS);
  }

  /** Returns a short value, because keys and clusterings together must stay below 64 KiB. */
  private ByteBuffer shortValue(ColumnMetadata column) {
    ByteBuffer value;
    do {
      value = values.value(column.type);
    } while (value.remaining() > 10_000);
    return value;
  }

  private List<ByteBuffer> newKey() {
    List<ByteBuffer> key = new ArrayList<>();
    for (ColumnMetadata column : keyColumns) {
      ByteBuffer value;
      do {
        value = shortValue(column);
      } while (keyColumns.size() == 1 && !value.hasRemaining());
      key.add(value);
    }
    return key;
  }

  private List<ByteBuffer> clustering(int columns) {
    List<ByteBuffer> clustering = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      clustering.add(pick(clusteringPools.get(i)));
    }
    return clustering;
  }

  private List<ColumnMetadata> subset(List<ColumnMetadata> columns) {
    if (random.nextInt(4) == 0) {
      return columns;
    }
    List<ColumnMetadata> shuffled = new ArrayList<>(columns);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, random.nextInt(columns.size() + 1));
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** The values of a statement's bind markers, and its WHERE. */
  private final class Binder {
    private final List<@Nullable ByteBuffer> values = new ArrayList<>();
    private String where = "";

    void add(@Nullable ByteBuffer value) {
      values.add(value);
    }

    Binder where(String condition, ByteBuffer value) {
      where += (where.isEmpty() ? " WHERE " : " AND ") + condition;
      values.add(value);
      return this;
    }

    Binder key(List<ByteBuffer> key) {
      for (int i = 0; i < key.size(); i++) {
        where(keyColumns.get(i).name.toCQLString() + " = ?", key.get(i));
      }
      return this;
    }

    Binder row(List<ByteBuffer> key, List<ByteBuffer> clustering) {
      key(key);
      for (int i = 0; i < clustering.size(); i++) {
        where(clusteringColumns.get(i).name.toCQLString() + " = ?", clustering.get(i));
      }
      return this;
    }
  }
}
