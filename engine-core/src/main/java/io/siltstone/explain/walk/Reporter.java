package io.siltstone.explain.walk;

import io.siltstone.cursor.Purgeability;
import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Item;
import io.siltstone.explain.PurgeOutcome;
import io.siltstone.explain.Source;
import io.siltstone.explain.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates findings: determines verdict and purge outcome of each, counts it, and passes it to the
 * listener.
 */
final class Reporter {
  private final Scope all;
  private final List<Scope> scopes;
  private final List<Source> sources;
  private final long gcGraceSeconds;
  private final long gcBefore;
  private final FindingListener listener;

  private boolean isEnded;
  private boolean isRowLive;
  private boolean isBelowFloor;
  private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
  private long purgeable;
  private long rows;
  private long liveRows;

  /**
   * @param scopes all scopes; the first one has all sources
   * @param sources all sources that may have the key
   */
  Reporter(
      List<Scope> scopes,
      List<Source> sources,
      long gcGraceSeconds,
      long nowSeconds,
      FindingListener listener) {
    this.all = scopes.get(0);
    this.scopes = scopes;
    this.sources = sources;
    this.gcGraceSeconds = gcGraceSeconds;
    this.gcBefore = nowSeconds - gcGraceSeconds;
    this.listener = listener;
  }

  /** What shadows a finding in a scope, or null. */
  interface Shadows {
    @Nullable Shadow in(Scope scope);
  }

  /**
   * A deletion, liveness or cell, before its verdict.
   *
   * @param state its verdict if nothing shadows it
   * @param deletedAt the beginning of its grace period, if it is dead
   */
  record Thing(
      Item item,
      Finding.Location location,
      Finding.Value value,
      Finding.Times times,
      long deletedAt,
      Verdict state) {

    Thing as(Verdict other) {
      return new Thing(item, location, value, times, deletedAt, other);
    }

    /** Returns whether neither reads nor compactions take it, whatever else there is. */
    boolean isLeftOut() {
      return state == Verdict.DROPPED || state == Verdict.BELOW_FLOOR;
    }
  }

  boolean isEnded() {
    return isEnded;
  }

  /** Begins a place of the partition, which the retention floor of the table hides or not. */
  void beginPlace(boolean isHidden) {
    isBelowFloor = isHidden;
  }

  /** Returns whether the retention floor hides the present place. */
  boolean isBelowFloor() {
    return isBelowFloor;
  }

  void report(SourceCursor cursor, Thing found, Shadows shadows) throws IOException {
    if (isEnded) {
      return;
    }
    Thing thing = isBelowFloor ? found.as(Verdict.BELOW_FLOOR) : found;
    Shadow shadow = thing.isLeftOut() ? null : shadows.in(all);
    Verdict verdict = shadow == null ? thing.state() : Verdict.SHADOWED;
    PurgeOutcome outcome = outcome(cursor, thing, shadow, shadows);
    isEnded =
        !listener.found(
            new Finding(
                cursor.source,
                thing.item(),
                thing.location(),
                thing.value(),
                thing.times(),
                verdict,
                Optional.ofNullable(shadow),
                outcome));
    if (!isEnded) {
      verdicts.merge(verdict, 1L, Long::sum);
      isRowLive |= verdict == Verdict.LIVE;
      purgeable += outcome.isPurgeable() ? 1 : 0;
    }
  }

  private PurgeOutcome outcome(
      SourceCursor cursor, Thing thing, @Nullable Shadow shadow, Shadows shadows) {
    Source source = cursor.source;
    if (source.isMemtable()) {
      return outcomeOf(PurgeOutcome.Kind.IN_MEMORY);
    }
    Scope scope = scopeOf(cursor);
    if (scope == null) {
      return outcomeOf(PurgeOutcome.Kind.SET_APART);
    }
    if (thing.isLeftOut()) {
      return outcomeOf(PurgeOutcome.Kind.GOES);
    }
    Shadow inside = shadows.in(scope);
    if (inside != null) {
      return outcomeOf(
          PurgeOutcome.Kind.GOES, inside.by().equals(source) ? List.of() : List.of(inside.by()));
    }
    if (thing.state() == Verdict.LIVE) {
      return shadow == null
          ? outcomeOf(PurgeOutcome.Kind.LIVES)
          : outcomeOf(PurgeOutcome.Kind.SHADOW_OUTSIDE, List.of(shadow.by()));
    }
    return outcomeOfDead(source, scope, thing);
  }

  private PurgeOutcome outcomeOfDead(Source source, Scope scope, Thing thing) {
    if (!scope.mayForget) {
      return outcomeOf(PurgeOutcome.Kind.UNREPAIRED);
    }
    if (!Purgeability.isGraceOver(thing.deletedAt(), gcBefore)) {
      return new PurgeOutcome(
          PurgeOutcome.Kind.GRACE, thing.deletedAt() + gcGraceSeconds + 1, List.of());
    }
    if (!Purgeability.isFree(thing.times().timestamp(), scope.leastOutside)) {
      return outcomeOf(PurgeOutcome.Kind.OVERLAP, older(scope.outside, thing.times().timestamp()));
    }
    List<Source> others = new ArrayList<>();
    for (Source other : sources) {
      if (!other.equals(source) && other.kind() == source.kind()) {
        others.add(other);
      }
    }
    return outcomeOf(PurgeOutcome.Kind.GOES, older(others, thing.times().timestamp()));
  }

  private static List<Source> older(List<Source> of, long timestamp) {
    return of.stream()
        .filter(source -> !Purgeability.isFree(timestamp, source.minTimestamp()))
        .toList();
  }

  private @Nullable Scope scopeOf(SourceCursor cursor) {
    for (Scope scope : scopes) {
      if (scope.isOfTables && scope.has(cursor)) {
        return scope;
      }
    }
    return null;
  }

  void beginRow() {
    isRowLive = false;
  }

  void endRow(String place, boolean isStatic) throws IOException {
    if (!isEnded) {
      if (!isStatic) {
        rows++;
        liveRows += isRowLive ? 1 : 0;
      }
      listener.row(place, isStatic, isRowLive);
    }
  }

  void reportDamage(List<SourceCursor> cursors) throws IOException {
    for (SourceCursor cursor : cursors) {
      IOException damage = cursor.unreported();
      if (damage != null) {
        listener.damaged(cursor.source, damage);
      }
    }
  }

  Explained end(List<SourceCursor> having) {
    return new Explained(
        having.size(),
        (int) having.stream().filter(cursor -> !cursor.source.isMemtable()).count(),
        new Explained.Findings(
            verdicts.values().stream().mapToLong(Long::longValue).sum(),
            count(Verdict.LIVE),
            count(Verdict.EXPIRED),
            count(Verdict.TOMBSTONE),
            count(Verdict.SHADOWED),
            count(Verdict.DROPPED),
            count(Verdict.BELOW_FLOOR),
            purgeable),
        rows,
        liveRows,
        !isEnded);
  }

  private long count(Verdict of) {
    return verdicts.getOrDefault(of, 0L);
  }

  private static PurgeOutcome outcomeOf(PurgeOutcome.Kind kind) {
    return outcomeOf(kind, List.of());
  }

  private static PurgeOutcome outcomeOf(PurgeOutcome.Kind kind, List<Source> sources) {
    return new PurgeOutcome(kind, 0, sources);
  }
}
