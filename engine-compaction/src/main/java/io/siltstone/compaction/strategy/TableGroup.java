package io.siltstone.compaction.strategy;

/**
 * SSTables that a strategy treats as one group, for the operator: a level, a time window or a size
 * tier.
 *
 * @param order groups are shown in ascending order of it; it differs between the groups of a
 *     strategy
 * @param name e.g. {@code level 2}, {@code window of 2027-01-15T00:00:00Z}, {@code up to 4 GiB}
 */
public record TableGroup(long order, String name) implements Comparable<TableGroup> {
  @Override
  public int compareTo(TableGroup other) {
    return Long.compare(order, other.order);
  }
}
