package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlTypes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Mutations and batches once they are built. */
class MutationTest {
  private static final String TEXT =
      "CREATE TABLE ks.t (k int, c int, v int, s set<int>, PRIMARY KEY (k, c))";

  private final TestTable table = TestTable.of(TEXT);

  private MutationBuilder all() {
    return table
        .mutation(1)
        .ttl(5)
        .insert(1)
        .set("v", 2)
        .set("s", Set.of(3))
        .deleteRow(2)
        .update(3)
        .delete("s")
        .deleteRange(ClusteringRange.all().from(4).to(6))
        .deleteRange(ClusteringRange.all().from(8));
  }

  @Test
  void anotherTimestampMovesAllOfIt() {
    Mutation mutation = all().build();
    assertThat(mutation.hasAutomaticTimestamp()).isTrue();
    Mutation moved = mutation.withTimestamp(77);
    assertThat(TestTable.lines(moved))
        .isEqualTo(TestTable.lines(all().build()).stream().map(MutationTest::at77).toList());
    assertThat(moved.hasAutomaticTimestamp()).isTrue();
    assertThat(TestTable.lines(moved.withTimestamp(TestTable.MICROS)))
        .isEqualTo(TestTable.lines(mutation));
    assertThat(TestTable.lines(table.mutation(1).deletePartition().build().withTimestamp(7)))
        .containsExactly(" deleted@7/" + TestTable.NOW);
  }

  private static String at77(String line) {
    return line.replace("@" + TestTable.MICROS, "@77").replace("@" + (TestTable.MICROS - 1), "@76");
  }

  @Test
  void whatChangesNothingIsTheSameWithAnyTimestamp() {
    Mutation nothing = table.mutation(1).update(9).build();
    assertThat(nothing.isEmpty()).isTrue();
    assertThat(nothing.withTimestamp(5)).isSameAs(nothing);
    assertThat(Batch.of(nothing, all().build()).withTimestamp(77).mutations().get(0))
        .isSameAs(nothing);
    assertThatThrownBy(() -> nothing.withTimestamp(Long.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timestamp");
  }

  @Test
  void aTimestampThatWasGivenStays() {
    Mutation mutation = table.mutation(1).timestamp(5).insert(1).build();
    assertThat(mutation.hasAutomaticTimestamp()).isFalse();
    assertThatThrownBy(() -> mutation.withTimestamp(6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mutation of ks.t, key 0x00000001");
    assertThatThrownBy(() -> Batch.of(all().build(), mutation).withTimestamp(6))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void deletionsOfRangesAreNotMovedBeforeZero() {
    for (Mutation mutation :
        List.of(
            table.mutation(1).deletePartition().build(),
            table.mutation(1).deleteRange(ClusteringRange.all()).build())) {
      assertThatThrownBy(() -> mutation.withTimestamp(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timestamp -1");
    }
  }

  @Test
  void aBatchHasOneTimestampIfItIsGivenOne() {
    TestTable other = TestTable.of("CREATE TABLE ks.u (k text PRIMARY KEY)");
    Batch batch = Batch.of(all().build(), other.mutation("x").insert().build());
    Batch stamped = batch.withTimestamp(77);
    assertThat(TestTable.lines(stamped.mutations().get(1)))
        .containsExactly("", "CLUSTERING() live@77");
    assertThat(batch.serializedSize())
        .isEqualTo(batch.mutations().stream().mapToLong(Mutation::serializedSize).sum());
    assertThatThrownBy(() -> Batch.of())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one");
  }

  @Test
  void aMutationFollowsItsTableThroughChanges() {
    TableSchema schema = table.factory().schema();
    Mutation mutation = all().build();
    assertThat(mutation.forTable(table.factory())).isSameAs(mutation);
    TestTable grown = TestTable.of(schema.toBuilder().regular("a", CqlTypes.INT).build());
    Mutation moved = mutation.forTable(grown.factory());
    assertThat(moved.encoding()).isSameAs(grown.factory().encoding());
    assertThat(moved.schema()).isSameAs(grown.factory().schema());
    assertThat(TestTable.lines(moved).get(1)).contains("| 1 cell =00000002@", "| 2 deleted@");

    TestTable shrunk = TestTable.of(schema.toBuilder().drop("v", 1).build());
    assertThatThrownBy(() -> mutation.forTable(shrunk.factory()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column 'v'");
    Mutation without = table.mutation(1).insert(1).build();
    assertThat(TestTable.lines(without.forTable(shrunk.factory())))
        .isEqualTo(TestTable.lines(without));

    TestTable other = TestTable.of(TEXT.replace("ks.t", "ks.u"));
    assertThatThrownBy(() -> mutation.forTable(other.factory()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be written to ks.u");
  }

  @Test
  void anEncodingOfOtherColumnsIsRefused() {
    TableSchema schema = table.factory().schema();
    TableSchema other = schema.toBuilder().regular("a", CqlTypes.INT).build();
    RowEncoding encoding = RowEncoding.of(schema, EncodingStats.NONE, true);
    assertThatThrownBy(() -> new TableColumns(other, encoding))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column 'a' (int) of ks.t");
    assertThatThrownBy(() -> all().build().wrapIn(new PartitionUpdate(encoding)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
