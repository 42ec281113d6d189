package io.siltstone.explain.walk;

import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ConflictRules;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Item;
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
 * Explains the data of one key: walks through the unmerged data of all sources, place by place, and
 * reports for each deletion, liveness and cell whether a read shows it and a compaction would purge
 * it.
 *
 * <p>It holds one row of each source at a time, however wide the partition is. Used once, by one
 * thread. The opener closes the sources.
 */
public final class Explanation {

  private final @Nullable RetentionFloor floor;
  private final ClusteringComparator order;
  private final List<SourceCursor> cursors = new ArrayList<>();
  private final List<Scope> scopes = new ArrayList<>();
  private final Reporter reporter;
  private final RowExplanation rows;
  private final List<SourceCursor> group = new ArrayList<>();

  private Explanation(
      TableSchema schema,
      @Nullable RetentionFloor floor,
      List<KeySource> keySources,
      long nowSeconds,
      FindingListener listener) {
    this.floor = floor;
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
   * Explains the data that sources have of a key.
   *
   * @param floor the retention floor; null if the table has none
   * @param keySources sources of the key: memtables, newest first, then SSTables, by greatest
   *     timestamp, descending; including SSTables without the key whose bloom filters let it
   *     through
   * @param nowSeconds present time, by which data has expired, in seconds since 1970
   * @throws IOException if a file cannot be read; corrupt ones are skipped and reported to the
   *     listener
   */
  public static Explained explain(
      TableSchema schema,
      @Nullable RetentionFloor floor,
      List<KeySource> keySources,
      long nowSeconds,
      FindingListener listener)
      throws IOException {
    return new Explanation(schema, floor, keySources, nowSeconds, listener).run();
  }

  private void addScopes(TableSchema schema, List<Source> sources) {
    boolean onlyRepaired = schema.options().purgesOnlyRepaired();
    boolean[] everybody = new boolean[cursors.size()];
    Arrays.fill(everybody, true);
    scopes.add(new Scope(everybody, false, List.of(), true));
    for (Source.Kind kind : List.of(Source.Kind.UNREPAIRED, Source.Kind.REPAIRED)) {
      boolean[] those = new boolean[cursors.size()];
      for (SourceCursor cursor : cursors) {
        those[cursor.number] = isMerged(cursor.source, kind);
      }
      List<Source> outside = sources.stream().filter(source -> !isMerged(source, kind)).toList();
      scopes.add(new Scope(those, true, outside, !onlyRepaired || kind == Source.Kind.REPAIRED));
    }
  }

  /** Returns whether a merge of SSTables of a kind has a source. */
  private static boolean isMerged(Source source, Source.Kind kind) {
    return source.kind() == kind || source.kind() == Source.Kind.KEY_RANGES;
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
      beginPlace(group.get(0).row());
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

  private void beginPlace(Unfiltered at) {
    reporter.beginPlace(floor != null && !at.isStatic() && floor.isHidden(at.clustering()));
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
        new Finding.Location(false, place, "", ""),
        Finding.Value.NONE,
        new Finding.Times(timestamp, DeletionTime.NO_TTL, localTime),
        localTime,
        Verdict.TOMBSTONE);
  }

  /** Collects the cursors at the next place; returns false if all are at their ends. */
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
                floor == null || !floor.isHidden(marker.clustering()),
                scopes.size());
      }
    }
    findRanges(having);
  }

  /** Finds the winner among the open range deletions. */
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
      // A range that reaches over the floor is cut there, and otherwise lives.
      boolean isHidden = reporter.isBelowFloor();
      reporter.beginPlace(isHidden && !open.isShown);
      reporter.report(
          cursor,
          deletion(Item.RANGE_DELETION, open.start + end, open.timestamp, open.localTime),
          scope -> {
            int index = scopes.indexOf(scope);
            return open.wasGreatest[index] ? null : open.beatenBy[index];
          });
      reporter.beginPlace(isHidden);
    }
  }

  /**
   * Ends range deletions of corrupt sources: one whose end cannot be read reaches as far as its
   * source is readable.
   */
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
