package io.siltstone.campaigns;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Named numbers that are added up. Safe for use by any number of threads. */
public final class Counts {
  private final SortedMap<String, Long> values = new TreeMap<>();

  /** Adds one. */
  public void add(String name) {
    add(name, 1);
  }

  /** Adds a number. */
  public synchronized void add(String name, long count) {
    values.merge(name, count, Long::sum);
  }

  /** Adds all numbers of another. */
  public void addAll(Map<String, Long> others) {
    others.forEach(this::add);
  }

  /** Returns a number, 0 if nothing was added. */
  public synchronized long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  /** Returns a copy of all numbers, sorted by name. */
  public synchronized SortedMap<String, Long> all() {
    return new TreeMap<>(values);
  }
}
