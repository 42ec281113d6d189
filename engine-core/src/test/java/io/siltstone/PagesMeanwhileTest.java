package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Pages of random queries between which the table changes: each page shows what there is then after
 * the last row given, whether that is still there or not. A run can be repeated with {@code
 * -Dsiltstone.seed=N}, and enlarged with {@code -Dsiltstone.scale=N}.
 */
class PagesMeanwhileTest {
  private static final int SEEDS = 20;
  private static final int QUERIES = 12;
  private static final int KEYS = 5;
  private static final int CLUSTERINGS = 12;
  private static final DatabaseOptions OPTIONS =
      History.OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();

  @Test
  void pagesGoOnAfterTheLastRowWhateverHasChanged() throws IOException {
    Long one = Long.getLong("siltstone.seed");
    long[] seeds =
        one == null
            ? LongStream.range(0, (long) SEEDS * Integer.getInteger("siltstone.scale", 1)).toArray()
            : new long[] {one};
    for (long seed : seeds) {
      try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
        Run run = new Run(database, new Random(seed));
        for (int i = 0; i < QUERIES; i++) {
          run.query();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
  }

  /** What there is of a partition. */
  private static final class Partition {
    private final TreeMap<Integer, Integer> rows;
    private @Nullable Integer ofStatic;

    Partition(boolean descending) {
      Comparator<Integer> order = Comparator.naturalOrder();
      rows = new TreeMap<>(descending ? order.reversed() : order);
    }
  }

  /**
   * A row as it is expected, or was given.
   *
   * @param c null for a partition without rows
   */
  private record Line(
      int k, @Nullable Integer c, @Nullable Integer ofStatic, @Nullable Integer v) {}

  /** A range of clusterings, both ends included. */
  private record Range(int from, int to) {}

  /** Which rows a query asks for. */
  private record Asked(
      @Nullable Integer key,
      List<Range> ranges,
      boolean reversed,
      boolean distinct,
      int perPartition,
      int pageSize) {
    boolean wants(int c) {
      return ranges.isEmpty() || ranges.stream().anyMatch(r -> r.from <= c && c <= r.to);
    }
  }

  /** One database, and what is in it. */
  private static final class Run {
    private final Database database;
    private final Random random;
    private final boolean descending;
    private final TreeMap<Integer, Partition> model = new TreeMap<>();
    private boolean hasExtra;

    Run(Database database, Random random) throws IOException {
      this.database = database;
      this.random = random;
      this.descending = random.nextBoolean();
      var unused =
          database.createTable(
              "CREATE TABLE w.t (k int, c int, s int static, v int, PRIMARY KEY (k, c))"
                  + " WITH CLUSTERING ORDER BY (c "
                  + (descending ? "DESC)" : "ASC)"));
      for (int i = 0; i < 60; i++) {
        change();
      }
    }

    private Table table() {
      return database.table("w", "t");
    }

    private Partition partition(int k) {
      return model.computeIfAbsent(k, key -> new Partition(descending));
    }

    private void change() throws IOException {
      int k = random.nextInt(KEYS);
      int c = random.nextInt(CLUSTERINGS);
      int v = random.nextInt(100);
      Table table = table();
      switch (random.nextInt(40)) {
        case 0 -> {
          table.write(table.mutation(k).deletePartition().build());
          model.remove(k);
        }
        case 1, 2, 3 -> {
          int to = c + random.nextInt(4);
          table.write(table.mutation(k).deleteRange(ClusteringRange.all().from(c).to(to)).build());
          partition(k).rows.keySet().removeIf(at -> c <= at && at <= to);
        }
        case 4, 5, 6, 7, 8 -> {
          table.write(table.mutation(k).deleteRow(c).build());
          partition(k).rows.remove(c);
        }
        case 9, 10 -> {
          table.write(table.mutation(k).set("s", v).build());
          partition(k).ofStatic = v;
        }
        case 11 -> {
          table.write(table.mutation(k).delete("s").build());
          partition(k).ofStatic = null;
        }
        case 12 -> table.flush();
        case 13 -> {
          var unused =
              database.alterTable(
                  "w", "t", "ALTER TABLE w.t " + (hasExtra ? "DROP x" : "ADD x int"));
          hasExtra = !hasExtra;
        }
        default -> {
          table.write(table.mutation(k).insert(c).set("v", v).build());
          partition(k).rows.put(c, v);
        }
      }
    }

    private Asked ask() {
      boolean distinct = random.nextInt(6) == 0;
      @Nullable Integer key = random.nextBoolean() ? null : Integer.valueOf(random.nextInt(KEYS));
      List<Range> ranges = new ArrayList<>();
      for (int i = distinct ? 0 : random.nextInt(4); i > 0; i--) {
        int from = random.nextInt(CLUSTERINGS);
        ranges.add(new Range(from, from + random.nextInt(5)));
      }
      return new Asked(
          key,
          ranges,
          key != null && !distinct && random.nextBoolean(),
          distinct,
          distinct || random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(4),
          1 + random.nextInt(5));
    }

    private Query build(Asked asked, long limit) {
      Query.Builder builder = table().query().pageSize(asked.pageSize).select("v", "s");
      if (asked.distinct) {
        builder = table().query().pageSize(asked.pageSize).distinct();
      }
      if (asked.key != null) {
        builder.partition(asked.key);
      }
      for (Range range : asked.ranges) {
        builder.rows(ClusteringRange.all().from(range.from).to(range.to));
      }
      if (asked.reversed) {
        builder.reversed();
      }
      if (asked.perPartition != Integer.MAX_VALUE) {
        builder.perPartitionLimit(asked.perPartition);
      }
      if (limit != Query.NO_LIMIT) {
        builder.limit(limit);
      }
      return builder.build();
    }

    /** Goes through all pages, with changes between them. */
    void query() throws IOException {
      Asked asked = ask();
      long limit = random.nextInt(3) == 0 ? 1L + random.nextInt(15) : Query.NO_LIMIT;
      Query first = build(asked, limit);
      Optional<PagingState> token = Optional.empty();
      @Nullable Line last = null;
      int givenOfLast = 0;
      long left = limit;
      do {
        Query query = random.nextBoolean() ? first : build(asked, limit);
        if (token.isPresent()) {
          query = query.after(PagingState.parse(token.get().toString()));
        }
        List<Line> rest = rest(asked, last, givenOfLast);
        int most = (int) Math.min(Math.min(asked.pageSize, left), rest.size());
        List<Line> given = new ArrayList<>();
        try (LiveRows rows = table().read(query)) {
          boolean wholly = random.nextInt(3) > 0;
          int take = wholly ? most : random.nextInt(most + 1);
          for (int i = 0; i < take; i++) {
            given.add(line(rows.next(), asked));
          }
          boolean looked = wholly || random.nextBoolean();
          if (looked) {
            assertThat(rows.hasNext()).as("%s", query).isEqualTo(take < most);
          }
          token = rows.pagingState();
        }
        assertThat(given).as("%s", query).isEqualTo(rest.subList(0, given.size()));
        for (Line line : given) {
          givenOfLast = last != null && last.k == line.k ? givenOfLast + 1 : 1;
          last = line;
        }
        if (token.isEmpty()) {
          assertThat((long) given.size()).as("%s", query).isEqualTo(Math.min(left, rest.size()));
        }
        left = limit == Query.NO_LIMIT ? left : left - given.size();
        for (int i = random.nextInt(12); i > 0; i--) {
          change();
        }
      } while (token.isPresent());
    }

    private static Line line(Row row, Asked asked) {
      @Nullable Integer c =
          asked.distinct || row.isNull("c") ? null : Integer.valueOf(row.getInt("c"));
      @Nullable Integer v =
          asked.distinct || row.isNull("v") ? null : Integer.valueOf(row.getInt("v"));
      @Nullable Integer s = row.isNull("s") ? null : Integer.valueOf(row.getInt("s"));
      return new Line(row.getInt("k"), c, s, v);
    }

    /** All rows that there are now behind a place. */
    private List<Line> rest(Asked asked, @Nullable Line last, int givenOfLast) {
      List<Line> all = new ArrayList<>();
      model.forEach(
          (k, partition) -> {
            @Nullable Line here = last != null && last.k == k ? last : null;
            if ((asked.key != null && asked.key != (int) k)
                || (last != null && k < last.k)
                || (here != null && here.c == null)) {
              return;
            }
            int given = here == null ? 0 : givenOfLast;
            TreeMap<Integer, Integer> rows = partition.rows;
            var ordered = asked.reversed ? rows.descendingMap() : rows;
            if (here != null && here.c != null) {
              ordered = ordered.tailMap(here.c, false);
            }
            for (var row : ordered.entrySet()) {
              if (given < asked.perPartition && asked.wants(row.getKey())) {
                given++;
                all.add(
                    asked.distinct
                        ? new Line(k, null, partition.ofStatic, null)
                        : new Line(k, row.getKey(), partition.ofStatic, row.getValue()));
                if (asked.distinct) {
                  return;
                }
              }
            }
            if (given == 0 && asked.ranges.isEmpty() && partition.ofStatic != null) {
              all.add(new Line(k, null, partition.ofStatic, null));
            }
          });
      return all;
    }
  }
}
