package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.statistics.ReadSummary;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Which SSTables a read of a partition asks. Each of these reads is compared with a merge of all
 * there is, too.
 */
class ReadRulesTest {
  private static final String PLAIN = "CREATE TABLE ks.t (k int PRIMARY KEY, a int, b int)";
  private static final String CLUSTERED =
      "CREATE TABLE ks.t (k int, c int, a int, b int, PRIMARY KEY (k, c))";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  // Each test begins by creating it.
  @SuppressWarnings("NullAway.Init")
  private TestedTable table;

  private void create(String cql) throws IOException {
    table = TestedTable.of(cql, leaks.watch(new MemoryDirectory()), memory);
  }

  @AfterEach
  void closeTable() throws IOException {
    table.close();
  }

  private static byte[] bytes(int number) {
    return CqlTypes.INT.encode(number);
  }

  private static PartitionKey key(int number) {
    byte[] bytes = bytes(number);
    return PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
  }

  private Clustering row(int c) {
    return Clustering.of(ClusteringKind.CLUSTERING, table.encoding(), List.of(bytes(c)));
  }

  private Slice slice(int from, int to) {
    Clustering start = new Clustering();
    start.copyFrom(row(from), ClusteringKind.INCL_START_BOUND);
    Clustering end = new Clustering();
    end.copyFrom(row(to), ClusteringKind.INCL_END_BOUND);
    return new Slice(start, end);
  }

  private Read.OfPartition all() {
    return new Read.OfPartition(key(1), List.of(Slice.all(table.encoding())), false);
  }

  private Read.OfPartition rowOf(int c) {
    return new Read.OfPartition(key(1), List.of(Slice.of(row(c))), false);
  }

  private Read.OfPartition reversed(Read.OfPartition read) {
    return new Read.OfPartition(read.key(), read.slices(), true);
  }

  /** How many SSTables a read found the partition in. */
  private int tablesAskedBy(Read.OfPartition read) throws IOException {
    for (long now : new long[] {0, TestedTable.NOW, TestedTable.NOW + 1_000_000}) {
      assertThat(table.read(read, now)).isEqualTo(table.readAll(read, now));
    }
    ReadSummary before = table.sources().statistics().summary();
    table.read(read, TestedTable.NOW);
    ReadSummary after = table.sources().statistics().summary();
    assertThat(after.sstables().count()).isEqualTo(before.sstables().count() + 1);
    return (int)
        Math.round(
            after.sstables().mean() * after.sstables().count()
                - before.sstables().mean() * before.sstables().count());
  }

  /** A whole row in an SSTable of its own. */
  private void wholeRow(long timestamp) throws IOException {
    table.write(table.mutation(1).timestamp(timestamp).insert().set("a", 1).set("b", 2).build());
    table.flush();
  }

  private void wholeRow(int c, long timestamp) throws IOException {
    table.write(table.mutation(1).timestamp(timestamp).insert(c).set("a", 1).set("b", 2).build());
    table.flush();
  }

  @Test
  void aWholeRowMakesOlderTablesVoid() throws IOException {
    create(PLAIN);
    wholeRow(10);
    wholeRow(20);
    wholeRow(30);
    assertThat(tablesAskedBy(all())).isEqualTo(1);
    assertThat(tablesAskedBy(reversed(all()))).isEqualTo(1);
  }

  @Test
  void aWholeRowInTheMemtableMakesAllTablesVoid() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).insert().set("a", 1).set("b", 2).build());
    assertThat(tablesAskedBy(all())).isZero();
    table.switchMemtable();
    assertThat(tablesAskedBy(all())).isZero();
    table.flush(table.memtables().flushing().get(0));
    assertThat(tablesAskedBy(all())).isEqualTo(1);
  }

  @Test
  void aWholeRowDoesNotHideTablesOfTheSameTimestamp() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(10).update().set("a", 7).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
  }

  @Test
  void aMissingColumnIsLookedForInOlderTables() throws IOException {
    create(PLAIN);
    wholeRow(10);
    wholeRow(20);
    table.write(table.mutation(1).timestamp(30).insert().set("a", 7).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
  }

  @Test
  void severalSourcesTogetherMakeAWholeRow() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).insert().set("a", 7).build());
    table.flush();
    table.write(table.mutation(1).timestamp(30).update().set("b", 8).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
  }

  @Test
  void anUpdateWithoutLivenessIsCompleteIfItLastsByItself() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).update().set("a", 7).set("b", null).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(1);
  }

  @Test
  void anUpdateThatExpiresLeavesTheOlderRowsLiveness() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).ttl(10).update().set("a", 7).set("b", 8).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
    assertThat(table.read(all(), TestedTable.NOW + 100)).hasSize(2);
  }

  @Test
  void anUpdateOfNullsLeavesTheOlderRowsLiveness() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).update().set("a", null).set("b", null).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
    assertThat(table.read(all(), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void aCellThatIsDeletedElsewhereKeepsNoRowAlive() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).update().set("a", 7).set("b", null).build());
    table.flush();
    table.write(table.mutation(1).timestamp(30).update().set("a", null).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(3);
    assertThat(table.read(all(), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void ofTwoCellsOfOneTimeTheTombstoneWins() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).update().set("a", 7).set("b", null).build());
    table.flush();
    table.write(table.mutation(1).timestamp(20).update().set("a", null).build());
    assertThat(tablesAskedBy(all())).isEqualTo(2);
    assertThat(table.read(all(), TestedTable.NOW)).hasSize(2);
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(3);
  }

  @Test
  void aRowThatExpiresIsComplete() throws IOException {
    create(PLAIN);
    wholeRow(10);
    table.write(table.mutation(1).timestamp(20).ttl(10).insert().set("a", 7).set("b", 8).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(1);
    assertThat(table.read(all(), TestedTable.NOW + 100)).isEmpty();
  }

  @Test
  void aDeletedRowMakesOlderTablesVoidThoseOfTheSameTimestampToo() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 10);
    wholeRow(5, 20);
    table.write(table.mutation(1).timestamp(20).deleteRow(5).build());
    assertThat(tablesAskedBy(rowOf(5))).isZero();
    table.write(table.mutation(1).timestamp(30).update(5).set("a", 7).build());
    assertThat(tablesAskedBy(rowOf(5))).isZero();
  }

  @Test
  void aDeletedRowDoesNotHideNewerTables() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 30);
    table.write(table.mutation(1).timestamp(20).deleteRow(5).build());
    assertThat(tablesAskedBy(rowOf(5))).isEqualTo(1);
    assertThat(table.read(rowOf(5), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void aRangeTombstoneOverTheRowMakesOlderTablesVoid() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 10);
    table.write(
        table.mutation(1).timestamp(20).deleteRange(ClusteringRange.all().from(3).to(7)).build());
    assertThat(tablesAskedBy(rowOf(5))).isZero();
    wholeRow(5, 30);
    assertThat(tablesAskedBy(rowOf(5))).isEqualTo(1);
  }

  @Test
  void aRangeTombstoneBesideTheRowDoesNot() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 10);
    table.write(
        table.mutation(1).timestamp(20).deleteRange(ClusteringRange.all().after(5).to(7)).build());
    assertThat(tablesAskedBy(rowOf(5))).isEqualTo(1);
    assertThat(table.read(rowOf(5), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void aDeletedPartitionMakesOlderTablesVoidThoseOfTheSameTimestampToo() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 10);
    wholeRow(6, 20);
    table.write(table.mutation(1).timestamp(20).deletePartition().build());
    assertThat(tablesAskedBy(all())).isZero();
    table.flush();
    assertThat(tablesAskedBy(all())).isLessThanOrEqualTo(2);
    wholeRow(5, 30);
    assertThat(table.read(all(), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void aDeletedPartitionDoesNotHideNewerTables() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 30);
    wholeRow(6, 10);
    table.write(table.mutation(1).timestamp(20).deletePartition().build());
    assertThat(tablesAskedBy(all())).isEqualTo(1);
    assertThat(table.read(all(), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void aWholeRowSaysNothingOfOtherRows() throws IOException {
    create(CLUSTERED);
    wholeRow(4, 10);
    wholeRow(5, 20);
    assertThat(tablesAskedBy(rowOf(5))).isEqualTo(1);
    assertThat(tablesAskedBy(rowOf(4))).isEqualTo(1);
    assertThat(tablesAskedBy(all())).isEqualTo(2);
    assertThat(tablesAskedBy(new Read.OfPartition(key(1), List.of(slice(4, 5)), false)))
        .isEqualTo(2);
    assertThat(
            tablesAskedBy(new Read.OfPartition(key(1), List.of(slice(4, 4), slice(5, 5)), false)))
        .isEqualTo(2);
  }

  @Test
  void tablesWithNothingInTheSlicesAreNotAsked() throws IOException {
    create(CLUSTERED);
    for (int c = 0; c < 5; c++) {
      wholeRow(c, 10);
    }
    assertThat(tablesAskedBy(new Read.OfPartition(key(1), List.of(slice(1, 2)), false)))
        .isEqualTo(2);
    assertThat(
            tablesAskedBy(
                reversed(new Read.OfPartition(key(1), List.of(slice(0, 0), slice(4, 9)), false))))
        .isEqualTo(2);
    assertThat(tablesAskedBy(rowOf(9))).isZero();
  }

  @Test
  void tablesWithRangeTombstonesInTheSlicesAreAsked() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 10);
    table.write(table.mutation(1).timestamp(20).deleteRange(ClusteringRange.all().to(7)).build());
    table.flush();
    assertThat(tablesAskedBy(new Read.OfPartition(key(1), List.of(slice(4, 6)), false)))
        .isEqualTo(2);
    assertThat(table.read(rowOf(5), TestedTable.NOW)).isEmpty();
  }

  @Test
  void tablesWithPartitionDeletionsAreAskedWhateverTheSlices() throws IOException {
    create(CLUSTERED);
    wholeRow(5, 10);
    table.write(
        table
            .mutation(1)
            .timestamp(20)
            .deletePartition()
            .timestamp(30)
            .insert(9)
            .set("a", 1)
            .build());
    table.flush();
    assertThat(tablesAskedBy(rowOf(5))).isEqualTo(1);
    assertThat(table.read(rowOf(5), TestedTable.NOW)).isEmpty();
  }

  @Test
  void tablesWithStaticRowsAreAskedWhateverTheSlices() throws IOException {
    create("CREATE TABLE ks.t (k int, c int, s int static, a int, PRIMARY KEY (k, c))");
    table.write(table.mutation(1).timestamp(10).insert(5).set("a", 1).set("s", 1).build());
    table.flush();
    table.write(table.mutation(1).timestamp(20).insert(6).set("a", 1).build());
    table.flush();
    assertThat(tablesAskedBy(rowOf(6))).isEqualTo(2);
    assertThat(table.read(rowOf(6), TestedTable.NOW)).hasSize(3);
  }

  @Test
  void collectionsAreGatheredFromAllTables() throws IOException {
    create("CREATE TABLE ks.t (k int PRIMARY KEY, m set<int>)");
    table.write(table.mutation(1).timestamp(10).insert().add("m", Set.of(1)).build());
    table.flush();
    table.write(table.mutation(1).timestamp(20).insert().add("m", Set.of(2)).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
  }

  @Test
  void cellsOfColumnsDroppedSinceKeepNoRowAlive() throws IOException {
    TableSchema schema = SchemaParser.parse(PLAIN).onlyTable();
    TableSchema today = schema.toBuilder().drop("b", 25).regular("b", CqlTypes.INT).build();
    table = new TestedTable(today, Partitioner.MURMUR3, leaks.watch(new MemoryDirectory()), memory);
    wholeRow(10);
    table.write(
        table.mutation(1).timestamp(20).update().set("b", 8).timestamp(30).set("a", null).build());
    table.flush();
    assertThat(tablesAskedBy(all())).isEqualTo(2);
    assertThat(table.read(all(), TestedTable.NOW)).hasSize(2);
  }

  @Test
  void tablesWithoutTheKeyAreNotAsked() throws IOException {
    create(PLAIN);
    for (int k = 2; k < 40; k++) {
      table.write(table.mutation(k).timestamp(10).insert().build());
      if (k % 4 == 0) {
        table.flush();
      }
    }
    wholeRow(10);
    assertThat(tablesAskedBy(all())).isEqualTo(1);
    assertThat(table.sources().statistics().summary().filterFalsePositives()).isZero();
  }

  @Test
  void aClosedCursorIsOfNoUse() throws IOException {
    create(PLAIN);
    wholeRow(10);
    PartitionCursor first = table.sources().open(all());
    first.close();
    try (PartitionCursor second = table.sources().open(all())) {
      first.close();
      assertThatThrownBy(first::nextPartition)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the cursor is closed");
      assertThat(second.nextPartition()).isTrue();
      assertThat(second.nextUnfiltered()).isTrue();
    }
  }
}
