package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.threads.References;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live SSTables at one moment. While a view is held, they stay open and their files stay.
 *
 * <p>{@link LiveSet#acquire()} returns the same view to any number of holders, each of whom calls
 * {@link #release()} exactly once and uses neither view nor SSTables afterwards. Acquiring and
 * releasing cost one atomic operation each and allocate nothing. Safe for all threads.
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
  private final @Nullable RetentionFloor floor;
  private final @Nullable KeyRangeDeletions keyRanges;
  private final List<SSTable> newestFirst;
  private final List<SSTable> byFirstKey;
  // Given up by the live set once there is another view.
  private final References holders = new References(this::releaseTables);

  /**
   * @param tracked the SSTables, each of which gets a reference
   * @param droppedBelow see {@link #droppedBelow()}
   * @param floor see {@link #floor()}
   * @param keyRanges see {@link #keyRanges()}
   */
  View(
      List<CountedSSTable> tracked,
      long droppedBelow,
      @Nullable RetentionFloor floor,
      @Nullable KeyRangeDeletions keyRanges) {
    this.tracked = List.copyOf(tracked);
    this.droppedBelow = droppedBelow;
    this.floor = floor;
    this.keyRanges = keyRanges;
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
   * Returns the SSTables by greatest timestamp, descending: after finding data that is newer than
   * the greatest timestamp of an SSTable, a read can skip that one and all that follow.
   */
  public List<SSTable> newestFirst() {
    return newestFirst;
  }

  /** Returns the SSTables by first key, ascending. */
  public List<SSTable> byFirstKey() {
    return byFirstKey;
  }

  /**
   * Returns the generation of the last {@link Truncation#dropAll} before this view; 0 if there was
   * none since the opening. What was in memtables before that truncation is gone, too.
   */
  public long droppedBelow() {
    return droppedBelow;
  }

  /**
   * Returns the retention floor: what is below it in SSTables or memtables is hidden, and may have
   * been purged. Null if the table has none.
   */
  public @Nullable RetentionFloor floor() {
    return floor;
  }

  /**
   * Returns the deletions of ranges of keys that were flushed and are still needed: what they have
   * deleted may be in the SSTables, and may have been purged. Null if there are none.
   */
  public @Nullable KeyRangeDeletions keyRanges() {
    return keyRanges;
  }

  /**
   * Releases the view; allowed also after the live set was closed.
   *
   * @throws IllegalStateException if it was released more often than acquired, as far as that can
   *     be detected
   */
  public void release() {
    holders.release();
  }

  /**
   * Opens what readers that are still open may need of the SSTables, before the files are deleted
   * under them, as by the drop of the table. To be called when the live set is closed and the
   * caller has released the view.
   */
  public void openFilesInUse() {
    tracked.forEach(CountedSSTable::openFilesIfInUse);
  }

  /** Acquires the view; returns false if it is not the current one any more. */
  boolean tryRetain() {
    return holders.tryAcquire();
  }

  /** Gives up the view, since the live set has another one. */
  void retire() {
    holders.giveUp();
  }

  private void releaseTables() {
    tracked.forEach(CountedSSTable::release);
  }

  List<CountedSSTable> tracked() {
    return tracked;
  }

  /**
   * Returns the open SSTable of a data file, by the name and the identity of the file; null if
   * there is none.
   */
  @Nullable CountedSSTable find(Descriptor descriptor, Object identity) {
    for (CountedSSTable one : tracked) {
      if (one.table.descriptor().equals(descriptor) && one.isOf(identity)) {
        return one;
      }
    }
    return null;
  }
}
