package io.siltstone.compaction.strategy;

/**
 * Tables that a strategy sees together, for the operator: a level, a window of time, a size.
 *
 * @param order groups of one strategy are shown in ascending order of it, and differ in it
 * @param name e.g. {@code level 2}, {@code window of 2027-01-15T00:00:00Z}, {@code up to 4 GiB}
 */
public record TableGroup(long order, String name) implements Comparable<TableGroup> {
  @Override
  public int compareTo(TableGroup other) {
    return Long.compare(order, other.order);
  }
}
