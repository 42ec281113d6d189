package io.siltstone.explain.walk;

import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ConflictRules;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Explained;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Item;
import io.siltstone.explain.Shadow;
import io.siltstone.explain.Source;
import io.siltstone.explain.Verdict;
import io.siltstone.explain.walk.SourceCursor.OpenRange;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks through what several sources have of one key, place by place, and says what becomes of each
 * thing.
 *
 * <p>Holds one row of each source at a time, however wide the partition is. Used once, by one
 * thread; the sources stay their opener's.
 */
public final class Explanation {

  private final ClusteringComparator order;
  private final List<SourceCursor> cursors = new ArrayList<>();
  private final List<Scope> scopes = new ArrayList<>();
  private final Reporter reporter;
  private final RowExplanation rows;
  private final List<SourceCursor> group = new ArrayList<>();

  private Explanation(
      TableSchema schema, List<KeySource> keySources, long nowSeconds, FindingListener listener) {
    TableEncoding table = TableEncoding.of(schema);
    List<Source> sources = keySources.stream().map(KeySource::source).toList();
    for (KeySource source : keySources) {
      if (source.cursor() != null) {
        cursors.add(new SourceCursor(source.source(), cursors.size(), source.cursor()));
      }
    }
    addScopes(schema, sources);
    order = new ClusteringComparator(table.rows().header().clusteringTypes());
    reporter =
        new Reporter(scopes, sources, schema.options().gcGraceSeconds(), nowSeconds, listener);
    rows = new RowExplanation(table, scopes, reporter, nowSeconds);
  }

  /**
   * Explains what the sources have of a key.
   *
   * @param keySources of the one key: memtables, newest first, then SSTables, by greatest
   *     timestamp, descending; those too that do not have the key though their filters let it
   *     through
   * @param nowSeconds that decides what has expired, in seconds since 1970
   * @throws IOException if a file cannot be read; damaged ones are left aside, and the listener
   *     told
   */
  public static Explained explain(
      TableSchema schema, List<KeySource> keySources, long nowSeconds, FindingListener listener)
      throws IOException {
    return new Explanation(schema, keySources, nowSeconds, listener).run();
  }

  private void addScopes(TableSchema schema, List<Source> sources) {
    boolean onlyRepaired = schema.options().purgesOnlyRepaired();
    boolean[] everybody = new boolean[cursors.size()];
    Arrays.fill(everybody, true);
    scopes.add(new Scope(everybody, false, List.of(), true));
    for (Source.Kind kind : List.of(Source.Kind.UNREPAIRED, Source.Kind.REPAIRED)) {
      boolean[] those = new boolean[cursors.size()];
      for (SourceCursor cursor : cursors) {
        those[cursor.number] = cursor.source.kind() == kind;
      }
      List<Source> outside = sources.stream().filter(source -> source.kind() != kind).toList();
      scopes.add(new Scope(those, true, outside, !onlyRepaired || kind == Source.Kind.REPAIRED));
    }
  }

  private Explained run() throws IOException {
    List<SourceCursor> having = new ArrayList<>();
    for (SourceCursor cursor : cursors) {
      if (cursor.nextPartition()) {
        having.add(cursor);
      }
    }
    reporter.reportDamage(cursors);
    explainPartitionDeletions(having);
    for (SourceCursor cursor : having) {
      cursor.advance();
    }
    findRanges(having);
    while (!reporter.isEnded() && findGroup(having)) {
      if (group.get(0).row().isMarker()) {
        explainMarkers(having);
      } else {
        rows.explain(group);
      }
      for (SourceCursor cursor : group) {
        cursor.advance();
      }
      endDamaged(having);
      reporter.reportDamage(cursors);
    }
    return reporter.end(having);
  }

  private void explainPartitionDeletions(List<SourceCursor> having) throws IOException {
    for (Scope scope : scopes) {
      for (SourceCursor cursor : having) {
        long timestamp = cursor.deletionTimestamp();
        long localTime = cursor.deletionLocalTime();
        if (scope.has(cursor)
            && !DeletionTime.isLive(timestamp)
            && supersedes(timestamp, localTime, scope.partition)) {
          scope.partition =
              new Shadow(Item.PARTITION_DELETION, cursor.source, timestamp, localTime);
        }
      }
    }
    for (SourceCursor cursor : having) {
      if (!DeletionTime.isLive(cursor.deletionTimestamp())) {
        reporter.report(
            cursor,
            deletion(
                Item.PARTITION_DELETION,
                "",
                cursor.deletionTimestamp(),
                cursor.deletionLocalTime()),
            scope ->
                scope.partition != null && isOf(scope.partition, cursor) ? null : scope.partition);
      }
    }
  }

  private static boolean isOf(Shadow shadow, SourceCursor cursor) {
    return shadow.by().equals(cursor.source);
  }

  static boolean supersedes(long timestamp, long localTime, @Nullable Shadow other) {
    return other == null
        || ConflictRules.deletionSupersedes(
            timestamp, localTime, other.timestamp(), other.localDeletionTime());
  }

  private static Reporter.Thing deletion(Item item, String place, long timestamp, long localTime) {
    return new Reporter.Thing(
        item,
        false,
        place,
        "",
        "",
        "",
        0,
        timestamp,
        DeletionTime.NO_TTL,
        localTime,
        localTime,
        Verdict.TOMBSTONE);
  }

  /** Returns those that stand at the place that comes next; false if all are at their ends. */
  private boolean findGroup(List<SourceCursor> having) {
    group.clear();
    for (SourceCursor cursor : having) {
      if (cursor.head == null) {
        continue;
      }
      int compared = group.isEmpty() ? 0 : compare(cursor.row(), group.get(0).row());
      if (compared < 0) {
        group.clear();
      }
      if (compared <= 0) {
        group.add(cursor);
      }
    }
    return !group.isEmpty();
  }

  private int compare(Unfiltered left, Unfiltered right) {
    if (left.isStatic() || right.isStatic()) {
      return Boolean.compare(right.isStatic(), left.isStatic());
    }
    return order.compare(left.clustering(), right.clustering());
  }

  private void explainMarkers(List<SourceCursor> having) throws IOException {
    for (SourceCursor cursor : group) {
      Unfiltered marker = cursor.row();
      if (marker.clustering().kind().closes()) {
        end(cursor, Texts.end(marker.clustering(), marker.encoding()));
      }
    }
    for (SourceCursor cursor : group) {
      Unfiltered marker = cursor.row();
      if (marker.clustering().kind().opens()) {
        cursor.open =
            new OpenRange(
                marker.openTimestamp(),
                marker.openLocalTime(),
                Texts.start(marker.clustering(), marker.encoding()),
                scopes.size());
      }
    }
    findRanges(having);
  }

  /** Which of the ranges that are open is the greatest now. */
  private void findRanges(List<SourceCursor> having) {
    for (int i = 0; i < scopes.size(); i++) {
      Scope scope = scopes.get(i);
      scope.range = null;
      @Nullable OpenRange greatest = null;
      for (SourceCursor cursor : having) {
        OpenRange open = cursor.open;
        if (open != null
            && scope.has(cursor)
            && supersedes(open.timestamp, open.localTime, scope.partition)
            && supersedes(open.timestamp, open.localTime, scope.range)) {
          scope.range =
              new Shadow(Item.RANGE_DELETION, cursor.source, open.timestamp, open.localTime);
          greatest = open;
        }
      }
      for (SourceCursor cursor : having) {
        OpenRange open = cursor.open;
        if (open != null && scope.has(cursor)) {
          open.wasGreatest[i] |= open == greatest;
          open.beatenBy[i] = scope.coversRows();
        }
      }
    }
  }

  private void end(SourceCursor cursor, String end) throws IOException {
    OpenRange open = cursor.open;
    cursor.open = null;
    if (open != null) {
      reporter.report(
          cursor,
          deletion(Item.RANGE_DELETION, open.start + end, open.timestamp, open.localTime),
          scope -> {
            int index = scopes.indexOf(scope);
            return open.wasGreatest[index] ? null : open.beatenBy[index];
          });
    }
  }

  /** A range deletion whose end cannot be read reaches as far as there is something to read. */
  private void endDamaged(List<SourceCursor> having) throws IOException {
    boolean any = false;
    for (SourceCursor cursor : having) {
      if (cursor.head == null && cursor.open != null) {
        end(cursor, " to where its SSTable is damaged");
        any = true;
      }
    }
    if (any) {
      findRanges(having);
    }
  }
}
