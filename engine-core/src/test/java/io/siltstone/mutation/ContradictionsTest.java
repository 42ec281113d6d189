package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.rows.ClusteringRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two changes of one place with the same timestamp are the same, or are refused. */
class ContradictionsTest {
  private static final UUID PATH = UUID.fromString("5b6962dd-3f90-11e9-b210-d663bd873d93");

  private final TestTable table =
      TestTable.of(
          "CREATE TABLE ks.t (k text, c int, d int static, v text, n int, s set<int>, l list<int>,"
              + " m map<text, int>, u frozen<set<int>>, ss set<int> static, PRIMARY KEY (k, c))");

  private static Arguments pair(
      String names, Consumer<MutationBuilder> one, Consumer<MutationBuilder> other) {
    return Arguments.of(names, one, other);
  }

  private static Stream<Arguments> contradictions() {
    return Stream.of(
        pair("'v' is set twice", b -> b.set("v", "z"), b -> b.set("v", "a")),
        pair("'v' is set twice", b -> b.delete("v"), b -> b.set("v", "b")),
        pair("'v' is set twice", b -> b.set("v", null), b -> b.set("v", "b")),
        pair("'v' is set twice", b -> b.ttl(5).set("v", "b"), b -> b.ttl(6).set("v", "b")),
        pair("'d' is set twice", b -> b.set("d", 1), b -> b.set("d", 2)),
        pair("'u' is set twice", b -> b.set("u", List.of(1)), b -> b.set("u", List.of(2))),
        pair("'s' is set twice", b -> b.set("s", List.of(1)), b -> b.set("s", List.of(2))),
        pair("'ss' is set twice", b -> b.set("ss", List.of(1)), b -> b.set("ss", List.of(2))),
        pair("'l' is set twice", b -> b.set("l", List.of(1)), b -> b.set("l", List.of(1))),
        pair("'s' is set as a whole", b -> b.set("s", List.of(1)), b -> b.add("s", List.of(2))),
        pair("column 's' is set", b -> b.set("s", List.of(1)), b -> b.remove("s", List.of(1))),
        pair("'l' is set as a whole", b -> b.set("l", List.of(1)), b -> b.append("l", List.of(2))),
        pair("'s' is deleted as a whole", b -> b.delete("s"), b -> b.add("s", List.of(2))),
        pair(
            "element of column 's' is set twice",
            b -> b.add("s", List.of(1, 2)),
            b -> b.remove("s", List.of(2))),
        pair(
            "element of column 'm' is set twice", b -> b.put("m", "x", 1), b -> b.put("m", "x", 2)),
        pair(
            "element of column 'm' is set twice",
            b -> b.putAll("m", Map.of("x", 1, "y", 1)),
            b -> b.put("m", "y", null)),
        pair(
            "element of column 'l' is set twice",
            b -> b.setElement("l", PATH, 1),
            b -> b.setElement("l", PATH, 2)),
        pair("inserted and deleted", b -> b.insert(7), b -> b.deleteRow(7)),
        pair("inserted twice", b -> b.ttl(5).insert(7), b -> b.ttl(6).insert(7)),
        pair("'v' is set, and deleted", b -> b.set("v", "x"), b -> b.deleteRow(7)),
        pair(
            "'v' is set, and deleted",
            b -> b.set("v", "x"),
            b -> b.deleteRange(ClusteringRange.all().from(7))),
        pair("'v' is set, and deleted", b -> b.set("v", "x"), b -> b.deletePartition()),
        pair("'s' is set, and deleted", b -> b.set("s", List.of(1)), b -> b.deleteRow(7)),
        pair("'s' is set, and deleted", b -> b.add("s", List.of(1)), b -> b.deleteRow(7)),
        pair("'d' is set, and deleted", b -> b.set("d", 1), b -> b.deletePartition()));
  }

  private static Stream<Arguments> agreements() {
    return Stream.of(
        pair("same value", b -> b.set("v", "a"), b -> b.set("v", "a")),
        pair("deleted twice", b -> b.delete("v"), b -> b.set("v", null)),
        pair("whole deleted twice", b -> b.delete("s"), b -> b.set("s", null)),
        pair("inserted and updated", b -> b.insert(7), b -> b.update(7).set("v", "a")),
        pair("inserted twice", b -> b.insert(7), b -> b.insert(7)),
        pair("same element", b -> b.add("s", List.of(1, 2)), b -> b.add("s", List.of(2, 3))),
        pair("removed twice", b -> b.remove("s", List.of(1, 1)), b -> b.remove("s", List.of(1))),
        pair("appended twice", b -> b.append("l", List.of(1)), b -> b.append("l", List.of(1))),
        pair("other rows", b -> b.set("v", "a"), b -> b.update(8).set("v", "b")),
        pair("another row is deleted", b -> b.set("v", "a"), b -> b.deleteRow(8)),
        pair(
            "the range ends before",
            b -> b.set("v", "a"),
            b -> b.deleteRange(ClusteringRange.all().before(7))),
        pair("static", b -> b.set("d", 1), b -> b.deleteRange(ClusteringRange.all())),
        pair(
            "deletions",
            b -> b.delete("v").deleteRow(7),
            b -> b.deleteRange(ClusteringRange.all()).deletePartition().delete("s")));
  }

  private MutationBuilder begin(long timestamp) {
    return table.mutation("key").timestamp(timestamp).update(7);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contradictions")
  void areRefusedInWhicheverOrderTheyCome(
      String message, Consumer<MutationBuilder> one, Consumer<MutationBuilder> other) {
    for (boolean isTurned : new boolean[] {false, true}) {
      MutationBuilder builder = begin(5);
      (isTurned ? other : one).accept(builder);
      builder.update(7);
      (isTurned ? one : other).accept(builder);
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message)
          .hasMessageContaining("ks.t")
          .hasMessageContaining("the same timestamp 5");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contradictions")
  void areNoneWithDifferentTimestamps(
      String message, Consumer<MutationBuilder> one, Consumer<MutationBuilder> other) {
    for (boolean isTurned : new boolean[] {false, true}) {
      MutationBuilder builder = begin(5);
      (isTurned ? other : one).accept(builder);
      builder.timestamp(7).update(7);
      (isTurned ? one : other).accept(builder);
      assertThat(builder.build().isEmpty()).isFalse();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contradictions")
  void areRefusedBetweenMutationsOfABatch(
      String message, Consumer<MutationBuilder> one, Consumer<MutationBuilder> other) {
    MutationBuilder first = begin(5);
    one.accept(first);
    MutationBuilder second = begin(5);
    other.accept(second);
    Mutation mutation = first.build();
    Mutation rival = second.build();
    Mutation elsewhere = table.mutation("other").timestamp(5).insert(7).build();
    assertThatThrownBy(() -> Batch.of(mutation, elsewhere, rival))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    MutationBuilder later = begin(7);
    other.accept(later);
    assertThat(Batch.of(mutation, later.build()).mutations()).hasSize(2);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("agreements")
  void whatSaysTheSameOrMeetsNowhereIsNone(
      String name, Consumer<MutationBuilder> one, Consumer<MutationBuilder> other) {
    MutationBuilder builder = begin(5);
    one.accept(builder);
    builder.update(7);
    other.accept(builder);
    assertThat(builder.build().isEmpty()).isFalse();
    MutationBuilder first = begin(5);
    one.accept(first);
    MutationBuilder second = begin(5);
    other.accept(second);
    assertThat(Batch.of(first.build(), second.build()).mutations()).hasSize(2);
  }

  @Test
  void mutationsOfABatchContradictEachOtherOnceTheyHaveOneTimestamp() {
    // The clock of the test stands still, that of a database does not.
    Mutation one = table.mutation("key").update(7).set("v", "a").build();
    Mutation other = table.mutation("key").update(7).set("v", "b").build().withTimestamp(9);
    Batch batch = Batch.of(one, other);
    assertThatThrownBy(() -> batch.withTimestamp(10)).hasMessageContaining("'v' is set twice");
  }

  /**
   * A microsecond before the least timestamp there is none for the deletion of the old elements.
   */
  @Test
  void aCollectionIsNotReplacedAtTheLeastTimestamp() {
    long least = Long.MIN_VALUE + 1;
    assertThatThrownBy(() -> begin(least).set("s", List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timestamp");
    Mutation mutation = table.mutation("key").update(7).set("s", List.of(1)).build();
    assertThatThrownBy(() -> mutation.withTimestamp(least))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timestamp");
    assertThat(mutation.withTimestamp(least + 1).isEmpty()).isFalse();
    assertThat(begin(Long.MAX_VALUE).set("s", List.of(1)).build().isEmpty()).isFalse();
  }

  @Test
  @Timeout(20)
  void aCellThatIsSetManyTimesTakesNoLongerThanAsManyCells() {
    int times = 100_000 * Integer.getInteger("siltstone.scale", 1);
    MutationBuilder builder = table.mutation("key").update(7);
    for (int i = 0; i < times; i++) {
      builder.timestamp(1 + (i * 7919L) % times).set("n", i).add("s", List.of(i % 100));
    }
    assertThat(builder.build().serializedSize()).isLessThan(4000);
    MutationBuilder same = table.mutation("key").update(7);
    for (int i = 0; i < times; i++) {
      same.update(7).set("n", 1);
    }
    assertThat(same.build().serializedSize()).isLessThan(100);
  }

  @Test
  @Timeout(20)
  void manyRangesRowsAndMutationsOfOnePartitionAreSortedOnce() {
    int many = 50_000 * Integer.getInteger("siltstone.scale", 1);
    MutationBuilder builder = table.mutation("key");
    for (int i = 0; i < many; i++) {
      builder.timestamp(5 + i).deleteRange(ClusteringRange.all().from(i).to(many + i));
      builder.timestamp(2L * many + i).insert(i);
    }
    assertThat(builder.build().isEmpty()).isFalse();
    List<Mutation> mutations = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      mutations.add(table.mutation("key").timestamp(5).insert(i).build());
    }
    assertThat(new Batch(mutations).mutations()).hasSize(many);
  }
}
