package io.siltstone.sstable.metadata;

import java.util.Optional;
import java.util.UUID;

/**
 * The state of an SSTable in Cassandra's repair: repaired, unrepaired, or part of a running repair.
 * SSTables of different states are never merged with each other, because unrepaired data must not
 * become part of a repaired SSTable. Immutable, safe for use by all threads.
 *
 * @param repairedAt in milliseconds since 1970, or {@link StatsMetadata#UNREPAIRED}
 * @param pendingRepair the repair session it is part of, if that has not ended
 * @param isTransient whether it is of a transient replica
 */
public record RepairState(long repairedAt, Optional<UUID> pendingRepair, boolean isTransient) {
  /** The state of an SSTable that was never repaired. */
  public static final RepairState UNREPAIRED =
      new RepairState(StatsMetadata.UNREPAIRED, Optional.empty(), false);

  /** Returns the state for a part of the data when the rest was lost: it is not repaired. */
  public RepairState withoutTime() {
    return new RepairState(StatsMetadata.UNREPAIRED, pendingRepair, isTransient);
  }

  /** Returns whether it has been repaired. */
  public boolean isRepaired() {
    return repairedAt != StatsMetadata.UNREPAIRED;
  }

  /** Returns whether it is part of a repair that has not ended, or of a transient replica. */
  public boolean isRepairSeparated() {
    return pendingRepair.isPresent() || isTransient;
  }

  /** Returns whether SSTables of both states may be merged; the times of two repairs may differ. */
  public boolean isMergeableWith(RepairState other) {
    return isRepaired() == other.isRepaired()
        && isTransient == other.isTransient
        && pendingRepair.equals(other.pendingRepair);
  }

  /**
   * Returns the state of the merge of SSTables of both: repaired at the earlier time.
   *
   * @throws IllegalArgumentException if they may not be merged
   */
  public RepairState mergedWith(RepairState other) {
    if (!isMergeableWith(other)) {
      throw new IllegalArgumentException(
          "SSTables of different states of repair are not merged: " + this + ", " + other);
    }
    return repairedAt <= other.repairedAt ? this : other;
  }

  @Override
  public String toString() {
    return (isRepaired() ? "repaired" : "unrepaired")
        + pendingRepair.map(session -> ", pending " + session).orElse("")
        + (isTransient ? ", transient" : "");
  }
}
