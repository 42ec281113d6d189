package io.siltstone.liveset;

import io.siltstone.io.InDoubtException;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The truncation of a table: makes all its SSTables obsolete at once, and completes a truncation
 * that a crash has interrupted.
 *
 * <p>The commit log records a truncation as the generation below which SSTables were dropped,
 * before they are. So a truncation either happens as a whole or not at all: replay completes it.
 *
 * <p>Safe for all threads.
 */
public final class Truncation {
  private final LiveSet liveSet;
  private final CurrentView current;
  private final FlushedPositionStore positions;
  private final KeyRangeDeletionStore keyRanges;
  private final OutputFactory outputFactory;
  private final boolean isReadOnly;

  Truncation(
      LiveSet liveSet,
      CurrentView current,
      FlushedPositionStore positions,
      KeyRangeDeletionStore keyRanges,
      OutputFactory outputFactory,
      boolean isReadOnly) {
    this.liveSet = liveSet;
    this.current = current;
    this.positions = positions;
    this.keyRanges = keyRanges;
    this.outputFactory = outputFactory;
    this.isReadOnly = isReadOnly;
  }

  /** Records durably that the SSTables of a table are about to be dropped. */
  @FunctionalInterface
  public interface DropNotice {
    /**
     * Writes the record. Nobody can change the live set until this returns.
     *
     * @param generation all SSTables to be dropped have lesser generations, all later ones do not
     */
    void write(long generation) throws IOException;
  }

  /**
   * Makes all SSTables obsolete, durably and at once, including those of claims, which can no
   * longer be committed. The observer is not notified, as the caller may hold locks: the caller
   * passes the change to {@link LiveSet#tell}, and a failure to nobody.
   *
   * @param notice is written first; if that fails, nothing has changed
   * @return the change, for {@link LiveSet#tell}
   * @throws IOException after which it may be unknown whether they were dropped; if so, all further
   *     changes are refused
   */
  public LiveSetChange dropAll(DropNotice notice) throws IOException {
    current.lock();
    try {
      var unused = current.changeable();
      return drop(table -> true, notice, outputFactory.generationToCome(), true);
    } finally {
      current.unlock();
    }
  }

  /**
   * Completes a {@link #dropAll} whose notice was found after a crash: makes the SSTables obsolete
   * that were there before it. If the live set is read only, they are hidden.
   *
   * @param generation of the notice. All later SSTables get this or a greater one, even if the
   *     SSTables that it was derived from are gone
   * @param isOlder selects SSTables of other generations whose content is older than the notice
   */
  public void dropBelow(long generation, Predicate<SSTable> isOlder) throws IOException {
    Predicate<CountedSSTable> isDropped =
        counted -> generationOf(counted) < generation || isOlder.test(counted.table);
    if (isReadOnly) {
      hide(isDropped);
      return;
    }
    outputFactory.startAt(generation);
    try {
      // Without a generation the truncation was done before, and the deletions came after it.
      liveSet.notifyObserver(drop(isDropped, null, 0, generation > 0));
    } catch (InDoubtException e) {
      liveSet.observeRefusal(e);
      throw e;
    }
  }

  private void hide(Predicate<CountedSSTable> isHidden) {
    current.lock();
    try {
      View present = current.open();
      current.showOnly(
          present.tracked().stream().filter(Predicate.not(isHidden)).toList(),
          present.floor(),
          present.keyRanges());
    } finally {
      current.unlock();
    }
  }

  /**
   * Makes SSTables obsolete.
   *
   * @param notice is written when little can fail any more; null for none
   * @param limit the generation for the notice
   * @param isWhole whether deletions of ranges of keys are removed, too
   */
  private LiveSetChange drop(
      Predicate<CountedSSTable> isDropped, @Nullable DropNotice notice, long limit, boolean isWhole)
      throws IOException {
    current.lock();
    try {
      View view = current.changeable();
      List<CountedSSTable> dropped = view.tracked().stream().filter(isDropped).toList();
      dropped.forEach(CountedSSTable::retain);
      long before = current.droppedBelow();
      try (Transaction all = liveSet.begin(LiveSetChange.Cause.TRUNCATE, dropped)) {
        all.prepare();
        keyRanges.settle();
        if (notice != null) {
          // The positions are true in any case; after the notice nothing of this may fail.
          positions.keep(dropped, current.replaced(view, dropped, List.of()));
          notice.write(limit);
          current.dropBelow(limit);
        }
        if (isWhole) {
          keyRanges.truncated();
        }
        LiveSetChange change = all.apply();
        View shown = current.open();
        if (dropped.isEmpty() || (isWhole && shown.keyRanges() != null)) {
          // If no SSTable was replaced, memtables are removed with the new view.
          current.show(current.create(shown.tracked(), isWhole ? null : shown.keyRanges()));
          shown.retire();
        }
        return change;
      } catch (Throwable e) {
        current.dropBelow(before);
        throw e;
      }
    } finally {
      current.unlock();
    }
  }

  /** Returns 0 for identifiers of Cassandra's: such an SSTable was there before all of ours. */
  private static long generationOf(CountedSSTable counted) {
    return SSTableComponents.generation(counted.table.descriptor().fileName(Component.DATA));
  }
}
