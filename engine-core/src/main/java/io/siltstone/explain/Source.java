package io.siltstone.explain;

/**
 * A memtable or an SSTable that may have something of a key.
 *
 * @param name for the user: an SSTable's descriptor, or {@code memtable}
 * @param kind which of the two, and which SSTables it may be merged with
 * @param minTimestamp at most the least timestamp of all that it has, in microseconds
 */
public record Source(String name, Kind kind, long minTimestamp) {

  /** SSTables of different kinds are never merged with each other. */
  public enum Kind {
    /** Not in a file yet. */
    MEMTABLE,
    /** Returns an SSTable that was not repaired: the usual kind. */
    UNREPAIRED,
    /** Returns an SSTable that Cassandra has repaired. */
    REPAIRED,
    /** Returns an SSTable of a repair that has not ended: it is not merged at all. */
    SET_APART,
    /** Returns an SSTable that could not be opened: what it has, nobody knows. */
    SET_ASIDE
  }

  /** Returns whether it is in memory. */
  public boolean isMemtable() {
    return kind == Kind.MEMTABLE;
  }

  @Override
  public String toString() {
    return name;
  }
}
