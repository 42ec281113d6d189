package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.TableOptions;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is refused, and that the message says what would be allowed. */
class MutationErrorsTest {
  private final TestTable table =
      TestTable.of(
          "CREATE TYPE ks.pair (a int, b text);"
              + "CREATE TABLE ks.t (k text, c int, d text, sv int static,"
              + " v int, l list<int>, f frozen<list<int>>, m map<text, int>, s set<int>, u pair,"
              + " PRIMARY KEY (k, c, d))");

  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(error -> assertThat(error.getMessage()).contains(parts));
  }

  private MutationBuilder update() {
    return table.mutation("k").update(1, "d");
  }

  @Test
  void keysThatAreNone() {
    refused(() -> table.mutation(), "0 values for the partition key of ks.t, allowed 1: [k]");
    refused(() -> table.mutation("a", "b"), "2 values for the partition key of ks.t");
    refused(() -> table.mutation((Object) null), "column 'k' (text) of ks.t: null");
    refused(() -> table.mutation((Object[]) null), "0 values for the partition key");
    refused(() -> table.mutation(""), "column 'k' (text) of ks.t: an empty partition key");
    refused(() -> table.mutation("x".repeat(65536)), "column 'k' (text)", "65536 bytes", "65535");
    refused(() -> table.mutation(5), "column 'k' (text) of ks.t: a java.lang.Integer is no text");
    TestTable two = TestTable.of("CREATE TABLE ks.t (a text, b text, PRIMARY KEY ((a, b)))");
    String half = "x".repeat(33000);
    refused(() -> two.mutation(half, half), "partition key of ks.t: 66006 bytes", "65535");
    assertThat(two.mutation("", "").insert().build().key().length()).isEqualTo(6);
  }

  @Test
  void clusteringsThatAreNone() {
    refused(
        () -> table.mutation("k").insert(1), "1 clustering values for a row of ks.t", "2: [c, d]");
    refused(() -> table.mutation("k").update(1, null), "column 'd' (text) of ks.t: null");
    refused(() -> table.mutation("k").insert((Object[]) null), "0 clustering values");
    refused(() -> table.mutation("k").deleteRow("x", "d"), "column 'c' (int) of ks.t");
    refused(
        () -> table.mutation("k").insert(1, "x".repeat(65536)),
        "column 'd' (text) of ks.t: 65536 bytes",
        "at most 65535");
    refused(
        () -> table.mutation("k").insert(1, "x".repeat(65532)),
        "clustering of a row of ks.t: 65536 bytes, allowed 65535");
  }

  @Test
  void columnsThatCannotBeSet() {
    refused(() -> update().set("nope", 1), "ks.t has no column 'nope', it has [sv, f, v, ");
    refused(() -> update().set("c", 1), "column 'c' (int) of ks.t belongs to the primary key");
    refused(() -> table.mutation("k").set("v", 1), "column 'v' (int)", "insert(...) or update(");
  }

  @Test
  void valuesOfOtherTypes() {
    refused(() -> update().set("v", "x"), "column 'v' (int) of ks.t: ", "'x' is no int");
    refused(() -> update().set("v", Instant.EPOCH), "(int) of ks.t: a java.time.Instant is no int");
    refused(() -> update().set("v", 1L << 40), "column 'v' (int) of ks.t: ");
    refused(
        () -> update().set("v", ByteBuffer.wrap(new byte[3])), "column 'v' (int) of ks.t: ", "3");
    refused(() -> update().set("s", List.of("a")), "column 's' (set<int>) of ks.t: ");
    refused(() -> update().append("l", Arrays.asList(1, null)), "column 'l' (list<int>)", "null");
    refused(
        () -> update().put("m", TestTable.nothing(), 1),
        "key in column 'm' (map<text, int>)",
        "null");
    refused(() -> update().put("m", "a", "b"), "part of column 'm' (map<text, int>)");
    refused(() -> update().remove("s", Arrays.asList(1, null)), "element of column 's' (set<int>)");
    refused(() -> update().setElement("l", UUID.randomUUID(), 1), "path in column 'l'", "version");
  }

  /** Valid in Cassandra, which cannot read them: a table that took one could not be flushed. */
  @Test
  void bytesThatHaveNoPlaceInTheOrderOfTheirType() {
    ByteBuffer scaleAlone = ByteBuffer.wrap(new byte[4]);
    ByteBuffer withinOne = ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0});
    String columns = "CREATE TABLE ks.t (k int, c %s, s set<decimal>, v int, PRIMARY KEY (k, c))";
    TestTable decimals = TestTable.of(String.format(columns, "decimal"));
    refused(() -> decimals.mutation(1).insert(scaleAlone), "(decimal) of ks.t", "4 bytes");
    refused(() -> decimals.mutation(1).deleteRow(scaleAlone), "(decimal) of ks.t", "4 bytes");
    refused(() -> decimals.mutation(1).insert("1").set("s", withinOne), "'s' (set<decimal>)");
    TestTable lists = TestTable.of(String.format(columns, "frozen<list<decimal>>"));
    refused(() -> lists.mutation(1).insert(withinOne), "(frozen<list<decimal>>) of ks.t");
  }

  @Test
  void operationsOnColumnsOfOtherTypes() {
    refused(() -> update().append("v", List.of()), "column 'v' (int)", "append is for lists");
    refused(() -> update().append("f", List.of()), "column 'f' (frozen<list<int>>)", "not frozen");
    refused(
        () -> update().prepend("s", List.of()), "column 's' (set<int>)", "prepend is for lists");
    refused(() -> update().add("l", List.of()), "column 'l' (list<int>)", "add is for sets");
    refused(() -> update().putAll("s", Map.of()), "putAll is for maps");
    refused(() -> update().put("s", 1, 1), "put is for maps");
    refused(() -> update().remove("l", List.of()), "remove is for sets and maps");
    refused(() -> update().setField("m", "a", 1), "setField is for user types");
    refused(() -> update().setField("u", "z", 1), "(pair) of ks.t has no field 'z', it has [a, b]");
  }

  @Test
  void timesOutOfRange() {
    int most = TableOptions.MAX_TIME_TO_LIVE;
    refused(() -> update().ttl(-1), "TTL of -1 s, allowed 0 to " + most);
    refused(() -> update().ttl(most + 1), "TTL of " + (most + 1));
    refused(() -> update().timestamp(Long.MIN_VALUE), "timestamp -9223372036854775808, allowed");
    refused(() -> update().timestamp(-1).deletePartition(), "timestamp -1", "allowed 0 to");
    refused(() -> update().timestamp(-1).deleteRange(ClusteringRange.all()), "timestamp -1");
    assertThat(update().timestamp(-1).set("v", 1).deleteRow(1, "").build().isEmpty()).isFalse();
  }

  @Test
  void timesThatTheFormatCannotHold() {
    String text = "CREATE TABLE ks.t (k int PRIMARY KEY, v int)";
    int ttl = (int) (Integer.MAX_VALUE - TestTable.NOW);
    refused(
        () -> TestTable.signed(text).mutation(1).ttl(ttl),
        "ends at 2147483647 s since 1970",
        "2147483646");
    TestTable.signed(text).mutation(1).ttl(ttl - 1);
    TestTable.of(text).mutation(1).ttl(ttl);
    TestTable old = TestTable.signed(text + " WITH default_time_to_live = " + ttl);
    refused(() -> old.mutation(1).insert(), "ends at 2147483647");
    refused(() -> old.mutation(1).update().set("v", 1), "ends at 2147483647");
    assertThat(old.mutation(1).update().set("v", null).build().isEmpty()).isFalse();
  }

  @Test
  void rangesThatAreNone() {
    MutationBuilder builder = table.mutation("k");
    refused(
        () -> builder.deleteRange(ClusteringRange.of(1, "d").from("e")),
        "name 3 clustering columns",
        "[c, d]");
    refused(() -> builder.deleteRange(ClusteringRange.all().from("x")), "column 'c': ");
    refused(() -> ClusteringRange.of(1, TestTable.nothing()), "null");
    assertThatThrownBy(() -> ClusteringRange.all().from(1).after(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rows of [] c0.. >= [1]");
  }

  @Test
  void counters() {
    TestTable counters =
        TestTable.of("CREATE TABLE ks.t (k int, c int, n counter, PRIMARY KEY (k, c))");
    refused(() -> counters.mutation(1).insert(1), "counters");
    refused(() -> counters.mutation(1).update(1).set("n", 1), "column 'n' (counter)", "read");
    assertThat(TestTable.lines(counters.mutation(1).update(1).delete("n").build())).hasSize(2);
  }

  @Test
  void whatFailedHasChangedNothing() {
    List<String> before = TestTable.lines(update().set("v", 1).build());
    List<Consumer<MutationBuilder>> calls =
        List.of(
            builder -> builder.insert(2),
            builder -> builder.set("s", List.of("x")),
            builder -> builder.remove("s", Arrays.asList(1, null)),
            builder -> builder.putAll("m", Map.of("a", "x")),
            builder -> builder.append("l", Arrays.asList(1, null)),
            builder -> builder.setField("u", "a", "x"),
            builder -> builder.ttl(-1),
            builder -> builder.deleteRange(ClusteringRange.of("x")));
    MutationBuilder together = update().set("v", 1);
    for (Consumer<MutationBuilder> call : calls) {
      MutationBuilder alone = update().set("v", 1);
      refused(() -> call.accept(alone), "");
      assertThat(TestTable.lines(alone.build())).isEqualTo(before);
      refused(() -> call.accept(together), "");
    }
    assertThat(TestTable.lines(together.delete("m").build()).get(1))
        .startsWith("CLUSTERING(00000001");
  }
}
