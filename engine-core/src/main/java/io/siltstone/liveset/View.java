package io.siltstone.liveset;

import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The live SSTables at one moment: they stay open, and their files stay, as long as it is held.
 *
 * <p>Given out by {@link LiveSet#acquire()} to any number of holders at once, each of whom calls
 * {@link #release()} exactly once and uses neither view nor tables afterwards. To take and give
 * back costs one atomic operation each and allocates nothing. Safe for all threads.
 */
public final class View {
  private static final Comparator<SSTable> NEWEST_FIRST =
      Comparator.comparingLong((SSTable table) -> stats(table).maxTimestamp())
          .reversed()
          .thenComparing(table -> table.descriptor().toString());

  private static final Comparator<SSTable> BY_FIRST_KEY =
      Comparator.comparing(SSTable::firstKey).thenComparing(table -> table.descriptor().toString());

  private final List<Tracked> tracked;
  private final List<SSTable> newestFirst;
  private final List<SSTable> byFirstKey;
  // The live set itself is the first holder.
  private final AtomicInteger holders = new AtomicInteger(1);

  View(List<Tracked> tracked) {
    this.tracked = List.copyOf(tracked);
    List<SSTable> tables = new ArrayList<>();
    for (Tracked one : tracked) {
      one.retain();
      tables.add(one.table);
    }
    this.newestFirst = tables.stream().sorted(NEWEST_FIRST).toList();
    this.byFirstKey = tables.stream().sorted(BY_FIRST_KEY).toList();
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }

  /**
   * By greatest timestamp, descending: whoever has found something newer than the greatest
   * timestamp of a table need not ask that one, nor those behind it.
   */
  public List<SSTable> newestFirst() {
    return newestFirst;
  }

  /** By first key, ascending. */
  public List<SSTable> byFirstKey() {
    return byFirstKey;
  }

  /**
   * Gives it back; also after the live set was closed.
   *
   * @throws IllegalStateException if it was given back more often than taken
   */
  public void release() {
    int left = holders.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("a view was released more often than acquired");
    }
    if (left == 0) {
      tracked.forEach(Tracked::release);
    }
  }

  /** False if the last holder has given it back. */
  boolean tryRetain() {
    int count = holders.get();
    while (count > 0) {
      int found = holders.compareAndExchange(count, count + 1);
      if (found == count) {
        return true;
      }
      count = found;
    }
    return false;
  }

  List<Tracked> tracked() {
    return tracked;
  }
}
