package io.siltstone.explain;

import java.util.List;

/**
 * Whether the next compaction of all SSTables would purge a finding, and if not, why.
 *
 * @param kind the outcome
 * @param from for {@link Kind#GRACE} the time from which it may be purged, in seconds since 1970;
 *     else 0
 * @param sources for {@link Kind#GOES} the other SSTables without which the compaction would keep
 *     it; for {@link Kind#OVERLAP} the sources that may have older data and cannot be merged with
 *     it; for {@link Kind#SHADOW_OUTSIDE} the source of the shadow; else none
 */
public record PurgeOutcome(Kind kind, long from, List<Source> sources) {

  /** The kinds of outcome. */
  public enum Kind {
    /** It is purged. */
    GOES,
    /** It is live, and kept. */
    LIVES,
    /** It is in a memtable; compaction sees it after a flush. */
    IN_MEMORY,
    /** It is dead, but kept, since {@code gc_grace_seconds} are not over. */
    GRACE,
    /** It is dead, but kept, since it may shadow older data outside the compaction (overlap). */
    OVERLAP,
    /** It is kept, since the data that shadows it is not part of the compaction. */
    SHADOW_OUTSIDE,
    /**
     * It is kept, since only repaired data may be purged: {@code only_purge_repaired_tombstones}.
     */
    UNREPAIRED,
    /** Its SSTable is part of a repair that has not ended, and is not compacted. */
    SET_APART
  }

  /** Copies the list. */
  public PurgeOutcome {
    sources = List.copyOf(sources);
  }

  /** Returns whether it is purged. */
  public boolean isPurgeable() {
    return kind == Kind.GOES;
  }
}
