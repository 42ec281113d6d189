package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link MutationBuilder} builds the same partition, rows, cells and markers as the equivalent
 * statements of a CQL batch, except for the paths of list elements, whose order is the same.
 */
class MutationAgreesTest {
  private static final int BATCHES = 60;
  private static final long BASE_MICROS = 1_700_000_000_000_000L;
  private static final long NOW_SECONDS = 1_700_000_000L;

  private final CassandraNode node = CassandraNode.get();

  static LongStream seeds() {
    return RandomCases.seeds(7);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomBatches(long seed) throws Exception {
    String name = node.newTableName();
    RandomTable definition = RandomTable.of(seed, name, node.options());
    try (CassandraTable table =
        CassandraTable.create(node, name, definition.createTypes(), definition.createTable())) {
      if (table.metadata().isCounter()) {
        return;
      }
      Random random = new Random(seed);
      TableSchema schema =
          SchemaParser.parse(CassandraTable.schemaText(table.metadata())).onlyTable();
      MutationFactory factory =
          new MutationFactory(
              schema,
              RowEncoding.of(schema, EncodingStats.NONE, true),
              Partitioner.MURMUR3,
              new StoppedClock(),
              new ListPaths(InstantSource.system(), seed));
      int changed = 0;
      for (int i = 0; i < BATCHES; i++) {
        Both both = new Both(random, table.metadata(), factory);
        for (int j = random.nextInt(4); j >= 0; j--) {
          both.statement();
        }
        Mutation ours;
        try {
          ours = both.builder.build();
        } catch (IllegalArgumentException e) {
          // Cassandra rejects this within a statement only, and otherwise decides by the values.
          assertThat(e).hasMessageContaining("with the same timestamp");
          continue;
        }
        changed += ours.isEmpty() ? 0 : 1;
        assertThat(listPathsAside(table.metadata(), text(ours)))
            .as("seed %d, batch %d\n%s\n%s\n%s", seed, i, definition, both.cql, both.calls)
            .isEqualTo(listPathsAside(table.metadata(), theirs(table.metadata(), both)));
      }
      assertThat(changed).isPositive();
    }
  }

  private static final class StoppedClock implements WriteClock {
    @Override
    public void continueAfter(long timestampMicros) {}

    @Override
    public long lastTimestampMicros() {
      return nextTimestampMicros();
    }

    @Override
    public long nextTimestampMicros() {
      throw new AssertionError("all timestamps are given");
    }

    @Override
    public long reachedMicros() {
      return TimeUnit.SECONDS.toMicros(NOW_SECONDS);
    }

    @Override
    public long nowSeconds() {
      return NOW_SECONDS;
    }
  }

  private static String text(Mutation mutation) throws IOException {
    if (mutation.isEmpty()) {
      return "";
    }
    PartitionUpdate update = new PartitionUpdate(MutationFactory.encodingOf(mutation));
    MutationFactory.wrap(mutation, update);
    return EngineText.of(update.cursor());
  }

  /** Returns the result of the batch, without what its own deletions cover. */
  private static String theirs(TableMetadata table, Both both) {
    ClientState client = ClientState.forInternalCalls(CassandraNode.KEYSPACE);
    BatchStatement batch =
        (BatchStatement)
            QueryProcessor.parseStatement(
                "BEGIN UNLOGGED BATCH " + both.cql + " APPLY BATCH", client);
    batch.validate(client);
    QueryOptions options = QueryOptions.forInternalCalls(both.values);
    CanonicalText text = CanonicalText.withoutCoveredColumns();
    for (IMutation mutation :
        batch.getMutations(
            client,
            BatchQueryOptions.withoutPerStatementVariables(options),
            true,
            0,
            NOW_SECONDS,
            Dispatcher.RequestTime.forImmediateExecution())) {
      var update = ((org.apache.cassandra.db.Mutation) mutation).getPartitionUpdate(table);
      try (UnfilteredRowIterator merged =
          UnfilteredRowIterators.merge(
              List.of(update.unfilteredIterator()), UnfilteredRowIterators.MergeListener.NOOP)) {
        if (!merged.isEmpty()) {
          CassandraText.partition(text, merged);
        }
      }
    }
    return text.toString();
  }

  private static String listPathsAside(TableMetadata table, String text) {
    List<String> lists = new ArrayList<>();
    for (ColumnMetadata column : table.regularAndStaticColumns()) {
      if (column.type instanceof ListType<?> && column.type.isMultiCell()) {
        lists.add("  " + column.name + "[");
      }
    }
    StringBuilder aside = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      String start = lists.stream().filter(line::startsWith).findFirst().orElse(null);
      aside.append(
          start == null ? line : start + line.substring(line.indexOf(']', start.length())));
      aside.append('\n');
    }
    return aside.toString();
  }

  /** A batch in CQL, and the same as calls of a builder. */
  private static final class Both {
    private final Random random;
    private final RandomValues serialized;
    private final TableMetadata table;
    private final TableSchema schema;
    private final List<ColumnMetadata> statics = new ArrayList<>();
    private final List<ColumnMetadata> regulars = new ArrayList<>();
    private final List<ByteBuffer> key = new ArrayList<>();
    private final MutationBuilder builder;
    private final StringBuilder cql = new StringBuilder();
    private final StringBuilder calls = new StringBuilder();
    private final List<@Nullable ByteBuffer> values = new ArrayList<>();

    Both(Random random, TableMetadata table, MutationFactory factory) {
      this.random = random;
      this.serialized = RandomValues.pooled(random, 3);
      this.table = table;
      table.staticColumns().forEach(statics::add);
      table.regularColumns().forEach(regulars::add);
      this.schema = factory.schema();
      for (ColumnMetadata column : table.partitionKeyColumns()) {
        key.add(keyValue(column));
      }
      this.builder = factory.mutation(given(table.partitionKeyColumns(), key));
    }

    private ByteBuffer keyValue(ColumnMetadata column) {
      ByteBuffer value;
      do {
        value = serialized.value(column.type);
      } while (value.remaining() > 10_000 || !value.hasRemaining());
      return value;
    }

    /**
     * Returns a value as the caller of a builder may give it: an object of the type's class, or
     * serialized.
     */
    private Object given(ColumnMetadata column, ByteBuffer value) {
      CqlType type = type(column.name.toString());
      Object decoded = random.nextBoolean() ? decoded(type, value) : null;
      return decoded == null ? value : decoded;
    }

    private CqlType type(String column) {
      return schema.column(column).orElseThrow().valueType();
    }

    private static @Nullable Object decoded(CqlType type, ByteBuffer value) {
      byte[] bytes = ByteBufferUtil.getArray(value);
      return bytes.length == 0 ? null : type.decode(bytes, 0, bytes.length);
    }

    private Object[] given(List<ColumnMetadata> of, List<ByteBuffer> bytes) {
      Object[] objects = new Object[bytes.size()];
      for (int i = 0; i < objects.length; i++) {
        objects[i] = given(of.get(i), bytes.get(i));
      }
      return objects;
    }

    void statement() {
      int draw = random.nextInt(100);
      if (draw < 35) {
        insert();
      } else if (draw < 75) {
        update();
      } else if (draw < 83) {
        deleteColumns();
      } else if (draw < 88) {
        List<ByteBuffer> clustering = clustering(table.clusteringColumns().size());
        cql.append("DELETE FROM ").append(table).append(using(false));
        where(clustering);
        if (table.clusteringColumns().isEmpty()) {
          // In CQL the row is the partition here; deleteRow() has the same effect.
          call("deletePartition()", builder.deletePartition());
        } else {
          call(
              "deleteRow(" + hex(clustering) + ")",
              builder.deleteRow(given(table.clusteringColumns(), clustering)));
        }
      } else if (draw < 98 && !table.clusteringColumns().isEmpty()) {
        deleteRange();
      } else {
        cql.append("DELETE FROM ").append(table).append(using(false));
        where(List.of());
        call("deletePartition()", builder.deletePartition());
      }
      cql.append("; ");
    }

    private void call(String text, MutationBuilder same) {
      assertThat(same).isSameAs(builder);
      calls.append('.').append(text).append('\n');
    }

    private static String hex(List<ByteBuffer> values) {
      return values.stream().map(ByteBufferUtil::bytesToHex).toList().toString();
    }

    private String using(boolean mayExpire) {
      long micros = BASE_MICROS + random.nextInt(12);
      call("timestamp(" + micros + ")", builder.timestamp(micros));
      int ttl = table.params.defaultTimeToLive;
      String text = " USING TIMESTAMP " + micros;
      if (mayExpire && random.nextInt(3) == 0) {
        int[] ttls = {0, 60, 61, 315_360_000};
        ttl = ttls[random.nextInt(ttls.length)];
        text += " AND TTL " + ttl;
      }
      if (mayExpire) {
        call("ttl(" + ttl + ")", builder.ttl(ttl));
      }
      return text;
    }

    private void where(List<ByteBuffer> clustering) {
      StringJoiner conditions = new StringJoiner(" AND ", " WHERE ", "");
      for (int i = 0; i < key.size(); i++) {
        conditions.add(table.partitionKeyColumns().get(i).name.toCQLString() + " = ?");
      }
      for (int i = 0; i < clustering.size(); i++) {
        conditions.add(table.clusteringColumns().get(i).name.toCQLString() + " = ?");
      }
      cql.append(conditions);
      values.addAll(key);
      values.addAll(clustering);
    }

    private List<ByteBuffer> clustering(int count) {
      List<ByteBuffer> clustering = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        clustering.add(clusteringValue(i));
      }
      return clustering;
    }

    private ByteBuffer clusteringValue(int index) {
      ByteBuffer value;
      do {
        value = serialized.value(table.clusteringColumns().get(index).type);
      } while (value.remaining() > 10_000);
      return value;
    }

    private List<ColumnMetadata> subset(List<ColumnMetadata> of) {
      List<ColumnMetadata> shuffled = new ArrayList<>(of);
      Collections.shuffle(shuffled, random);
      return shuffled.subList(0, random.nextInt(Math.min(of.size(), 6) + 1));
    }

    private void insert() {
      boolean ofStatics =
          !statics.isEmpty() && !table.clusteringColumns().isEmpty() && random.nextInt(5) == 0;
      List<ColumnMetadata> chosen = new ArrayList<>(subset(statics));
      if (ofStatics && chosen.isEmpty()) {
        chosen.add(statics.get(0));
      }
      List<ByteBuffer> clustering = List.of();
      StringJoiner names = new StringJoiner(", ");
      StringJoiner marks = new StringJoiner(", ");
      table.partitionKeyColumns().forEach(column -> names.add(column.name.toCQLString()));
      List<@Nullable ByteBuffer> bound = new ArrayList<>(key);
      if (!ofStatics) {
        chosen.addAll(subset(regulars));
        clustering = clustering(table.clusteringColumns().size());
        table.clusteringColumns().forEach(column -> names.add(column.name.toCQLString()));
        bound.addAll(clustering);
      }
      String using = using(true);
      if (!ofStatics) {
        call(
            "insert(" + hex(clustering) + ")",
            builder.insert(given(table.clusteringColumns(), clustering)));
      }
      for (ColumnMetadata column : chosen) {
        names.add(column.name.toCQLString());
        ByteBuffer value = random.nextInt(6) == 0 ? null : serialized.value(column.type);
        bound.add(value);
        set(column, value);
      }
      bound.forEach(value -> marks.add("?"));
      values.addAll(bound);
      cql.append("INSERT INTO ")
          .append(table)
          .append(" (")
          .append(names)
          .append(") VALUES (")
          .append(marks)
          .append(')')
          .append(using);
    }

    private void set(ColumnMetadata column, @Nullable ByteBuffer value) {
      call(
          "set(" + column.name + ", " + (value == null ? null : ByteBufferUtil.bytesToHex(value)),
          builder.set(column.name.toString(), value == null ? null : given(column, value)));
    }

    private void update() {
      boolean ofStatics = regulars.isEmpty() || (!statics.isEmpty() && random.nextInt(5) == 0);
      List<ColumnMetadata> from = ofStatics ? statics : regulars;
      if (from.isEmpty()) {
        insert();
        return;
      }
      List<ColumnMetadata> chosen = new ArrayList<>(subset(from));
      if (chosen.isEmpty()) {
        chosen.add(from.get(random.nextInt(from.size())));
      }
      List<ByteBuffer> clustering =
          ofStatics ? List.of() : clustering(table.clusteringColumns().size());
      cql.append("UPDATE ").append(table).append(using(true));
      if (!ofStatics) {
        call(
            "update(" + hex(clustering) + ")",
            builder.update(given(table.clusteringColumns(), clustering)));
        chosen.addAll(subset(statics));
      }
      StringJoiner sets = new StringJoiner(", ", " SET ", "");
      chosen.forEach(column -> sets.add(assignment(column)));
      cql.append(sets);
      where(clustering);
    }

    private String assignment(ColumnMetadata column) {
      String name = column.name.toCQLString();
      String plain = column.name.toString();
      AbstractType<?> type = column.type;
      if (!type.isMultiCell() || random.nextInt(4) == 0) {
        ByteBuffer value = random.nextInt(6) == 0 ? null : serialized.value(type);
        values.add(value);
        set(column, value);
        return name + " = ?";
      }
      if (type instanceof UserType user) {
        int field = random.nextInt(user.size());
        ByteBuffer value = random.nextInt(4) == 0 ? null : element(user.type(field));
        values.add(value);
        String fieldName = user.fieldNameAsString(field);
        call("setField(" + fieldName + ")", builder.setField(plain, fieldName, value));
        return name + "." + ColumnIdentifier.maybeQuote(fieldName) + " = ?";
      }
      if (type instanceof MapType<?, ?> map && random.nextInt(3) == 0) {
        ByteBuffer entryKey = element(map.getKeysType());
        ByteBuffer value = random.nextInt(4) == 0 ? null : element(map.getValuesType());
        values.add(entryKey);
        values.add(value);
        call("put(" + plain + ")", builder.put(plain, entryKey, value));
        return name + "[?] = ?";
      }
      ByteBuffer value = notEmpty(type);
      Object decoded = Objects.requireNonNull(decoded(type(plain), value), "collection");
      values.add(value);
      if (type instanceof ListType<?>) {
        if (random.nextBoolean()) {
          call("append(" + decoded + ")", builder.append(plain, (List<?>) decoded));
          return name + " = " + name + " + ?";
        }
        call("prepend(" + decoded + ")", builder.prepend(plain, (List<?>) decoded));
        return name + " = ? + " + name;
      }
      if (random.nextBoolean()) {
        call(
            "add(" + plain + ", " + decoded + ")",
            decoded instanceof Map<?, ?> entries
                ? builder.putAll(plain, entries)
                : builder.add(plain, (Collection<?>) decoded));
        return name + " = " + name + " + ?";
      }
      if (type instanceof MapType<?, ?> map) {
        values.remove(values.size() - 1);
        SetType<?> keys = SetType.getInstance(map.getKeysType(), false);
        ByteBuffer removed = notEmpty(keys);
        values.add(removed);
        List<ByteBuffer> elements = new ArrayList<>();
        keys.getSerializer().forEach(removed, element -> elements.add(element));
        call("remove(" + plain + ", " + hex(elements) + ")", builder.remove(plain, elements));
      } else {
        call("remove(" + plain + ")", builder.remove(plain, (Collection<?>) decoded));
      }
      return name + " = " + name + " - ?";
    }

    private ByteBuffer notEmpty(AbstractType<?> type) {
      ByteBuffer value;
      do {
        value = serialized.value(type);
      } while (!value.hasRemaining());
      return value;
    }

    /** As in {@link RandomWorkload}: Cassandra takes an empty element for null. */
    private ByteBuffer element(AbstractType<?> type) {
      return type instanceof CollectionType<?> ? serialized.value(type) : notEmpty(type);
    }

    private void deleteColumns() {
      boolean ofStatics = regulars.isEmpty() || (!statics.isEmpty() && random.nextInt(4) == 0);
      List<ColumnMetadata> from = ofStatics ? statics : regulars;
      List<ColumnMetadata> chosen = new ArrayList<>(subset(from));
      if (chosen.isEmpty()) {
        insert();
        return;
      }
      List<ByteBuffer> clustering =
          ofStatics ? List.of() : clustering(table.clusteringColumns().size());
      StringJoiner names = new StringJoiner(", ", "DELETE ", " FROM " + table);
      String using = using(false);
      if (!ofStatics) {
        call(
            "update(" + hex(clustering) + ")",
            builder.update(given(table.clusteringColumns(), clustering)));
      }
      for (ColumnMetadata column : chosen) {
        String name = column.name.toCQLString();
        String plain = column.name.toString();
        AbstractType<?> type = column.type;
        if (type.isMultiCell()
            && (type instanceof MapType<?, ?> || type instanceof SetType<?>)
            && random.nextBoolean()) {
          ByteBuffer element = element(((CollectionType<?>) type).nameComparator());
          values.add(element);
          names.add(name + "[?]");
          call("remove(" + plain + ")", builder.remove(plain, List.of(element)));
        } else if (type.isMultiCell() && type instanceof UserType user && random.nextBoolean()) {
          String field = user.fieldNameAsString(random.nextInt(user.size()));
          names.add(name + "." + ColumnIdentifier.maybeQuote(field));
          call("setField(" + field + ")", builder.setField(plain, field, null));
        } else {
          names.add(name);
          call("delete(" + plain + ")", builder.delete(plain));
        }
      }
      cql.append(names).append(using);
      where(clustering);
    }

    private void deleteRange() {
      int fixed = random.nextInt(table.clusteringColumns().size());
      List<ByteBuffer> prefix = clustering(fixed);
      ColumnMetadata bounded = table.clusteringColumns().get(fixed);
      ClusteringRange range = ClusteringRange.of(given(table.clusteringColumns(), prefix));
      cql.append("DELETE FROM ").append(table).append(using(false));
      where(prefix);
      String name = " AND " + bounded.name.toCQLString();
      int sides = random.nextInt(4);
      if (sides == 0 && fixed == 0) {
        sides = 3;
      }
      if ((sides & 1) != 0) {
        ByteBuffer low = clusteringValue(fixed);
        boolean included = random.nextBoolean();
        range = included ? range.from(given(bounded, low)) : range.after(given(bounded, low));
        cql.append(name).append(included ? " >= ?" : " > ?");
        values.add(low);
      }
      if ((sides & 2) != 0) {
        ByteBuffer high = clusteringValue(fixed);
        boolean included = random.nextBoolean();
        range = included ? range.to(given(bounded, high)) : range.before(given(bounded, high));
        cql.append(name).append(included ? " <= ?" : " < ?");
        values.add(high);
      }
      call("deleteRange(" + range + ")", builder.deleteRange(range));
    }
  }
}
