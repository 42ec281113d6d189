package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.rows.Row;
import io.siltstone.schema.Column;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link Query} of several SSTables returns the rows, in the order and with the values, write
 * times and TTLs, that the same {@code SELECT} returns at the same time, as a whole and page by
 * page.
 */
class QueryAgreesTest {
  private static final int QUERIES = 60;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();

  static LongStream seeds() {
    return RandomCases.seeds(7);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomTables(long seed) throws Exception {
    String name = node.newTableName();
    RandomTable definition = RandomTable.of(seed, name, node.options());
    Random random = new Random(seed);
    try (EngineTables engine = new EngineTables();
        CassandraTable table =
            CassandraTable.create(node, name, definition.createTypes(), definition.createTable())) {
      // If timestamps tie, deletions win, and little is left to query.
      boolean ties = random.nextInt(3) == 0;
      RandomWorkload workload =
          ties
              ? RandomWorkload.ofTies(seed, table, node.options())
              : new RandomWorkload(seed, table, node.options());
      if (random.nextInt(3) == 0) {
        workload.widen(100 + random.nextInt(300));
      }
      for (int i = random.nextInt(3); i >= 0; i--) {
        workload.run(ties ? 2 + random.nextInt(10) : 20 + random.nextInt(100));
        SelectedFormat.bySeed(node, random.nextInt());
        table.flush();
      }
      List<SSTable> sstables = new ArrayList<>();
      try {
        for (Path data : table.export(directory)) {
          sstables.add(engine.open(data));
        }
        Both both = new Both(random, table.metadata(), sstables);
        int rows = 0;
        for (int i = 0; i < QUERIES; i++) {
          rows += both.compare("seed " + seed + ", query " + i + "\n" + definition);
        }
        assertThat(rows > 0 || ties).as("rows found of seed %d", seed).isTrue();
      } finally {
        for (SSTable sstable : sstables) {
          sstable.close();
        }
      }
    }
  }

  /** Runs random queries of one table on Cassandra and on the engine. */
  private final class Both {
    private final Random random;
    private final TableMetadata table;
    private final TableSchema schema;
    private final List<SSTable> sstables;
    private final List<Column> keys;
    private final List<Column> clusterings;
    private final List<Column> others;
    // Partition key and clustering of rows that exist or have existed.
    private final List<List<@Nullable ByteBuffer>> places;

    private Query.Builder builder;
    private String where = "";
    private final List<ByteBuffer> values = new ArrayList<>();

    Both(Random random, TableMetadata table, List<SSTable> sstables) {
      this.random = random;
      this.table = table;
      this.schema = SchemaParser.parse(CassandraTable.schemaText(table)).onlyTable();
      this.sstables = sstables;
      this.keys = schema.partitionKeyColumns();
      this.clusterings = schema.clusteringColumns();
      this.others =
          Stream.concat(schema.staticColumns().stream(), schema.regularColumns().stream()).toList();
      this.builder = Query.builder(schema, sstables.get(0).partitioner());
      this.places =
          node.select(
              "SELECT "
                  + Stream.concat(keys.stream(), clusterings.stream())
                      .map(Both::name)
                      .collect(Collectors.joining(", "))
                  + " FROM "
                  + table,
              1,
              List.of());
    }

    private static String name(Column column) {
      return ColumnIdentifier.maybeQuote(column.name());
    }

    private <T> T pick(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    /** Returns the number of rows. */
    int compare(String what) throws IOException {
      builder = Query.builder(schema, sstables.get(0).partitioner());
      where = "";
      values.clear();
      boolean distinct = random.nextInt(10) == 0;
      boolean ofPartition = !places.isEmpty() && random.nextInt(4) > 0;
      if (ofPartition) {
        ofPartition();
      } else if (!places.isEmpty() && random.nextBoolean()) {
        ofTokens();
      }
      if (ofPartition && !distinct && !clusterings.isEmpty() && random.nextInt(5) > 0) {
        ofRows();
      }
      String end = "";
      if (ofPartition && !distinct && !clusterings.isEmpty() && random.nextInt(3) == 0) {
        builder.reversed();
        end +=
            clusterings.stream()
                .map(column -> name(column) + (column.isDescending() ? " ASC" : " DESC"))
                .collect(Collectors.joining(", ", " ORDER BY ", ""));
      }
      if (!distinct && random.nextInt(4) == 0) {
        int most = 1 + random.nextInt(4);
        builder.perPartitionLimit(most);
        end += " PER PARTITION LIMIT " + most;
      }
      if (random.nextInt(4) == 0) {
        int most = 1 + random.nextInt(30);
        builder.limit(most);
        end += " LIMIT " + most;
      }
      List<Column> selected = new ArrayList<>();
      for (Column column : others) {
        if (random.nextBoolean() && (!distinct || schema.staticColumns().contains(column))) {
          selected.add(column);
        }
      }
      builder.select(selected.stream().map(Column::name).toArray(String[]::new));
      if (distinct) {
        builder.distinct();
      }
      long[] times = {0, 1, 50, 60, 61, 62, 63, 64, 90_000, 500_000, 40_000_000};
      long now = RandomWorkload.BASE_SECONDS + times[random.nextInt(times.length)];
      builder.nowSeconds(now);
      if (random.nextInt(3) == 0) {
        builder.pageSize(1 + random.nextInt(10));
      }
      // Cassandra 5.0.9 ignores cells of a column that is not selected if they are older than their
      // row's liveness, and if that has expired it returns no row, which SELECT * does return.
      List<Column> unselected = new ArrayList<>();
      if (!distinct && now > RandomWorkload.BASE_SECONDS) {
        unselected.addAll(others);
        unselected.removeAll(selected);
      }
      String cql =
          (distinct ? "SELECT DISTINCT " : "SELECT ")
              + Stream.of(keys, distinct ? List.<Column>of() : clusterings)
                  .flatMap(List::stream)
                  .map(Both::name)
                  .collect(Collectors.joining(", "))
              + selected.stream()
                  .map(column -> ", " + name(column) + (distinct ? "" : times(column)))
                  .collect(Collectors.joining())
              + unselected.stream().map(column -> ", " + name(column)).collect(Collectors.joining())
              + " FROM "
              + table
              + where
              + end;
      Query query = builder.build();
      List<String> expected = new ArrayList<>();
      for (List<@Nullable ByteBuffer> row : node.select(cql, now, values)) {
        List<@Nullable ByteBuffer> wanted = row.subList(0, row.size() - unselected.size());
        expected.add(wanted.stream().map(Both::text).collect(Collectors.joining(" ")));
      }
      List<String> found = new ArrayList<>();
      Optional<PagingState> behind = Optional.empty();
      do {
        Query page = behind.isPresent() ? query.after(behind.get()) : query;
        try (LiveRows rows = QueryFactory.open(page, now, this::open)) {
          rows.forEachRemaining(row -> found.add(text(row, selected, distinct)));
          behind = rows.pagingState();
        }
      } while (behind.isPresent());
      String bound = values.stream().map(ByteBufferUtil::bytesToHex).toList().toString();
      assertThat(found)
          .as("%s\n%s at %d with %s\n%s", what, cql, now, bound, query)
          .isEqualTo(expected);
      return found.size();
    }

    /** Returns the write time and TTL of a selected column. */
    private static String times(Column column) {
      if (column.type().isCounter()) {
        return "";
      }
      String name = name(column);
      return column.type().isMultiCell()
          ? ", MAXWRITETIME(" + name + ")"
          : ", WRITETIME(" + name + "), TTL(" + name + ")";
    }

    private static String text(@Nullable ByteBuffer value) {
      return value == null ? "null" : "x" + ByteBufferUtil.bytesToHex(value);
    }

    private String text(Row row, List<Column> selected, boolean distinct) {
      List<@Nullable ByteBuffer> texts = new ArrayList<>();
      keys.forEach(column -> texts.add(row.getSerialized(column.name())));
      if (!distinct) {
        clusterings.forEach(column -> texts.add(row.getSerialized(column.name())));
      }
      for (Column column : selected) {
        String name = column.name();
        if (column.type().isCounter()) {
          texts.add(row.isNull(name) ? null : LongType.instance.decompose(row.getLong(name)));
          continue;
        }
        texts.add(row.getSerialized(name));
        if (!distinct) {
          OptionalLong timestamp = row.timestamp(name);
          texts.add(
              timestamp.isEmpty() ? null : LongType.instance.decompose(timestamp.getAsLong()));
          if (!column.type().isMultiCell()) {
            OptionalInt ttl = row.ttl(name);
            texts.add(ttl.isEmpty() ? null : Int32Type.instance.decompose(ttl.getAsInt()));
          }
        }
      }
      return texts.stream().map(Both::text).collect(Collectors.joining(" "));
    }

    private PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      List<PartitionCursor> sources = new ArrayList<>();
      boolean reversed = false;
      for (SSTable sstable : sstables) {
        if (read instanceof Read.OfPartition partition) {
          PartitionReader reader = sstable.reader();
          reader.seek(partition.key(), partition.slices(), partition.reversed());
          sources.add(reader);
          reversed = partition.reversed();
        } else {
          sources.add(sstable.scan(((Read.OfRange) read).range()));
        }
      }
      MergeCursor merge = new MergeCursor(TableEncoding.of(schema));
      merge.begin(sources, reversed, cancelSignal);
      return merge;
    }

    private void where(String condition, ByteBuffer... bound) {
      where += (where.isEmpty() ? " WHERE " : " AND ") + condition;
      Collections.addAll(values, bound);
    }

    private DecoratedKey key(List<@Nullable ByteBuffer> place) {
      ByteBuffer[] parts = place.subList(0, keys.size()).toArray(ByteBuffer[]::new);
      return table.partitioner.decorateKey(
          parts.length == 1 ? parts[0] : CompositeType.build(ByteBufferAccessor.instance, parts));
    }

    private PartitionKey ours(DecoratedKey key) {
      byte[] bytes = ByteBufferUtil.getArray(key.getKey());
      return PartitionKey.of(bytes, sstables.get(0).partitioner().token(bytes, 0, bytes.length));
    }

    private void ofPartition() {
      List<@Nullable ByteBuffer> place = pick(places);
      builder.partition(ours(key(place)));
      for (int i = 0; i < keys.size(); i++) {
        where(name(keys.get(i)) + " = ?", Objects.requireNonNull(place.get(i)));
      }
    }

    private void ofTokens() {
      long first = ours(key(pick(places))).token() + random.nextInt(3) - 1;
      long last = ours(key(pick(places))).token() + random.nextInt(3) - 1;
      String token = keys.stream().map(Both::name).collect(Collectors.joining(", ", "token(", ")"));
      builder.tokens(Math.min(first, last), Math.max(first, last));
      where(token + " >= " + Math.min(first, last));
      where(token + " <= " + Math.max(first, last));
    }

    /**
     * Returns a value of a clustering column that some row has and that both sides can distinguish
     * from null.
     */
    private @Nullable Object decoded(int index, @Nullable ByteBuffer value) {
      CqlType type = clusterings.get(index).type().unreversed();
      if (value == null) {
        return null;
      }
      byte[] bytes = ByteBufferUtil.getArray(value);
      return type.decode(bytes, 0, bytes.length);
    }

    private List<ByteBuffer> placeValues(int from, int count, List<Object> decoded) {
      List<ByteBuffer> found = new ArrayList<>();
      List<@Nullable ByteBuffer> place = pick(places);
      for (int i = from; i < from + count; i++) {
        ByteBuffer value = place.get(keys.size() + i);
        Object object = decoded(i, value);
        if (value == null || object == null) {
          decoded.clear();
          return List.of();
        }
        found.add(value);
        decoded.add(object);
      }
      return found;
    }

    /**
     * Restricts rows: some columns equal, or one IN several; then bounds of the next column, of one
     * or several.
     */
    private void ofRows() {
      List<Object> prefix = new ArrayList<>();
      int fixed = random.nextInt(clusterings.size() + 1);
      List<ByteBuffer> equal = placeValues(0, fixed, prefix);
      fixed = equal.size();
      List<List<Object>> prefixes = new ArrayList<>();
      int in = fixed > 0 && random.nextInt(3) == 0 ? random.nextInt(fixed) : -1;
      for (int i = 0; i < fixed; i++) {
        if (i != in) {
          where(name(clusterings.get(i)) + " = ?", equal.get(i));
        }
      }
      prefixes.add(prefix);
      if (in >= 0) {
        List<ByteBuffer> more = new ArrayList<>(List.of(equal.get(in)));
        for (int i = random.nextInt(3); i > 0; i--) {
          List<Object> other = new ArrayList<>();
          List<ByteBuffer> value = placeValues(in, 1, other);
          if (!value.isEmpty()) {
            more.add(value.get(0));
            List<Object> changed = new ArrayList<>(prefix);
            changed.set(in, other.get(0));
            prefixes.add(changed);
          }
        }
        String marks = more.stream().map(value -> "?").collect(Collectors.joining(", "));
        where(name(clusterings.get(in)) + " IN (" + marks + ")", more.toArray(ByteBuffer[]::new));
      }
      List<ClusteringRange> ranges = new ArrayList<>();
      prefixes.forEach(
          of ->
              ranges.add(of.isEmpty() ? ClusteringRange.all() : ClusteringRange.of(of.toArray())));
      if (fixed < clusterings.size()) {
        int most = clusterings.size() - fixed;
        int sides = random.nextInt(4);
        // CQL requires the bounds of both sides to be of the same columns, or at least to begin so.
        boolean tuple = most > 1 && in < 0 && random.nextInt(3) == 0;
        if ((sides & 1) != 0) {
          bound(fixed, tuple ? 2 + random.nextInt(most - 1) : 1, tuple, true, ranges);
        }
        if ((sides & 2) != 0) {
          bound(fixed, tuple ? 2 + random.nextInt(most - 1) : 1, tuple, false, ranges);
        }
      }
      builder.rows(ranges.toArray(ClusteringRange[]::new));
    }

    private void bound(
        int from, int count, boolean tuple, boolean lower, List<ClusteringRange> ranges) {
      List<Object> decoded = new ArrayList<>();
      List<ByteBuffer> bound = placeValues(from, count, decoded);
      if (bound.isEmpty()) {
        return;
      }
      boolean included = random.nextBoolean();
      Object[] objects = decoded.toArray();
      ranges.replaceAll(
          range ->
              lower
                  ? included ? range.from(objects) : range.after(objects)
                  : included ? range.to(objects) : range.before(objects));
      String names =
          clusterings.subList(from, from + count).stream()
              .map(Both::name)
              .collect(Collectors.joining(", "));
      String marks = bound.stream().map(value -> "?").collect(Collectors.joining(", "));
      String operator = (lower ? " >" : " <") + (included ? "= " : " ");
      where(
          tuple ? "(" + names + ")" + operator + "(" + marks + ")" : names + operator + marks,
          bound.toArray(ByteBuffer[]::new));
    }
  }
}
