package io.siltstone.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.Clustering;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.SelectModel.ModelRow;
import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.RandomPartitions;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random queries of random tables give what a simple model of {@code SELECT} gives, at once and by
 * pages. A run can be repeated with {@code -Dsiltstone.seed=N}, and enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
class RandomQueriesTest {
  private static final long EPOCH_SECONDS = 1_600_000_000L;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void queriesAgreeWithTheModel() {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, 30L * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    seeds.forEach(
        seed -> {
          try {
            check(seed);
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
          }
        });
  }

  private void check(long seed) throws IOException {
    Random random = new Random(seed);
    TableSchema schema = RandomSchemas.table(random.nextLong());
    while (schema.isCounter()) {
      schema = RandomSchemas.table(random.nextLong());
    }
    FormatVersion version = random.nextBoolean() ? FormatVersion.NB : FormatVersion.OA;
    TableModel table =
        RandomPartitions.of(
            random, schema, version, 1 + random.nextInt(15), 1 + random.nextInt(40));
    long now = EPOCH_SECONDS + random.nextInt(110_000);
    SelectModel model = new SelectModel(schema, table, now);
    try (StoredTable stored = new StoredTable(table, version, leaks.memory())) {
      for (int i = 0; i < 30; i++) {
        new OneQuery(random, schema, model, stored).check();
      }
      assertThat(stored.open()).isZero();
    }
  }

  /** Not so what only tables of a former form have. */
  private static boolean isWhole(Clustering at) {
    return IntStream.range(0, at.size()).allMatch(i -> at.valueLength(i) != Clustering.NULL);
  }

  /** One random query, said to the engine and to the model. */
  private static final class OneQuery {
    private final Random random;
    private final TableSchema schema;
    private final SelectModel model;
    private final StoredTable stored;
    private final Query.Builder builder;

    private @Nullable Partition partition;
    private Predicate<Partition> partitions = of -> true;
    private @Nullable Predicate<Clustering> wanted;
    private boolean reversed;
    private boolean distinct;
    private long limit = Query.NO_LIMIT;
    private int perPartition = Integer.MAX_VALUE;

    OneQuery(Random random, TableSchema schema, SelectModel model, StoredTable stored) {
      this.random = random;
      this.schema = schema;
      this.model = model;
      this.stored = stored;
      this.builder = Query.builder(schema, model.model().partitioner());
    }

    void check() throws IOException {
      partitions();
      distinct = random.nextInt(8) == 0;
      if (!distinct) {
        rows();
        if (partition != null && random.nextBoolean()) {
          reversed = true;
          builder.reversed();
        }
        if (random.nextInt(3) == 0) {
          perPartition = 1 + random.nextInt(5);
          builder.perPartitionLimit(perPartition);
        }
      } else {
        builder.distinct();
      }
      columns();
      if (random.nextInt(3) == 0) {
        limit = 1L + random.nextInt(20);
        builder.limit(limit);
      }
      Query whole = builder.build();
      List<Map<String, @Nullable Object>> expected = expected(whole.columns());
      assertThat(stored.all(whole, model.now()).stream().map(SelectModel::plain))
          .as("%s", whole)
          .isEqualTo(expected);
      int pageSize = 1 + random.nextInt(expected.size() + 2);
      Query paged = builder.pageSize(pageSize).build();
      assertThat(byPages(paged, pageSize)).as("%s", paged).isEqualTo(expected);
      if (random.nextInt(3) == 0) {
        columns(whole, paged);
      }
    }

    /** The same as columns. */
    private void columns(Query whole, Query paged) throws IOException {
      List<List<@Nullable Object>> rows =
          stored.all(whole, model.now()).stream().map(ColumnarRows::of).toList();
      assertThat(ColumnarRows.all(stored.columns(whole, model.now()), random))
          .as("%s", whole)
          .isEqualTo(rows);
      assertThat(columnsByPages(paged)).as("%s", paged).isEqualTo(rows);
    }

    private List<List<@Nullable Object>> columnsByPages(Query first) throws IOException {
      List<List<@Nullable Object>> all = new ArrayList<>();
      @Nullable Query query = first;
      while (query != null) {
        ColumnarReader reader = stored.columns(query, model.now());
        // The place is known as long as the reader is open.
        List<PagingState> places = new ArrayList<>();
        all.addAll(
            ColumnarRows.all(reader, random, () -> reader.pagingState().ifPresent(places::add)));
        query = places.isEmpty() ? null : first.after(places.get(0));
      }
      return all;
    }

    private void partitions() {
      List<Partition> all = model.model().partitions();
      Partition some = all.get(random.nextInt(all.size()));
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          partition = some;
          partitions = of -> of.key().equals(some.key());
          builder.partition(some.key());
        }
        case 2 -> {
          long first = Math.min(some.key().token(), all.get(0).key().token() + 1L);
          long last = random.nextBoolean() ? some.key().token() : Long.MAX_VALUE;
          if (first <= last) {
            builder.tokens(first, last);
            partitions = of -> of.key().token() >= first && of.key().token() <= last;
          }
        }
        default -> {
          if (model.model().partitioner() == Partitioner.BYTE_ORDERED) {
            keys(some, random.nextBoolean(), random.nextBoolean());
          }
        }
      }
    }

    private void keys(Partition bound, boolean lower, boolean inclusive) {
      List<@Nullable Object> parts = SelectModel.keyValues(schema, bound.key());
      if (parts.contains(null)) {
        return;
      }
      Object[] values = parts.toArray();
      if (lower && inclusive) {
        builder.keysFrom(values);
      } else if (lower) {
        builder.keysAfter(values);
      } else if (inclusive) {
        builder.keysTo(values);
      } else {
        builder.keysBefore(values);
      }
      partitions =
          of -> {
            int order = Arrays.compareUnsigned(of.key().toByteArray(), bound.key().toByteArray());
            return (order == 0 && inclusive) || (order != 0 && order > 0 == lower);
          };
    }

    private void rows() {
      List<Clustering> places = new ArrayList<>();
      for (Partition of : model.model().partitions()) {
        if (partition == null || partition.key().equals(of.key())) {
          of.items().stream()
              .map(TableModel.Item::clustering)
              .filter(at -> at.size() == schema.clusteringColumns().size())
              .filter(RandomQueriesTest::isWhole)
              .forEach(places::add);
        }
      }
      if (places.isEmpty() || places.get(0).size() == 0) {
        return;
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        Predicate<Clustering> matches = range(places);
        wanted = wanted == null ? matches : wanted.or(matches);
      }
    }

    /** Adds a range to the query, and says the same by comparing values. */
    private Predicate<Clustering> range(List<Clustering> places) {
      Clustering at = places.get(random.nextInt(places.size()));
      int columns = at.size();
      int prefix = random.nextInt(columns + 1);
      ClusteringRange range = ClusteringRange.of(Arrays.copyOf(values(at), prefix));
      Predicate<Clustering> matches = row -> compare(row, at, 0, prefix) == 0;
      if (prefix == columns || (prefix > 0 && random.nextBoolean())) {
        builder.rows(range);
        return matches;
      }
      if (random.nextInt(3) != 0) {
        Clustering bound = places.get(random.nextInt(places.size()));
        int end = prefix + 1 + random.nextInt(columns - prefix);
        Object[] values = Arrays.copyOfRange(values(bound), prefix, end);
        boolean inclusive = random.nextBoolean();
        range = inclusive ? range.from(values) : range.after(values);
        matches = matches.and(row -> compare(row, bound, prefix, end) >= (inclusive ? 0 : 1));
      }
      if (random.nextInt(3) != 0 || prefix == 0) {
        Clustering bound = places.get(random.nextInt(places.size()));
        int end = prefix + 1 + random.nextInt(columns - prefix);
        Object[] values = Arrays.copyOfRange(values(bound), prefix, end);
        boolean inclusive = random.nextBoolean();
        range = inclusive ? range.to(values) : range.before(values);
        matches = matches.and(row -> compare(row, bound, prefix, end) <= (inclusive ? 0 : -1));
      }
      builder.rows(range);
      return matches;
    }

    /** Decoded, or as they are: so also the empty ones of types where these mean nothing. */
    private Object[] values(Clustering at) {
      Object[] values = new Object[at.size()];
      for (int i = 0; i < values.length; i++) {
        byte[] value = at.value(i);
        Object decoded = schema.clusteringColumns().get(i).type().decode(value, 0, value.length);
        values[i] = decoded == null || random.nextInt(4) == 0 ? ByteBuffer.wrap(value) : decoded;
      }
      return values;
    }

    /** By the order of the values, whatever that of the rows. */
    private int compare(Clustering left, Clustering right, int from, int to) {
      for (int i = from; i < to; i++) {
        CqlType type = schema.clusteringColumns().get(i).type().unreversed();
        byte[] l = left.value(i);
        byte[] r = right.value(i);
        int order = Integer.signum(type.compare(l, 0, l.length, r, 0, r.length));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    private void columns() {
      if (random.nextBoolean()) {
        return;
      }
      List<String> names = new ArrayList<>();
      Stream.of(
              schema.partitionKeyColumns(),
              schema.clusteringColumns(),
              schema.staticColumns(),
              schema.regularColumns())
          .flatMap(List::stream)
          .filter(
              column ->
                  !distinct
                      || column.kind() == ColumnKind.PARTITION_KEY
                      || column.kind() == ColumnKind.STATIC)
          .map(Column::name)
          .filter(name -> random.nextInt(3) == 0)
          .forEach(names::add);
      builder.select(names.toArray(String[]::new));
    }

    private List<Map<String, @Nullable Object>> expected(ResultColumns columns) {
      List<List<ModelRow>> all = model.rows(wanted, reversed);
      List<Map<String, @Nullable Object>> expected = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        if (partitions.test(model.model().partitions().get(i))) {
          all.get(i).stream()
              .limit(distinct ? 1 : perPartition)
              .forEach(row -> expected.add(SelectModel.only(row, columns)));
        }
      }
      return expected.stream().limit(limit).toList();
    }

    private List<Map<String, @Nullable Object>> byPages(Query first, int pageSize)
        throws IOException {
      List<Map<String, @Nullable Object>> all = new ArrayList<>();
      Query query = first;
      while (true) {
        try (LiveRows rows = stored.rows(query, model.now())) {
          int before = all.size();
          rows.forEachRemaining(row -> all.add(SelectModel.plain(row)));
          assertThat(all.size() - before).isLessThanOrEqualTo(pageSize);
          Optional<PagingState> token = rows.pagingState();
          if (token.isEmpty()) {
            return all;
          }
          assertThat(all.size() - before).isEqualTo(pageSize);
          query = first.after(PagingState.parse(token.get().toString()));
        }
      }
    }
  }
}
