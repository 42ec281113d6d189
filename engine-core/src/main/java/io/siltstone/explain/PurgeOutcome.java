package io.siltstone.explain;

import java.util.List;

/**
 * What the next compaction of all SSTables would make of something.
 *
 * @param kind whether it goes, and if not, why
 * @param from of {@link Kind#GRACE}: the second since 1970 from which on it may be forgotten, if
 *     nothing else is against it; else 0
 * @param sources of {@link Kind#GOES}: other SSTables without which the compaction would keep it;
 *     of {@link Kind#OVERLAP}: what may have older data and cannot be merged with it; of {@link
 *     Kind#SHADOW_OUTSIDE}: where the shadow is; else none
 */
public record PurgeOutcome(Kind kind, long from, List<Source> sources) {

  /** Whether it goes, and if not, why. */
  public enum Kind {
    /** It goes. */
    GOES,
    /** It is live, and stays. */
    LIVES,
    /** It is in memory; compaction sees it when it is flushed. */
    IN_MEMORY,
    /** It is dead, and {@code gc_grace_seconds} are not over. */
    GRACE,
    /** It is dead, and might shadow something older that is not part of the compaction. */
    OVERLAP,
    /** What shadows it is not part of the compaction. */
    SHADOW_OUTSIDE,
    /** Only what is repaired may be forgotten: {@code only_purge_repaired_tombstones}. */
    UNREPAIRED,
    /** Its SSTable is part of a repair that has not ended, and is not compacted. */
    SET_APART
  }

  /** Copies the list. */
  public PurgeOutcome {
    sources = List.copyOf(sources);
  }

  /** Whether it goes. */
  public boolean isPurgeable() {
    return kind == Kind.GOES;
  }
}
