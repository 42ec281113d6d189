package io.siltstone.event;

import java.util.List;

/**
 * The recovery of a table's directory at opening: files found beside its live SSTables.
 *
 * @param completed logs of committed transactions, whose obsolete files were deleted
 * @param undone logs of uncommitted transactions, whose new files were deleted
 * @param removed other files of interrupted writers, which were deleted
 * @param orphans components without a data file; they were kept, since they are not proven to be
 *     useless
 * @param quarantined SSTables that cannot be read and were quarantined; always empty without
 *     leniency
 */
public record RecoveryReport(
    List<String> completed,
    List<String> undone,
    List<String> removed,
    List<String> orphans,
    List<EngineListener.CorruptionFound> quarantined) {
  /** Copies the lists. */
  public RecoveryReport {
    completed = List.copyOf(completed);
    undone = List.copyOf(undone);
    removed = List.copyOf(removed);
    orphans = List.copyOf(orphans);
    quarantined = List.copyOf(quarantined);
  }
}
