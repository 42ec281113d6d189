package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.metadata.RepairState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The tables of one state of repair while a plan is made of them: which are still free, which jobs
 * have taken the others. Confined to one thread.
 */
final class CandidateSelection {
  private final String label;
  private final List<LiveTable> tables;
  private final LiveTables live;
  private final long now;
  // Few, where tables are many.
  private final Set<LiveTable> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Job> jobs = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param label that remarks begin with; empty for none
   * @param tables by first key; those that are claimed or damaged are not free
   * @param live what it is a part of
   * @param now in milliseconds since 1970
   */
  private CandidateSelection(String label, List<LiveTable> tables, LiveTables live, long now) {
    this.label = label;
    this.tables = tables;
    this.live = live;
    this.now = now;
  }

  /** One for the tables that are not repaired and one for those that are, if there are any. */
  static List<CandidateSelection> ofStates(LiveTables live, long now) {
    if (live.tables().stream().noneMatch(CandidateSelection::isSpecial)) {
      // Nearly always, and there may be very many.
      return live.tables().isEmpty()
          ? List.of()
          : List.of(new CandidateSelection("", live.tables(), live, now));
    }
    List<LiveTable> unrepaired = new ArrayList<>();
    List<LiveTable> repaired = new ArrayList<>();
    for (LiveTable table : live.tables()) {
      if (table.repair().isSetApart()) {
        continue;
      }
      (table.repair().isRepaired() ? repaired : unrepaired).add(table);
    }
    boolean isMixed = !unrepaired.isEmpty() && !repaired.isEmpty();
    List<CandidateSelection> selections = new ArrayList<>();
    if (!unrepaired.isEmpty()) {
      selections.add(new CandidateSelection(isMixed ? "not repaired" : "", unrepaired, live, now));
    }
    if (!repaired.isEmpty()) {
      selections.add(new CandidateSelection(isMixed ? "repaired" : "", repaired, live, now));
    }
    return selections;
  }

  private static boolean isSpecial(LiveTable table) {
    return !table.repair().equals(RepairState.UNREPAIRED);
  }

  /** All tables, by first key. */
  List<LiveTable> tables() {
    return tables;
  }

  /** Those that a job may take, by first key. */
  List<LiveTable> free() {
    return tables.stream().filter(this::isFree).toList();
  }

  /** Whether a job may take it: no other has it, and it is not damaged. */
  boolean isFree(LiveTable table) {
    return table.isFree() && !isTaken(table);
  }

  /** Whether a job has it. */
  boolean isBusy(LiveTable table) {
    return table.isClaimed() || isTaken(table);
  }

  private boolean isTaken(LiveTable table) {
    return !taken.isEmpty() && taken.contains(table);
  }

  /** What it is a part of. */
  LiveTables live() {
    return live;
  }

  /** In milliseconds since 1970. */
  long now() {
    return now;
  }

  /** Adds a job; its inputs must be free, and are not any more. */
  void take(Job job) {
    job.inputs()
        .forEach(
            input -> {
              if (!input.isFree() || !taken.add(input)) {
                throw new IllegalStateException(input.descriptor() + " is taken twice");
              }
            });
    jobs.add(job);
  }

  /** The jobs so far. */
  List<Job> jobs() {
    return Collections.unmodifiableList(jobs);
  }

  /** Says why something is left alone. */
  void remark(String sentence) {
    remarks.add(label.isEmpty() ? sentence : label + ": " + sentence);
  }

  List<String> remarks() {
    return Collections.unmodifiableList(remarks);
  }

  /** Bytes of all their data files. */
  static long onDiskBytes(Collection<LiveTable> tables) {
    long bytes = 0;
    for (LiveTable table : tables) {
      bytes += table.onDiskBytes();
    }
    return bytes;
  }
}
