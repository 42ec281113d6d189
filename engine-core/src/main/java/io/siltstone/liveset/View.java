package io.siltstone.liveset;

import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.threads.References;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

  private final List<CountedSSTable> tracked;
  private final long droppedBelow;
  private final List<SSTable> newestFirst;
  private final List<SSTable> byFirstKey;
  // Given up by the live set once there is another view.
  private final References holders = new References(this::releaseTables);

  /**
   * @param tracked each gets a reference
   * @param droppedBelow see {@link #droppedBelow()}
   */
  View(List<CountedSSTable> tracked, long droppedBelow) {
    this.tracked = List.copyOf(tracked);
    this.droppedBelow = droppedBelow;
    List<SSTable> tables = new ArrayList<>();
    for (CountedSSTable one : tracked) {
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
   * The generation that the last {@link Truncation#dropAll} before it has told of; 0 if there was
   * none since the live set was opened. What was in memtables before that drop is gone as well.
   */
  public long droppedBelow() {
    return droppedBelow;
  }

  /**
   * Gives it back; also after the live set was closed.
   *
   * @throws IllegalStateException if it was given back more often than taken, as far as that can be
   *     told
   */
  public void release() {
    holders.release();
  }

  /** False if it is not the present one any more. */
  boolean tryRetain() {
    return holders.tryAcquire();
  }

  /** The live set goes on with another one. */
  void retire() {
    holders.giveUp();
  }

  private void releaseTables() {
    tracked.forEach(CountedSSTable::release);
  }

  List<CountedSSTable> tracked() {
    return tracked;
  }
}
