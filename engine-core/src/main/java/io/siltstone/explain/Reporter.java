package io.siltstone.explain;

import io.siltstone.cursor.Purgeability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a finding of something, decides on its fate, counts it, and tells the listener. */
final class Reporter {
  private final Scope all;
  private final List<Scope> scopes;
  private final List<Holder> holders;
  private final long gcGraceSeconds;
  private final long gcBefore;
  private final FindingListener listener;

  private boolean isEnded;
  private boolean isRowLive;
  private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
  private long purgeable;
  private long rows;
  private long liveRows;

  /**
   * @param scopes that of all holders first
   * @param holders that may have the key
   */
  Reporter(
      List<Scope> scopes,
      List<Holder> holders,
      long gcGraceSeconds,
      long nowSeconds,
      FindingListener listener) {
    this.all = scopes.get(0);
    this.scopes = scopes;
    this.holders = holders;
    this.gcGraceSeconds = gcGraceSeconds;
    this.gcBefore = nowSeconds - gcGraceSeconds;
    this.listener = listener;
  }

  /** What takes the place of something in a scope, or null. */
  interface Shadows {
    @Nullable Shadow in(Scope scope);
  }

  /**
   * What is found.
   *
   * @param state what it is if nothing shadows it
   * @param deletedAt from when on its grace counts, if it is dead
   */
  record Thing(
      Item item,
      boolean isStatic,
      String place,
      String column,
      String path,
      String value,
      int valueBytes,
      long timestamp,
      int ttl,
      long localDeletionTime,
      long deletedAt,
      Verdict state) {}

  boolean isEnded() {
    return isEnded;
  }

  void report(Member member, Thing thing, Shadows shadows) throws IOException {
    if (isEnded) {
      return;
    }
    Shadow shadow = thing.state() == Verdict.DROPPED ? null : shadows.in(all);
    Verdict verdict = shadow == null ? thing.state() : Verdict.SHADOWED;
    Fate fate = fate(member, thing, shadow, shadows);
    isEnded =
        !listener.found(
            new Finding(
                member.holder,
                thing.item(),
                thing.isStatic(),
                thing.place(),
                thing.column(),
                thing.path(),
                thing.value(),
                thing.valueBytes(),
                thing.timestamp(),
                thing.ttl(),
                thing.localDeletionTime(),
                verdict,
                Optional.ofNullable(shadow),
                fate));
    if (!isEnded) {
      verdicts.merge(verdict, 1L, Long::sum);
      isRowLive |= verdict == Verdict.LIVE;
      purgeable += fate.isPurgeable() ? 1 : 0;
    }
  }

  private Fate fate(Member member, Thing thing, @Nullable Shadow shadow, Shadows shadows) {
    Holder holder = member.holder;
    if (holder.isMemtable()) {
      return Fate.of(Fate.Kind.IN_MEMORY);
    }
    Scope scope = scopeOf(member);
    if (scope == null) {
      return Fate.of(Fate.Kind.SET_APART);
    }
    if (thing.state() == Verdict.DROPPED) {
      return Fate.of(Fate.Kind.GOES);
    }
    Shadow inside = shadows.in(scope);
    if (inside != null) {
      return Fate.of(Fate.Kind.GOES, inside.by().equals(holder) ? List.of() : List.of(inside.by()));
    }
    if (thing.state() == Verdict.LIVE) {
      return shadow == null
          ? Fate.of(Fate.Kind.LIVES)
          : Fate.of(Fate.Kind.SHADOW_OUTSIDE, List.of(shadow.by()));
    }
    return fateOfDead(holder, scope, thing);
  }

  private Fate fateOfDead(Holder holder, Scope scope, Thing thing) {
    if (!scope.mayForget) {
      return Fate.of(Fate.Kind.UNREPAIRED);
    }
    if (!Purgeability.isGraceOver(thing.deletedAt(), gcBefore)) {
      return new Fate(Fate.Kind.GRACE, thing.deletedAt() + gcGraceSeconds + 1, List.of());
    }
    if (!Purgeability.isFree(thing.timestamp(), scope.leastOutside)) {
      return Fate.of(Fate.Kind.OVERLAP, older(scope.outside, thing.timestamp()));
    }
    List<Holder> others = new ArrayList<>();
    for (Holder other : holders) {
      if (!other.equals(holder) && other.kind() == holder.kind()) {
        others.add(other);
      }
    }
    return Fate.of(Fate.Kind.GOES, older(others, thing.timestamp()));
  }

  private static List<Holder> older(List<Holder> of, long timestamp) {
    return of.stream()
        .filter(holder -> !Purgeability.isFree(timestamp, holder.minTimestamp()))
        .toList();
  }

  private @Nullable Scope scopeOf(Member member) {
    for (Scope scope : scopes) {
      if (scope.isOfTables && scope.has(member)) {
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

  void reportDamage(List<Member> members) throws IOException {
    for (Member member : members) {
      IOException damage = member.unreported();
      if (damage != null) {
        listener.damaged(member.holder, damage);
      }
    }
  }

  Explained end(List<Member> having) {
    return new Explained(
        having.size(),
        (int) having.stream().filter(member -> !member.holder.isMemtable()).count(),
        verdicts.values().stream().mapToLong(Long::longValue).sum(),
        count(Verdict.LIVE),
        count(Verdict.EXPIRED),
        count(Verdict.TOMBSTONE),
        count(Verdict.SHADOWED),
        count(Verdict.DROPPED),
        purgeable,
        rows,
        liveRows,
        !isEnded);
  }

  private long count(Verdict of) {
    return verdicts.getOrDefault(of, 0L);
  }
}
