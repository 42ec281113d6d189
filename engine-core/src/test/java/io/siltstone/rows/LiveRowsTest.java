package io.siltstone.rows;

import static io.siltstone.rows.Example.WRITTEN_MICROS;
import static io.siltstone.rows.Example.WRITTEN_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is shown and what is not, rule by rule. */
class LiveRowsTest {
  private static final String TABLE =
      "CREATE TABLE ks.t (k int, c int, d int, s text static, v text, w text, l map<text, int>,"
          + " PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final Example table = new Example(TABLE);

  private List<String> select(Query query, long now) throws IOException {
    try (StoredTable stored = stored(table)) {
      return stored.all(query, now).stream().map(Row::toString).toList();
    }
  }

  private List<String> select(Query.Builder query) throws IOException {
    return select(query.build(), WRITTEN_SECONDS);
  }

  private StoredTable stored(Example of) throws IOException {
    return new StoredTable(of.model(), FormatVersion.OA, leaks.memory());
  }

  @Test
  void insertedRowWithoutCellsIsThere() throws IOException {
    table.partition(1).insert(2, 3);
    assertThat(select(table.query())).containsExactly("{k=1, c=2, d=3}");
  }

  @Test
  void updatedRowIsThereByItsCellsAlone() throws IOException {
    table.partition(1).update(2, 3).set("v", "x", 10).update(2, 4).delete("v");
    assertThat(select(table.query())).containsExactly("{k=1, c=2, d=3, v='x'}");
    assertThat(select(table.query().build(), WRITTEN_SECONDS + 9)).hasSize(1);
    assertThat(select(table.query().build(), WRITTEN_SECONDS + 10)).isEmpty();
  }

  @Test
  void insertedRowGoesWhenItsTimeIsOver() throws IOException {
    table.partition(1).insertFor(10, 2, 3).set("v", "x", 10).set("w", "y", 20);
    assertThat(select(table.query().build(), WRITTEN_SECONDS + 10))
        .containsExactly("{k=1, c=2, d=3, w='y'}");
    assertThat(select(table.query().build(), WRITTEN_SECONDS + 20)).isEmpty();
  }

  @Test
  void rowIsThereByCellsThatWereNotSelected() throws IOException {
    table.partition(1).update(2, 3).set("v", "x");
    assertThat(select(table.query().select("w"))).containsExactly("{k=1, c=2, d=3}");
  }

  @Test
  void staticColumnsComeWithEachRow() throws IOException {
    table.partition(1).staticRow().set("s", "z").insert(2, 3).insert(1, 3);
    assertThat(select(table.query()))
        .containsExactly("{k=1, c=2, d=3, s='z'}", "{k=1, c=1, d=3, s='z'}");
  }

  @Test
  void partitionOfStaticColumnsOnlyIsOneRow() throws IOException {
    table.partition(1).staticRow().set("s", "z");
    table.partition(2).staticRow().set("s", "y", 10).update(1, 1).delete("v");
    assertThat(select(table.query().partition(1))).containsExactly("{k=1, s='z'}");
    assertThat(select(table.query().partition(2))).containsExactly("{k=2, s='y'}");
    assertThat(select(table.query().partition(1).reversed())).containsExactly("{k=1, s='z'}");
    assertThat(select(table.query().partition(1).select("v"))).containsExactly("{k=1}");
    assertThat(select(table.query().partition(2).build(), WRITTEN_SECONDS + 10)).isEmpty();
    assertThat(select(table.query())).hasSize(2);
  }

  @Test
  void staticColumnsAloneAreNoRowWhereRowsAreRestricted() throws IOException {
    table.partition(1).staticRow().set("s", "z").insert(2, 3);
    assertThat(select(table.query().partition(1).rows(ClusteringRange.of(5)))).isEmpty();
    assertThat(select(table.query().rows(ClusteringRange.of(5)))).isEmpty();
    assertThat(select(table.query().partition(1).row(2, 3)))
        .containsExactly("{k=1, c=2, d=3, s='z'}");
  }

  @Test
  void staticOnlyRowSaysSo() throws IOException {
    table.partition(1).staticRow().set("s", "z");
    table.partition(2).insert(1, 1);
    try (StoredTable stored = stored(table)) {
      Row only = stored.all(table.query().partition(1).build(), WRITTEN_SECONDS).get(0);
      assertThat(only.isStaticOnly()).isTrue();
      assertThat(only.isNull("c")).isTrue();
      assertThat(only.get("c")).isNull();
      assertThat(only.timestamp("v")).isEmpty();
      Row row = stored.all(table.query().partition(2).build(), WRITTEN_SECONDS).get(0);
      assertThat(row.isStaticOnly()).isFalse();
    }
  }

  @Test
  void distinctPartitionsHaveALiveRowOrStaticColumns() throws IOException {
    table.partition(1).insert(1, 1).insert(1, 2).staticRow().set("s", "z");
    table.partition(2).staticRow().set("s", "y");
    table.partition(3).update(1, 1).delete("v");
    assertThat(select(table.query().distinct()))
        .containsExactlyInAnyOrder("{k=1, s='z'}", "{k=2, s='y'}");
    assertThat(select(table.query().distinct().select("k")))
        .containsExactlyInAnyOrder("{k=1}", "{k=2}");
  }

  @Test
  void elementsThatExpiredAreNotInTheCollection() throws IOException {
    table
        .partition(1)
        .update(2, 3)
        .element("l", "a", 1, 10)
        .element("l", "b", 2, 20)
        .update(2, 4)
        .element("l", "a", 1, 10);
    try (StoredTable stored = stored(table)) {
      List<Row> rows = stored.all(table.query().build(), WRITTEN_SECONDS + 5);
      assertThat(rows.get(0).getMap("l", String.class, Integer.class))
          .containsEntry("a", 1)
          .containsEntry("b", 2)
          .hasSize(2);
      assertThat(rows.get(0).ttl("l")).hasValue(5);
      assertThat(rows.get(0).timestamp("l")).hasValue(WRITTEN_MICROS);
    }
    assertThat(select(table.query().build(), WRITTEN_SECONDS + 10))
        .containsExactly("{k=1, c=2, d=3, l={'b': 2}}");
  }

  @Test
  void userTypeHasAllItsFieldsAlsoThoseBehindTheLastThatIsSet() throws IOException {
    Example typed =
        new Example(
            "CREATE TYPE ks.u (a int, b int, c int);"
                + " CREATE TABLE ks.t (k int PRIMARY KEY, v u)");
    typed.partition(1).insert().element("v", (short) 1, 7, 0);
    try (StoredTable stored = stored(typed)) {
      Row row = stored.all(typed.query().build(), WRITTEN_SECONDS).get(0);
      ByteBuffer expected = ByteBuffer.allocate(16);
      expected.putInt(-1).putInt(4).putInt(7).putInt(-1).flip();
      assertThat(row.getSerialized("v")).isEqualTo(expected);
    }
  }

  @Test
  void droppedColumnsAreNotShown() throws IOException {
    table.partition(1).update(1, 1).set("v", "old").update(2, 2).set("v", "x").set("w", "y");
    TableSchema without = table.schema().toBuilder().drop("v", WRITTEN_MICROS).build();
    TableSchema again = without.toBuilder().regular("v", CqlTypes.TEXT).build();
    TableSchema before =
        table.schema().toBuilder()
            .drop("v", WRITTEN_MICROS - 1)
            .regular("v", CqlTypes.TEXT)
            .build();
    assertThat(select(Query.builder(without, Partitioner.MURMUR3)))
        .containsExactly("{k=1, c=2, d=2, w='y'}");
    assertThat(select(Query.builder(again, Partitioner.MURMUR3)))
        .containsExactly("{k=1, c=2, d=2, w='y'}");
    assertThat(select(Query.builder(before, Partitioner.MURMUR3))).hasSize(2);
  }

  @Test
  void columnAddedSinceIsNull() throws IOException {
    table.partition(1).insert(1, 1).set("v", "x");
    TableSchema more = table.schema().toBuilder().regular("a", CqlTypes.INT).build();
    assertThat(select(Query.builder(more, Partitioner.MURMUR3).select("a", "v")))
        .containsExactly("{k=1, c=1, d=1, v='x'}");
  }

  @Test
  void boundsAreInTheOrderOfValuesWhateverTheClusteringOrder() throws IOException {
    table.partition(1);
    for (int c = 1; c <= 3; c++) {
      for (int d = 1; d <= 3; d++) {
        table.insert(c, d);
      }
    }
    assertThat(places(ClusteringRange.all().from(2))).containsExactly(31, 32, 33, 21, 22, 23);
    assertThat(places(ClusteringRange.all().after(2))).containsExactly(31, 32, 33);
    assertThat(places(ClusteringRange.all().to(1))).containsExactly(11, 12, 13);
    assertThat(places(ClusteringRange.all().before(1))).isEmpty();
    assertThat(places(ClusteringRange.of(2).after(1).to(3))).containsExactly(22, 23);
    assertThat(places(ClusteringRange.all().after(2, 2))).containsExactly(31, 32, 33, 23);
    assertThat(places(ClusteringRange.all().from(2, 2).before(3, 2))).containsExactly(31, 22, 23);
    assertThat(places(ClusteringRange.all().after(1, 3).to(2))).containsExactly(21, 22, 23);
    assertThat(places(ClusteringRange.all().from(3).before(2))).isEmpty();
    assertThat(places(ClusteringRange.of(1, 1), ClusteringRange.of(3), ClusteringRange.of(3, 2)))
        .containsExactly(31, 32, 33, 11);
  }

  private List<Integer> places(ClusteringRange... ranges) throws IOException {
    List<Integer> places = new ArrayList<>();
    try (StoredTable stored = stored(table)) {
      for (Row row : stored.all(table.query().partition(1).rows(ranges).build(), WRITTEN_SECONDS)) {
        places.add(10 * row.getInt("c") + row.getInt("d"));
      }
    }
    return places;
  }

  @Test
  void onlyDirectionsThatDifferMakeSeveralSlices() {
    assertThat(table.query().rows(ClusteringRange.all().after(2, 2)).build().slices()).hasSize(2);
    Example ascending =
        new Example("CREATE TABLE ks.t (k int, c int, d int, PRIMARY KEY (k, c, d))");
    assertThat(ascending.query().rows(ClusteringRange.all().after(2, 2)).build().slices())
        .hasSize(1);
    Query adjacent =
        ascending
            .query()
            .rows(ClusteringRange.all().before(2), ClusteringRange.all().from(2))
            .build();
    assertThat(adjacent.slices()).hasSize(1);
  }

  @Test
  void whatIsPassedOverIsCounted() throws IOException {
    table.partition(1).insertFor(10, 1, 1).update(1, 2).delete("v").set("w", "x", 10).insert(1, 3);
    try (StoredTable stored = stored(table);
        LiveRows rows = stored.rows(table.query().build(), WRITTEN_SECONDS + 10)) {
      assertThat(rows.next().toString()).isEqualTo("{k=1, c=1, d=3}");
      assertThat(rows.hasNext()).isFalse();
      assertThat(rows.rows()).isEqualTo(1);
      assertThat(rows.tombstones()).isEqualTo(1);
      assertThat(rows.expired()).isEqualTo(2);
    }
  }

  @Test
  void nothingIsGivenAfterClose() throws IOException {
    table.partition(1).insert(1, 1).insert(1, 2);
    try (StoredTable stored = stored(table)) {
      LiveRows rows = stored.rows(table.query().build(), WRITTEN_SECONDS);
      Row row = rows.next();
      rows.close();
      rows.close();
      assertThatThrownBy(rows::hasNext).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(rows::next).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(rows::pagingState).isInstanceOf(IllegalStateException.class);
      assertThat(row.getInt("d")).isEqualTo(1);
      assertThat(stored.open()).isZero();
    }
  }

  @Test
  void sourceIsClosedWithTheRows() throws IOException {
    table.partition(1).insert(1, 1);
    int[] closed = {0};
    try (StoredTable stored = stored(table)) {
      CursorSource source =
          new CursorSource() {
            @Override
            public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
              return stored.open(read);
            }

            @Override
            public void close() {
              closed[0]++;
            }
          };
      LiveRows rows = LiveRows.open(table.query().build(), WRITTEN_SECONDS, source);
      rows.next();
      rows.close();
      rows.close();
    }
    assertThat(closed[0]).isEqualTo(1);
  }

  @Test
  void rowBehindTheLastIsRefused() throws IOException {
    table.partition(1).insert(1, 1);
    try (StoredTable stored = stored(table);
        LiveRows rows = stored.rows(table.query().build(), WRITTEN_SECONDS)) {
      rows.next();
      assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void failedReadIsNotTakenForTheEnd() throws IOException {
    CursorSource broken =
        (read, cancelSignal) -> {
          throw new IOException("disk gone");
        };
    try (LiveRows rows = LiveRows.open(table.query().build(), WRITTEN_SECONDS, broken)) {
      assertThatThrownBy(rows::hasNext)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("disk gone");
      assertThatThrownBy(rows::hasNext)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("disk gone");
    }
  }

  /** Of "no limit" there is no end, and after it no "enough". */
  @Test
  void withoutLimitsThereIsNoMostOfRows() {
    Query all = table.query().build();
    assertThat(all.mostRows()).isEqualTo(Long.MAX_VALUE);
    assertThat(all.isEnough(Integer.MAX_VALUE)).isFalse();
    Query limited = table.query().limit(7).perPartitionLimit(3).build();
    assertThat(limited.mostRows()).isEqualTo(7);
    assertThat(limited.isEnough(2)).isFalse();
    assertThat(limited.isEnough(3)).isTrue();
    assertThat(table.query().pageSize(5).limit(7).build().mostRows()).isEqualTo(5);
  }

  @Test
  void aLoopAndAStreamContinueWhereTheRowsBeforeEnded() throws IOException {
    table.partition(1).insert(5, 1).insert(4, 1).insert(3, 1).insert(2, 1);
    try (StoredTable stored = stored(table);
        LiveRows rows = rows(stored)) {
      List<Integer> found = new ArrayList<>();
      found.add(rows.next().getInt("c"));
      for (Row row : rows) {
        found.add(row.getInt("c"));
        if (found.size() == 2) {
          break;
        }
      }
      rows.stream().map(row -> row.getInt("c")).forEach(found::add);
      assertThat(found).containsExactly(5, 4, 3, 2);
      assertThat(rows.stream()).isEmpty();
    }
  }

  @Test
  void aStreamReadsNoRowThatIsNotAskedFor() throws IOException {
    table.partition(1).insert(5, 1).insert(4, 1).insert(3, 1);
    try (StoredTable stored = stored(table);
        LiveRows rows = rows(stored)) {
      assertThat(rows.stream().limit(2).map(row -> row.getInt("c"))).containsExactly(5, 4);
      assertThat(rows.rows()).isEqualTo(2);
    }
  }

  @Test
  void closingTheStreamClosesTheRows() throws IOException {
    table.partition(1).insert(5, 1).insert(4, 1);
    try (StoredTable stored = stored(table);
        LiveRows rows = rows(stored)) {
      try (Stream<Row> stream = rows.stream()) {
        assertThat(stream.findFirst()).isPresent();
      }
      assertThatThrownBy(rows::hasNext).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(rows::iterator).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(rows::stream).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aStreamOfClosedRowsFails() throws IOException {
    table.partition(1).insert(5, 1);
    try (StoredTable stored = stored(table)) {
      LiveRows rows = rows(stored);
      Stream<Row> stream = rows.stream();
      rows.close();
      assertThatThrownBy(stream::count).isInstanceOf(IllegalStateException.class);
    }
  }

  private LiveRows rows(StoredTable stored) {
    return stored.rows(table.query().partition(1).build(), WRITTEN_SECONDS);
  }
}
