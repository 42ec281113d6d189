package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Item;
import io.siltstone.explain.PurgeOutcome;
import io.siltstone.explain.Verdict;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.Query;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExplainTest {
  private static final long START = 1_700_000_000L;
  private final AtomicLong now = new AtomicLong(START);

  private Database open() throws IOException {
    return Database.open(
        new MemoryDirectory(),
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .clock(() -> Instant.ofEpochSecond(now.get()))
            .build());
  }

  private static List<Finding> explain(Table table, Query query) throws IOException {
    List<Finding> findings = new ArrayList<>();
    Explained all = table.explain(query, findings::add);
    assertThat(all.findings().count()).isEqualTo(findings.size());
    assertThat(all.isWhole()).isTrue();
    return findings;
  }

  @Test
  void whatIsInMemoryKeepsTombstonesOfFiles() throws IOException {
    try (Database db = open()) {
      Table table =
          db.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 10");
      table.write(table.mutation(1).timestamp(5).insert().set("v", "a").build());
      table.flush();
      table.write(table.mutation(1).timestamp(6).deletePartition().build());
      table.flush();
      now.addAndGet(100);
      Query query = table.query().partition(1).build();
      Finding deletion = explain(table, query).get(0);
      assertThat(deletion.item()).isEqualTo(Item.PARTITION_DELETION);
      assertThat(deletion.outcome().kind()).isEqualTo(PurgeOutcome.Kind.GOES);
      assertThat(deletion.outcome().sources())
          .extracting(Object::toString)
          .containsExactly("oa-1-big");

      // Of another key nothing can come back, whatever its age; of this one it can.
      table.write(table.mutation(2).timestamp(4).insert().set("v", "b").build());
      assertThat(explain(table, query).get(0).outcome().kind()).isEqualTo(PurgeOutcome.Kind.GOES);
      table.write(table.mutation(1).timestamp(4).insert().set("v", "b").build());
      deletion = explain(table, query).get(0);
      assertThat(deletion.item()).isEqualTo(Item.PARTITION_DELETION);
      assertThat(deletion.outcome().kind()).isEqualTo(PurgeOutcome.Kind.OVERLAP);
      assertThat(deletion.outcome().sources())
          .extracting(Object::toString)
          .containsExactly("memtable");

      now.set(START + 10);
      deletion = explain(table, query).get(0);
      assertThat(deletion.outcome().kind()).isEqualTo(PurgeOutcome.Kind.GRACE);
      assertThat(deletion.outcome().from()).isEqualTo(START + 11);
    }
  }

  @Test
  void aDroppedColumnIsGone() throws IOException {
    try (Database db = open()) {
      Table table = db.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v text, w text)");
      table.write(table.mutation(1).insert().set("v", "a").set("w", "b").build());
      table.flush();
      Table altered = db.alterTable("ks", "t", "ALTER TABLE ks.t DROP w");
      List<Finding> findings = explain(altered, altered.query().partition(1).build());
      assertThat(findings).extracting(each -> each.location().column()).contains("w");
      Finding dropped =
          findings.stream()
              .filter(each -> each.location().column().equals("w"))
              .findFirst()
              .orElseThrow();
      assertThat(dropped.verdict()).isEqualTo(Verdict.DROPPED);
      assertThat(dropped.outcome().isPurgeable()).isTrue();
    }
  }

  @Test
  void thereMayBeNothingAndItIsOfOnePartition() throws IOException {
    try (Database db = open()) {
      Table table = db.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
      assertThat(explain(table, table.query().partition(7).build())).isEmpty();
      assertThatThrownBy(() -> explain(table, table.query().build()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("only a partition can be explained");
    }
  }

  /** It would wait for the search, which waits for the listener. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void itsListenerReadsAndWritesButCannotCloseTheDatabase() throws IOException {
    try (Database db = open()) {
      Table table = db.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "a").build());
      List<Throwable> refusals = new ArrayList<>();
      Explained all =
          table.explain(
              table.query().partition(1).build(),
              finding -> {
                refusals.add(catchThrowable(db::close));
                table.write(table.mutation(2).insert().set("v", "b").build());
                return table.get(table.query().partition(2).build()).isPresent();
              });
      assertThat(all.isWhole()).isTrue();
      assertThat(refusals)
          .isNotEmpty()
          .allSatisfy(
              refusal ->
                  assertThat(refusal)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("cannot be closed by a listener"));
    }
  }

  /** The heap after it was collected, in the midst of a walk, does not grow with rows passed. */
  @Test
  void aWidePartitionIsWalkedThroughInConstantMemory() throws IOException {
    int rows = 30_000 * Integer.getInteger("siltstone.scale", 1);
    try (Database db = open()) {
      Table table = db.createTable("CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c))");
      for (int flush = 0; flush < 2; flush++) {
        for (int row = 0; row < rows; row++) {
          table.write(table.mutation(1).insert(row).set("v", "value " + row).build());
        }
        table.flush();
      }
      long[] used = new long[2];
      Explained all =
          table.explain(
              table.query().partition(1).build(),
              new FindingListener() {
                private int passed;

                @Override
                public boolean found(Finding finding) {
                  return true;
                }

                @Override
                public void row(String place, boolean isStatic, boolean isLive) {
                  passed++;
                  if (passed == rows / 10) {
                    used[0] = usedHeap();
                  } else if (passed == rows * 9 / 10) {
                    used[1] = usedHeap();
                  }
                }
              });
      assertThat(all.rows()).isEqualTo(rows);
      assertThat(all.liveRows()).isEqualTo(rows);
      assertThat(all.findings().shadowed()).isEqualTo(2L * rows);
      // 48,000 rows of 4 findings each, about 500 bytes a finding, would be nearly 100 MB.
      assertThat(used[1] - used[0]).isLessThan(4 << 20);

      Explained slice =
          table.explain(
              table.query().partition(1).rows(ClusteringRange.of(1000)).build(), finding -> true);
      assertThat(slice.findings().count()).isEqualTo(4);
    }
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
