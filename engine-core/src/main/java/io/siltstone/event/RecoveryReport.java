package io.siltstone.event;

import java.util.List;

/**
 * What was found in a table's directory when it was opened, beside its live SSTables.
 *
 * @param completed logs of transactions that had happened, and whose obsolete files were removed
 * @param undone logs of transactions that had not happened, and whose new files were removed
 * @param removed other files that interrupted writers had left, and which were removed
 * @param orphans components without a data file; they were left alone, since nothing proves that
 *     they are of no use to anybody
 * @param setAside SSTables that cannot be read and were left alone: without leniency there are none
 */
public record RecoveryReport(
    List<String> completed,
    List<String> undone,
    List<String> removed,
    List<String> orphans,
    List<EngineListener.CorruptionFound> setAside) {
  /** Copies the lists. */
  public RecoveryReport {
    completed = List.copyOf(completed);
    undone = List.copyOf(undone);
    removed = List.copyOf(removed);
    orphans = List.copyOf(orphans);
    setAside = List.copyOf(setAside);
  }
}
