package io.siltstone.campaigns.run;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Adds up named counts. Safe for use by any number of threads. */
public final class Counts {
  private final SortedMap<String, Long> values = new TreeMap<>();

  /** Adds 1 to a count. */
  public void add(String name) {
    add(name, 1);
  }

  /** Adds to a count. */
  public synchronized void add(String name, long count) {
    values.merge(name, count, Long::sum);
  }

  /** Adds to all counts that are named. */
  public void addAll(Map<String, Long> others) {
    others.forEach(this::add);
  }

  /** Returns a count, 0 if nothing was added. */
  public synchronized long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  /** Returns a copy of all counts, sorted by name. */
  public synchronized SortedMap<String, Long> all() {
    return new TreeMap<>(values);
  }
}
