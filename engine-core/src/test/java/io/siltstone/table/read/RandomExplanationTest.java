package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Item;
import io.siltstone.explain.Source;
import io.siltstone.explain.Verdict;
import io.siltstone.liveset.View;
import io.siltstone.memtable.MemtableReader;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.Query;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlType;
import io.siltstone.type.UserType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What an explanation says is there is exactly what a merge of all sources shows, and live what is
 * live in it. Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomExplanationTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void whatIsNotShadowedIsWhatTheMergeShows() {
    RandomTables.each(
        leaks,
        75,
        (random, table, models) -> {
          TreeSet<PartitionKey> keys = new TreeSet<>();
          models.forEach(model -> model.partitions().forEach(each -> keys.add(each.key())));
          for (PartitionKey key : keys) {
            long now =
                random.nextInt(3) == 0
                    ? DeletionTime.MAX_DELETION_TIME
                    : RandomTables.EPOCH_SECONDS + random.nextInt(2000);
            check(table, key, now);
          }
        });
  }

  private static void check(TestedTable table, PartitionKey key, long now) throws IOException {
    List<String> expected = new ArrayList<>();
    long liveRows = merged(table, key, now, expected);
    List<String> found = new ArrayList<>();
    // A range deletion may lie in pieces.
    TreeSet<String> ranges = new TreeSet<>();
    List<Finding> shadowed = new ArrayList<>();
    List<String> damage = new ArrayList<>();
    FindingListener listener =
        new FindingListener() {
          @Override
          public boolean found(Finding finding) {
            switch (finding.verdict()) {
              case SHADOWED -> shadowed.add(finding);
              case DROPPED -> {}
              default ->
                  (finding.item() == Item.RANGE_DELETION ? ranges : found).add(line(finding));
            }
            return true;
          }

          @Override
          public void damaged(Source source, Throwable cause) {
            damage.add(source + ": " + cause);
          }
        };
    Query query =
        Query.builder(table.sources().schema(), partitioner(table)).partition(key).build();
    Explained explained;
    try (TableSnapshot snapshot = table.sources().snapshot()) {
      explained = snapshot.explain(query, now, listener);
    }
    assertThat(damage).isEmpty();
    found.addAll(ranges);
    found.sort(null);
    expected.sort(null);
    assertThat(found).as("%s at %s", key, now).isEqualTo(expected);
    assertThat(explained.liveRows()).as("%s at %s", key, now).isEqualTo(liveRows);
    for (Finding each : shadowed) {
      assertThat(each.shadow()).as("%s", each).isPresent();
      assertThat(each.shadow().orElseThrow().timestamp())
          .as("%s", each)
          .isGreaterThanOrEqualTo(each.times().timestamp());
    }
  }

  private static Partitioner partitioner(TestedTable table) {
    View view = table.liveSet().acquire();
    try {
      return view.byFirstKey().isEmpty()
          ? Partitioner.MURMUR3
          : view.byFirstKey().get(0).partitioner();
    } finally {
      view.release();
    }
  }

  private static String line(Finding finding) {
    return finding.item() == Item.RANGE_DELETION
        ? "RANGE " + finding.times().timestamp() + " " + finding.times().localDeletionTime()
        : String.join(
            " ",
            finding.item().toString(),
            finding.location().isStatic() ? "static" : finding.location().place(),
            finding.location().column(),
            finding.location().path(),
            finding.value().text(),
            Long.toString(finding.times().timestamp()),
            Integer.toString(finding.times().ttl()),
            Long.toString(finding.times().localDeletionTime()),
            finding.verdict().toString());
  }

  /** What a merge of everything shows, in the same words; returns how many rows of it live. */
  private static long merged(TestedTable table, PartitionKey key, long now, List<String> lines)
      throws IOException {
    View view = table.liveSet().acquire();
    List<PartitionCursor> cursors = new ArrayList<>();
    List<Slice> all = List.of(Slice.all(table.encoding()));
    long live = 0;
    TreeSet<String> ranges = new TreeSet<>();
    try (MergeCursor merge = new MergeCursor(table.sources().encoding())) {
      for (int i = 0; i < table.memtables().size(); i++) {
        MemtableReader reader = table.memtables().get(i).reader();
        reader.seek(key, all, false);
        cursors.add(reader);
      }
      for (SSTable each : view.newestFirst()) {
        PartitionReader reader = each.reader();
        cursors.add(reader);
        reader.seek(key, all, false);
      }
      merge.begin(cursors, false);
      while (merge.nextPartition()) {
        if (!DeletionTime.isLive(merge.deletionTimestamp())) {
          lines.add(
              line(
                  Item.PARTITION_DELETION,
                  "",
                  "",
                  "",
                  "",
                  merge.deletionTimestamp(),
                  0,
                  merge.deletionLocalTime(),
                  Verdict.TOMBSTONE));
        }
        while (merge.nextUnfiltered()) {
          Unfiltered row = merge.unfiltered();
          if (row.isMarker()) {
            if (row.clustering().kind().opens()) {
              ranges.add("RANGE " + row.openTimestamp() + " " + row.openLocalTime());
            }
          } else {
            live += !row.isStatic() && Liveness.isRowLive(row, now) ? 1 : 0;
            row(row, now, lines);
          }
        }
      }
    } finally {
      view.release();
    }
    lines.addAll(ranges);
    return live;
  }

  private static void row(Unfiltered row, long now, List<String> lines) throws IOException {
    String place = row.isStatic() ? "static" : place(row);
    if (row.hasDeletion()) {
      lines.add(
          line(
              Item.ROW_DELETION,
              place,
              "",
              "",
              "",
              row.deletionTimestamp(),
              0,
              row.deletionLocalTime(),
              Verdict.TOMBSTONE));
    }
    if (row.hasLiveness()) {
      lines.add(
          line(
              Item.ROW_LIVENESS,
              place,
              "",
              "",
              "",
              row.livenessTimestamp(),
              row.livenessTtl(),
              row.livenessExpirationTime(),
              Liveness.isPrimaryKeyLive(row, now) ? Verdict.LIVE : Verdict.EXPIRED));
    }
    row.rewind();
    while (row.nextColumn()) {
      String column = row.column().name();
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        lines.add(
            line(
                Item.COLLECTION_DELETION,
                place,
                column,
                "",
                "",
                row.complexDeletionTimestamp(),
                0,
                row.complexDeletionLocalTime(),
                Verdict.TOMBSTONE));
      }
      while (row.nextCell()) {
        lines.add(
            line(
                Item.CELL,
                place,
                column,
                row.isComplex() ? path(row) : "",
                row.isCellTombstone() ? "" : value(row),
                row.cellTimestamp(),
                row.cellTtl(),
                row.cellLocalDeletionTime(),
                Liveness.isCellLive(row, now)
                    ? Verdict.LIVE
                    : row.isCellTombstone() ? Verdict.TOMBSTONE : Verdict.EXPIRED));
      }
    }
  }

  private static String path(Unfiltered row) {
    CqlType type = row.column().type();
    return type instanceof UserType user
        ? user.fields().get(BigEndian.getShort(row.bytes(), row.pathOffset())).name()
        : literal(type.pathType(), row, row.pathOffset(), row.pathLength());
  }

  private static String value(Unfiltered row) {
    CqlType type = row.column().type();
    if (row.isComplex()) {
      type = type.cellType(row.bytes(), row.pathOffset(), row.pathLength());
    }
    return literal(type, row, row.valueOffset(), row.valueLength());
  }

  private static String literal(CqlType type, Unfiltered row, int offset, int length) {
    return type.toCqlLiteral(row.bytes(), offset, length);
  }

  private static String place(Unfiltered row) {
    Clustering of = row.clustering();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      values.add(
          of.valueLength(i) == Clustering.NULL
              ? "null"
              : row.encoding()
                  .header()
                  .clusteringTypes()
                  .get(i)
                  .toCqlLiteral(of.bytes(), of.valueOffset(i), of.valueLength(i)));
    }
    return values.isEmpty() ? "" : "(" + String.join(", ", values) + ")";
  }

  private static String line(
      Item item,
      String place,
      String column,
      String path,
      String value,
      long timestamp,
      int ttl,
      long localDeletionTime,
      Verdict verdict) {
    return String.join(
        " ",
        item.toString(),
        place,
        column,
        path,
        value,
        Long.toString(timestamp),
        Integer.toString(ttl),
        Long.toString(localDeletionTime),
        verdict.toString());
  }
}
