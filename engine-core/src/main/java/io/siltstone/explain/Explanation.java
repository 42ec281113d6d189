package io.siltstone.explain;

import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ConflictRules;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Member.OpenRange;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks through what several holders have of one key, place by place, and says what becomes of each
 * thing.
 *
 * <p>Holds one row of each holder at a time, however wide the partition is. Used once, by one
 * thread; the sources stay their opener's.
 */
public final class Explanation {

  private final ClusteringComparator order;
  private final List<Member> members = new ArrayList<>();
  private final List<Scope> scopes = new ArrayList<>();
  private final Reporter reporter;
  private final RowExplanation rows;
  private final List<Member> group = new ArrayList<>();

  private Explanation(
      TableSchema schema, List<KeySource> sources, long nowSeconds, FindingListener listener) {
    TableEncoding table = TableEncoding.of(schema);
    List<Holder> holders = sources.stream().map(KeySource::holder).toList();
    for (KeySource source : sources) {
      if (source.cursor() != null) {
        members.add(new Member(source.holder(), members.size(), source.cursor()));
      }
    }
    addScopes(schema, holders);
    order = new ClusteringComparator(table.rows().header().clusteringTypes());
    reporter =
        new Reporter(scopes, holders, schema.options().gcGraceSeconds(), nowSeconds, listener);
    rows = new RowExplanation(table, scopes, reporter, nowSeconds);
  }

  /**
   * Explains what the sources have of a key.
   *
   * @param sources of the one key: memtables, newest first, then SSTables, by greatest timestamp,
   *     descending; those too that do not have the key though their filters let it through
   * @param nowSeconds that decides what has expired, in seconds since 1970
   * @throws IOException if a file cannot be read; damaged ones are left aside, and the listener
   *     told
   */
  public static Explained explain(
      TableSchema schema, List<KeySource> sources, long nowSeconds, FindingListener listener)
      throws IOException {
    return new Explanation(schema, sources, nowSeconds, listener).run();
  }

  private void addScopes(TableSchema schema, List<Holder> holders) {
    boolean onlyRepaired = schema.options().purgesOnlyRepaired();
    boolean[] everybody = new boolean[members.size()];
    Arrays.fill(everybody, true);
    scopes.add(new Scope(everybody, false, List.of(), true));
    for (Holder.Kind kind : List.of(Holder.Kind.UNREPAIRED, Holder.Kind.REPAIRED)) {
      boolean[] those = new boolean[members.size()];
      for (Member member : members) {
        those[member.number] = member.holder.kind() == kind;
      }
      List<Holder> outside = holders.stream().filter(holder -> holder.kind() != kind).toList();
      scopes.add(new Scope(those, true, outside, !onlyRepaired || kind == Holder.Kind.REPAIRED));
    }
  }

  private Explained run() throws IOException {
    List<Member> having = new ArrayList<>();
    for (Member member : members) {
      if (member.nextPartition()) {
        having.add(member);
      }
    }
    reporter.reportDamage(members);
    explainPartitionDeletions(having);
    for (Member member : having) {
      member.advance();
    }
    findRanges(having);
    while (!reporter.isEnded() && findGroup(having)) {
      if (group.get(0).row().isMarker()) {
        explainMarkers(having);
      } else {
        rows.explain(group);
      }
      for (Member member : group) {
        member.advance();
      }
      endDamaged(having);
      reporter.reportDamage(members);
    }
    return reporter.end(having);
  }

  private void explainPartitionDeletions(List<Member> having) throws IOException {
    for (Scope scope : scopes) {
      for (Member member : having) {
        long timestamp = member.deletionTimestamp();
        long localTime = member.deletionLocalTime();
        if (scope.has(member)
            && !DeletionTime.isLive(timestamp)
            && supersedes(timestamp, localTime, scope.partition)) {
          scope.partition =
              new Shadow(Item.PARTITION_DELETION, member.holder, timestamp, localTime);
        }
      }
    }
    for (Member member : having) {
      if (!DeletionTime.isLive(member.deletionTimestamp())) {
        reporter.report(
            member,
            deletion(
                Item.PARTITION_DELETION,
                "",
                member.deletionTimestamp(),
                member.deletionLocalTime()),
            scope ->
                scope.partition != null && isOf(scope.partition, member) ? null : scope.partition);
      }
    }
  }

  private static boolean isOf(Shadow shadow, Member member) {
    return shadow.by().equals(member.holder);
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

  /** Those that stand at the place that comes next; false if all are at their ends. */
  private boolean findGroup(List<Member> having) {
    group.clear();
    for (Member member : having) {
      if (member.head == null) {
        continue;
      }
      int compared = group.isEmpty() ? 0 : compare(member.row(), group.get(0).row());
      if (compared < 0) {
        group.clear();
      }
      if (compared <= 0) {
        group.add(member);
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

  private void explainMarkers(List<Member> having) throws IOException {
    for (Member member : group) {
      Unfiltered marker = member.row();
      if (marker.clustering().kind().closes()) {
        end(member, Texts.end(marker.clustering(), marker.encoding()));
      }
    }
    for (Member member : group) {
      Unfiltered marker = member.row();
      if (marker.clustering().kind().opens()) {
        member.open =
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
  private void findRanges(List<Member> having) {
    for (int i = 0; i < scopes.size(); i++) {
      Scope scope = scopes.get(i);
      scope.range = null;
      @Nullable OpenRange greatest = null;
      for (Member member : having) {
        OpenRange open = member.open;
        if (open != null
            && scope.has(member)
            && supersedes(open.timestamp, open.localTime, scope.partition)
            && supersedes(open.timestamp, open.localTime, scope.range)) {
          scope.range =
              new Shadow(Item.RANGE_DELETION, member.holder, open.timestamp, open.localTime);
          greatest = open;
        }
      }
      for (Member member : having) {
        OpenRange open = member.open;
        if (open != null && scope.has(member)) {
          open.wasGreatest[i] |= open == greatest;
          open.beatenBy[i] = scope.coversRows();
        }
      }
    }
  }

  private void end(Member member, String end) throws IOException {
    OpenRange open = member.open;
    member.open = null;
    if (open != null) {
      reporter.report(
          member,
          deletion(Item.RANGE_DELETION, open.start + end, open.timestamp, open.localTime),
          scope -> {
            int index = scopes.indexOf(scope);
            return open.wasGreatest[index] ? null : open.beatenBy[index];
          });
    }
  }

  /** A range deletion whose end cannot be read reaches as far as there is something to read. */
  private void endDamaged(List<Member> having) throws IOException {
    boolean any = false;
    for (Member member : having) {
      if (member.head == null && member.open != null) {
        end(member, " to where its SSTable is damaged");
        any = true;
      }
    }
    if (any) {
      findRanges(having);
    }
  }
}
