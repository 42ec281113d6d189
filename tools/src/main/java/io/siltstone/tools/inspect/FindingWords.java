package io.siltstone.tools.inspect;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.PurgeOutcome;
import io.siltstone.explain.Source;
import io.siltstone.explain.Verdict;
import java.util.List;
import java.util.stream.Collectors;

/** Describes findings of {@code explain-key} in words. */
final class FindingWords {
  private static final int MOST_VALUE_CHARS = 60;

  private FindingWords() {}

  /** Returns what a finding is: {@code celsius = 21.5}, {@code tags['a'] deleted}. */
  static String thing(Finding of) {
    return switch (of.item()) {
      case PARTITION_DELETION -> "deletion of the partition";
      case RANGE_DELETION -> "deletion of the rows " + of.location().place();
      case ROW_DELETION -> "deletion of the row";
      case ROW_LIVENESS -> "inserted" + ttl(of);
      case COLLECTION_DELETION -> "deletion of " + of.location().column();
      case CELL -> cell(of);
    };
  }

  private static String cell(Finding of) {
    String name =
        of.location().column()
            + (of.location().path().isEmpty() ? "" : "[" + cut(of.location().path()) + "]");
    boolean isTombstone =
        of.times().localDeletionTime() != DeletionTime.NO_DELETION_TIME
            && of.times().ttl() == DeletionTime.NO_TTL;
    if (isTombstone) {
      return "deletion of " + name;
    }
    // An element of a set is the path of its cell.
    boolean isElement = !of.location().path().isEmpty() && of.value().bytes() == 0;
    return name + (isElement ? "" : " = " + cut(of.value().text())) + ttl(of);
  }

  private static String ttl(Finding of) {
    return of.times().ttl() == DeletionTime.NO_TTL ? "" : " for " + of.times().ttl() + " s";
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "\u00b7");
    return line.length() <= MOST_VALUE_CHARS
        ? line
        : line.substring(0, MOST_VALUE_CHARS) + "... (" + line.length() + " characters)";
  }

  /** Returns what a reader makes of a finding. */
  static String verdict(Finding of) {
    return switch (of.verdict()) {
      case LIVE ->
          of.times().ttl() == DeletionTime.NO_TTL
              ? "live"
              : "live, expires at " + TimeFormat.ofSeconds(of.times().localDeletionTime());
      case EXPIRED -> "expired since " + TimeFormat.ofSeconds(of.times().localDeletionTime());
      case TOMBSTONE ->
          "tombstone, written at " + TimeFormat.ofSeconds(of.times().localDeletionTime());
      case SHADOWED -> "shadowed by " + shadow(of.source(), of, of.shadow().orElseThrow());
      case DROPPED -> "gone: its column was dropped";
      case BELOW_FLOOR -> "hidden: below the retention floor of the table";
    };
  }

  private static String shadow(Source source, Finding of, Shadow shadow) {
    String what =
        switch (shadow.item()) {
          case PARTITION_DELETION -> "the deletion of the partition";
          case RANGE_DELETION -> "the deletion of a range";
          case ROW_DELETION -> "the deletion of the row";
          case COLLECTION_DELETION -> "the deletion of the collection";
          case ROW_LIVENESS ->
              shadow.timestamp() == of.times().timestamp() ? "the same insert" : "a newer insert";
          case CELL ->
              shadow.timestamp() == of.times().timestamp()
                  ? "a cell of the same timestamp"
                  : "a newer cell";
        };
    return what
        + " in "
        + (shadow.by().equals(source) ? "the same" : shadow.by().name())
        + ", "
        + TimeFormat.ofMicros(shadow.timestamp());
  }

  /** Returns what compaction would make of a finding; empty if it is live and stays. */
  static String outcome(Finding of) {
    PurgeOutcome outcome = of.outcome();
    return switch (outcome.kind()) {
      case LIVES -> "";
      case GOES -> goes(of, outcome.sources());
      case IN_MEMORY -> "in memory";
      case GRACE ->
          "not purgeable before "
              + TimeFormat.ofSeconds(outcome.from())
              + ", the end of gc_grace_seconds";
      case OVERLAP ->
          "not purgeable: "
              + names(outcome.sources())
              + " may have older data of the key, which would reappear";
      case SHADOW_OUTSIDE ->
          "not purgeable: " + names(outcome.sources()) + " is not compacted with it";
      case UNREPAIRED ->
          "not purgeable: only_purge_repaired_tombstones, and its SSTable is not repaired";
      case SET_APART -> "not compacted: its SSTable is part of a repair that has not ended";
    };
  }

  private static String goes(Finding of, List<Source> holders) {
    if (of.verdict() == Verdict.SHADOWED
        || of.verdict() == Verdict.DROPPED
        || of.verdict() == Verdict.BELOW_FLOOR) {
      return holders.isEmpty()
          ? "purged when compacted"
          : "purged when compacted together with " + names(holders);
    }
    return holders.isEmpty()
        ? "purgeable"
        : "purgeable, if compacted together with "
            + names(holders)
            + ", which may have older data of the key";
  }

  private static String names(List<Source> holders) {
    return holders.stream().map(Source::name).collect(Collectors.joining(", "));
  }
}
