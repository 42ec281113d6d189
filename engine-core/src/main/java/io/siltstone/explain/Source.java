package io.siltstone.explain;

/**
 * A memtable or an SSTable that may have data of a key, or the deletions of ranges of keys.
 *
 * @param name for the user: an SSTable's descriptor, or {@code memtable}
 * @param kind which of these, and which SSTables it may be merged with
 * @param minTimestamp lower bound of all its timestamps, in microseconds
 */
public record Source(String name, Kind kind, long minTimestamp) {

  /** SSTables of different kinds are never merged with each other. */
  public enum Kind {
    /** A memtable, which is not in a file yet. */
    MEMTABLE,
    /** An SSTable that was not repaired: the usual kind. */
    UNREPAIRED,
    /** An SSTable that Cassandra has repaired. */
    REPAIRED,
    /** An SSTable of a repair that has not ended: it is never merged. */
    SET_APART,
    /** An SSTable that could not be opened and was quarantined; its contents are unknown. */
    QUARANTINED,
    /** The deletions of ranges of keys that are kept beside the SSTables. */
    KEY_RANGES
  }

  /** Returns whether the source is a memtable. */
  public boolean isMemtable() {
    return kind == Kind.MEMTABLE;
  }

  @Override
  public String toString() {
    return name;
  }
}
