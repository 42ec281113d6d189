package io.siltstone.sstable.metadata;

import java.util.Optional;
import java.util.UUID;

/**
 * How far an SSTable is in Cassandra's repair. SSTables of different states are never merged with
 * each other, so that none is taken for repaired that is not. Immutable, safe for all threads.
 *
 * @param repairedAt in milliseconds since 1970, or {@link StatsMetadata#UNREPAIRED}
 * @param pendingRepair the repair session it is part of, if that has not ended
 * @param isTransient whether it is of a transient replica
 */
public record RepairState(long repairedAt, Optional<UUID> pendingRepair, boolean isTransient) {
  /** Of what no repair has seen. */
  public static final RepairState UNREPAIRED =
      new RepairState(StatsMetadata.UNREPAIRED, Optional.empty(), false);

  /** Of a part of this, when the rest was lost: not repaired. */
  public RepairState withoutTime() {
    return new RepairState(StatsMetadata.UNREPAIRED, pendingRepair, isTransient);
  }

  /** Whether it has been repaired. */
  public boolean isRepaired() {
    return repairedAt != StatsMetadata.UNREPAIRED;
  }

  /** Whether it is part of a repair that has not ended, or of a transient replica. */
  public boolean isRepairSeparated() {
    return pendingRepair.isPresent() || isTransient;
  }

  /** Whether SSTables of the two may be merged: of repaired ones the times do not matter. */
  public boolean isMergeableWith(RepairState other) {
    return isRepaired() == other.isRepaired()
        && isTransient == other.isTransient
        && pendingRepair.equals(other.pendingRepair);
  }

  /**
   * Of what is merged of SSTables of the two: repaired since the earlier time.
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
