package io.siltstone.mutation;

import static io.siltstone.mutation.TestTable.MICROS;
import static io.siltstone.mutation.TestTable.NOW;
import static io.siltstone.mutation.TestTable.lines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.rows.ClusteringRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What each operation is in serialized form. Columns are given by their index in the order of
 * cells: simple ones first, then by name.
 */
class MutationBuilderTest {
  /** Regular: v 0, w 1, l 2, m 3, s 4, u 5; static: sv 0, sl 1. */
  private final TestTable table =
      TestTable.of(
          "CREATE TYPE ks.pair (a int, b text);"
              + "CREATE TABLE ks.t (k text, c int, d int, sv int static, sl set<int> static,"
              + " v int, w text, l list<int>, m map<text, int>, s set<int>, u pair,"
              + " PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (c ASC, d DESC)");

  private static final String ROW = "CLUSTERING(00000001,00000002)";
  private static final String AT = "@" + MICROS;
  private static final String OVERWRITTEN = " deleted@" + (MICROS - 1) + "/" + NOW;
  private static final String DELETED = " deleted@" + MICROS + "/" + NOW;

  /** The lines behind the first, which says that the partition is not deleted. */
  private static List<String> rows(MutationBuilder builder) {
    List<String> lines = lines(builder.build());
    assertThat(lines.get(0)).isEmpty();
    return lines.subList(1, lines.size());
  }

  private MutationBuilder update() {
    return table.mutation("k").update(1, 2);
  }

  @Test
  void insertMakesARowThatIsThereByItself() {
    assertThat(rows(table.mutation("k").insert(1, 2))).containsExactly(ROW + " live" + AT);
    assertThat(rows(table.mutation("k").insert(1, 2).set("v", 5)))
        .containsExactly(ROW + " live" + AT + " | 0 cell =00000005" + AT);
  }

  @Test
  void updateMakesCellsOnly() {
    assertThat(rows(update().set("v", 5))).containsExactly(ROW + " | 0 cell =00000005" + AT);
    assertThat(rows(update())).isEmpty();
    assertThat(update().build().isEmpty()).isTrue();
  }

  @Test
  void nullDeletesACell() {
    String deleted = ROW + " | 0 cell =" + AT + " ldt " + NOW;
    assertThat(rows(update().ttl(9).set("v", null))).containsExactly(deleted);
    assertThat(rows(update().delete("v"))).containsExactly(deleted);
  }

  @Test
  void cellsAreInTheOrderOfTheEncodingWhateverThatOfTheCalls() {
    assertThat(rows(update().set("s", Set.of(3)).set("w", "").set("v", 1)))
        .containsExactly(
            ROW
                + " | 0 cell =00000001"
                + AT
                + " | 1 cell ="
                + AT
                + " | 4"
                + OVERWRITTEN
                + " cell 00000003="
                + AT);
  }

  @Test
  void ttlAndTimestampHoldForWhatFollows() {
    MutationBuilder builder =
        table.mutation("k").ttl(60).insert(1, 2).set("v", 1).ttl(0).timestamp(77).set("w", "x");
    assertThat(rows(builder))
        .containsExactly(
            ROW
                + (" live" + AT + " ttl 60 until " + (NOW + 60))
                + (" | 0 cell =00000001" + AT + " ttl 60 ldt " + (NOW + 60))
                + " | 1 cell =78@77");
  }

  @Test
  void theTablesDefaultTimeToLiveHoldsUnlessAnotherIsGiven() {
    TestTable expiring =
        TestTable.of("CREATE TABLE ks.t (k int PRIMARY KEY, v int) WITH default_time_to_live = 10");
    assertThat(rows(expiring.mutation(1).insert().set("v", 1)))
        .containsExactly(
            "CLUSTERING() live"
                + AT
                + (" ttl 10 until " + (NOW + 10))
                + (" | 0 cell =00000001" + AT + " ttl 10 ldt " + (NOW + 10)));
    assertThat(rows(expiring.mutation(1).ttl(0).update().set("v", 1)))
        .containsExactly("CLUSTERING() | 0 cell =00000001" + AT);
  }

  @Test
  void staticColumnsNeedNoRow() {
    assertThat(rows(table.mutation("k").set("sv", 4).update(1, 2).set("sl", Set.of(1))))
        .containsExactly(
            "STATIC_CLUSTERING() | 0 cell =00000004"
                + AT
                + (" | 1" + OVERWRITTEN + " cell 00000001=" + AT));
  }

  @Test
  void aCollectionThatIsSetReplacesWhatWasThere() {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("b", 2);
    map.put("a", 1);
    assertThat(rows(update().set("m", map)))
        .containsExactly(
            ROW + " | 3" + OVERWRITTEN + " cell 61=00000001" + AT + " cell 62=00000002" + AT);
    assertThat(rows(update().set("m", null))).containsExactly(ROW + " | 3" + OVERWRITTEN);
    assertThat(rows(update().set("m", Map.of()))).containsExactly(ROW + " | 3" + OVERWRITTEN);
    assertThat(rows(update().delete("m"))).containsExactly(ROW + " | 3" + DELETED);
  }

  @Test
  void setsAndMapsChangeByElement() {
    assertThat(rows(update().add("s", List.of(2, 1, 2))))
        .containsExactly(ROW + " | 4 cell 00000001=" + AT + " cell 00000002=" + AT);
    assertThat(rows(update().remove("s", List.of(2, 1))))
        .containsExactly(
            ROW
                + " | 4 cell 00000001="
                + AT
                + " ldt "
                + NOW
                + " cell 00000002="
                + AT
                + " ldt "
                + NOW);
    assertThat(rows(update().put("m", "b", 7).put("m", "a", null).putAll("m", Map.of("c", 1))))
        .containsExactly(
            ROW
                + " | 3"
                + (" cell 61=" + AT + " ldt " + NOW)
                + (" cell 62=00000007" + AT)
                + (" cell 63=00000001" + AT));
    assertThat(rows(update().remove("m", Set.of("a"))))
        .containsExactly(ROW + " | 3 cell 61=" + AT + " ldt " + NOW);
  }

  @Test
  void fieldsOfAUserTypeAreCells() {
    Map<String, Object> pair = new LinkedHashMap<>();
    pair.put("b", "x");
    pair.put("a", null);
    assertThat(rows(update().set("u", pair)))
        .containsExactly(ROW + " | 5" + OVERWRITTEN + " cell 0001=78" + AT);
    assertThat(rows(update().setField("u", "a", 3).setField("u", "b", null)))
        .containsExactly(ROW + " | 5 cell 0000=00000003" + AT + " cell 0001=" + AT + " ldt " + NOW);
  }

  @Test
  void listsGrowAtBothEnds() {
    MutationBuilder builder =
        update().append("l", List.of(3, 4)).prepend("l", List.of(1, 2)).append("l", List.of(5));
    assertThat(rows(builder).get(0).replaceAll("cell [0-9a-f]{32}=", ""))
        .isEqualTo(
            ROW + " | 2 00000001@A 00000002@A 00000003@A 00000004@A 00000005@A".replace("@A", AT));
    assertThat(rows(update().set("l", List.of(1))).get(0)).startsWith(ROW + " | 2" + OVERWRITTEN);
    assertThat(rows(update().append("l", List.of()))).isEmpty();
  }

  @Test
  void anElementOfAListIsNamedByItsPath() {
    UUID path = UUID.fromString("5e8ac5a0-7e0b-11ee-8000-010000000007");
    assertThat(rows(update().setElement("l", path, 9)))
        .containsExactly(ROW + " | 2 cell 5e8ac5a07e0b11ee8000010000000007=00000009" + AT);
    assertThat(rows(update().setElement("l", path, null)))
        .containsExactly(ROW + " | 2 cell 5e8ac5a07e0b11ee8000010000000007=" + AT + " ldt " + NOW);
  }

  @Test
  void valuesMayComeSerialized() {
    ByteBuffer five = ByteBuffer.wrap(new byte[] {9, 0, 0, 0, 5}, 1, 4);
    assertThat(rows(update().set("v", five))).containsExactly(ROW + " | 0 cell =00000005" + AT);
    assertThat(five.remaining()).isEqualTo(4);
    ByteBuffer set = ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 8});
    assertThat(rows(update().set("s", set)))
        .containsExactly(ROW + " | 4" + OVERWRITTEN + " cell 00000008=" + AT);
  }

  @Test
  void rowsAreSortedAndThoseOfOneClusteringAreOne() {
    MutationBuilder builder =
        table
            .mutation("k")
            .update(2, 0)
            .set("v", 1)
            .update(1, 1)
            .set("v", 2)
            .update(1, 2)
            .set("v", 3)
            .update(2, 0)
            .set("w", "y");
    assertThat(rows(builder))
        .containsExactly(
            "CLUSTERING(00000001,00000002) | 0 cell =00000003" + AT,
            "CLUSTERING(00000001,00000001) | 0 cell =00000002" + AT,
            "CLUSTERING(00000002,00000000) | 0 cell =00000001" + AT + " | 1 cell =79" + AT);
  }

  @Test
  void deletionsLeaveOutWhatTheyCover() {
    assertThat(rows(table.mutation("k").deleteRow(1, 2))).containsExactly(ROW + DELETED);
    assertThat(
            rows(
                table
                    .mutation("k")
                    .timestamp(5)
                    .insert(1, 2)
                    .set("v", 1)
                    .timestamp(6)
                    .deleteRow(1, 2)))
        .containsExactly(ROW + " deleted@6/" + NOW);
    assertThat(rows(table.mutation("k").timestamp(5).deleteRow(1, 2).timestamp(6).insert(1, 2)))
        .containsExactly(ROW + " live@6 deleted@5/" + NOW);
    assertThat(rows(update().timestamp(5).add("s", List.of(1)).timestamp(6).delete("s")))
        .containsExactly(ROW + " | 4 deleted@6/" + NOW);
    assertThat(
            lines(
                table
                    .mutation("k")
                    .timestamp(5)
                    .set("sv", 1)
                    .insert(1, 2)
                    .timestamp(6)
                    .deletePartition()
                    .build()))
        .containsExactly(" deleted@6/" + NOW);
  }

  @Test
  void rangesAreMarkersAndTurnedWhereRowsDescend() {
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.of(1))))
        .containsExactly(
            "INCL_START_BOUND(00000001)" + DELETED, "INCL_END_BOUND(00000001)" + DELETED);
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.all().after(1).to(3))))
        .containsExactly(
            "EXCL_START_BOUND(00000001)" + DELETED, "INCL_END_BOUND(00000003)" + DELETED);
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.of(1).after(1).to(3))))
        .containsExactly(
            "INCL_START_BOUND(00000001,00000003)" + DELETED,
            "EXCL_END_BOUND(00000001,00000001)" + DELETED);
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.of(1).from(4))))
        .containsExactly(
            "INCL_START_BOUND(00000001)" + DELETED, "INCL_END_BOUND(00000001,00000004)" + DELETED);
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.all())))
        .containsExactly("INCL_START_BOUND()" + DELETED, "INCL_END_BOUND()" + DELETED);
  }

  @Test
  void aBoundOfSeveralColumnsIsARangeForEachDirection() {
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.all().after(1, 2))))
        .containsExactly(
            "INCL_START_BOUND(00000001)" + DELETED,
            "EXCL_END_BOUND(00000001,00000002)" + DELETED,
            "EXCL_START_BOUND(00000001)" + DELETED,
            "INCL_END_BOUND()" + DELETED);
  }

  @Test
  void whatIsBuiltTakesNoMoreChanges() {
    MutationBuilder builder = update().set("v", 22);
    List<String> built = lines(builder.build());
    assertThatThrownBy(() -> builder.set("v", 21))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is built, begin another one");
    assertThatThrownBy(builder::deletePartition).isInstanceOf(IllegalStateException.class);
    assertThat(lines(builder.build())).isEqualTo(built);
  }

  @Test
  void aRangeWithNothingBetweenItsBoundsDeletesNothing() {
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.all().from(3).before(3))))
        .isEmpty();
    assertThat(rows(table.mutation("k").deleteRange(ClusteringRange.of(1).from(5).to(3))))
        .isEmpty();
  }

  @Test
  void rangesThatOverlapAreCutByTheNewest() {
    MutationBuilder builder =
        table
            .mutation("k")
            .timestamp(10)
            .deleteRange(ClusteringRange.all().from(1).to(5))
            .timestamp(20)
            .deleteRange(ClusteringRange.all().from(3).before(8))
            .update(2, 0)
            .timestamp(15)
            .set("v", 1)
            .update(4, 0)
            .set("v", 1);
    assertThat(rows(builder))
        .containsExactly(
            "INCL_START_BOUND(00000001) deleted@10/" + NOW,
            "CLUSTERING(00000002,00000000) | 0 cell =00000001@15",
            "EXCL_END_INCL_START_BOUNDARY(00000003) deleted@10/" + NOW + " then deleted@20/" + NOW,
            "EXCL_END_BOUND(00000008) deleted@20/" + NOW);
  }

  @Test
  void aKeyOfSeveralColumnsIsAComposite() {
    TestTable composite = TestTable.of("CREATE TABLE ks.t (a int, b text, PRIMARY KEY ((a, b)))");
    assertThat(composite.mutation(1, "").insert().build().key().toByteArray())
        .isEqualTo(new byte[] {0, 4, 0, 0, 0, 1, 0, 0, 0, 0});
  }

  @Test
  void textClusteringsMayBeEmpty() {
    TestTable text = TestTable.of("CREATE TABLE ks.t (k int, c text, PRIMARY KEY (k, c))");
    assertThat(rows(text.mutation(1).insert(""))).containsExactly("CLUSTERING() live" + AT);
  }

  @Test
  void manyRowsOfOneMutationKeepTheirOrder() {
    MutationBuilder builder = table.mutation("k");
    for (int i = 0; i < 1000; i++) {
      builder.update(1, i).set("v", i);
    }
    List<String> rows = rows(builder);
    assertThat(rows).hasSize(1000);
    for (int i = 0; i < 1000; i++) {
      assertThat(rows.get(i)).endsWith("=%08x%s".formatted(999 - i, AT));
    }
    assertThat(rows(table.mutation("k").remove("sl", Arrays.asList(1)))).hasSize(1);
  }
}
