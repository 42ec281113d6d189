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
 * Selects the candidates of one plan: the SSTables of one repair state (repaired or unrepaired,
 * which are never merged with each other), which of them are still free, and which jobs have taken
 * the others. Confined to one thread.
 */
final class CandidateSelection {
  private final String label;
  private final List<LiveTable> tables;
  private final LiveTables live;
  private final long now;
  // Usually small, even if the table has many SSTables.
  private final Set<LiveTable> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Job> jobs = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param label the text that remarks begin with; empty for none
   * @param tables SSTables in the order of their first keys; claimed and damaged ones are not free
   * @param live all live SSTables of the table, which include these
   * @param now in milliseconds since 1970
   */
  private CandidateSelection(String label, List<LiveTable> tables, LiveTables live, long now) {
    this.label = label;
    this.tables = tables;
    this.live = live;
    this.now = now;
  }

  /**
   * Returns one selection of the unrepaired SSTables and one of the repaired ones, leaving out
   * empty ones. SSTables of a pending repair or of a transient replica are in neither.
   */
  static List<CandidateSelection> byRepairState(LiveTables live, long now) {
    if (live.tables().stream().noneMatch(CandidateSelection::isRepairSeparated)) {
      // This is the usual case, and there may be very many SSTables.
      return live.tables().isEmpty()
          ? List.of()
          : List.of(new CandidateSelection("", live.tables(), live, now));
    }
    List<LiveTable> unrepaired = new ArrayList<>();
    List<LiveTable> repaired = new ArrayList<>();
    for (LiveTable table : live.tables()) {
      if (table.repair().isRepairSeparated()) {
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

  private static boolean isRepairSeparated(LiveTable table) {
    return !table.repair().equals(RepairState.UNREPAIRED);
  }

  /** Returns all SSTables, in the order of their first keys. */
  List<LiveTable> tables() {
    return tables;
  }

  /** Returns the SSTables that a job may take, in the order of their first keys. */
  List<LiveTable> free() {
    return tables.stream().filter(this::isFree).toList();
  }

  /** Returns whether a job may take the SSTable: no other job has it, and it is not damaged. */
  boolean isFree(LiveTable table) {
    return table.isFree() && !isTaken(table);
  }

  /** Returns whether a running job or a job of this plan has the SSTable. */
  boolean isBusy(LiveTable table) {
    return table.isClaimed() || isTaken(table);
  }

  private boolean isTaken(LiveTable table) {
    return !taken.isEmpty() && taken.contains(table);
  }

  /** Returns all live SSTables of the table, of whatever repair state. */
  LiveTables live() {
    return live;
  }

  /** Returns the time of the plan in milliseconds since 1970. */
  long now() {
    return now;
  }

  /** Adds a job to the plan. Its inputs must be free, and are taken afterwards. */
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

  /** Returns the jobs added so far. */
  List<Job> jobs() {
    return Collections.unmodifiableList(jobs);
  }

  /** Adds a sentence for the operator that says why some SSTables are left alone. */
  void remark(String sentence) {
    remarks.add(label.isEmpty() ? sentence : label + ": " + sentence);
  }

  List<String> remarks() {
    return Collections.unmodifiableList(remarks);
  }

  /** Returns the bytes of all their data files. */
  static long onDiskBytes(Collection<LiveTable> tables) {
    long bytes = 0;
    for (LiveTable table : tables) {
      bytes += table.onDiskBytes();
    }
    return bytes;
  }
}
