package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.io.InDoubtException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SSTables that are about to be added to the view of a live set, which nobody else can change until
 * this is closed. Confined to one thread.
 */
final class Addition implements AutoCloseable {
  private final CurrentView current;
  private final View before;
  private @Nullable View after;
  private boolean isShown;

  private Addition(CurrentView current, View before, View after) {
    this.current = current;
    this.before = before;
    this.after = after;
  }

  /**
   * Takes the lock of a view, and prepares the view with some more SSTables.
   *
   * @param keyRanges writes the deletions of ranges of keys
   * @param flushed such deletions that become visible with them; null for none
   * @throws IOException if changes are refused
   */
  static Addition begin(
      CurrentView current,
      KeyRangeDeletionStore keyRanges,
      List<CountedSSTable> added,
      @Nullable KeyRangeDeletions flushed)
      throws IOException {
    current.lock();
    try {
      View before = current.changeable();
      List<CountedSSTable> after = current.replaced(before, List.of(), added);
      return new Addition(
          current, before, keyRanges.prepare(after, List.of(), added, flushed, false));
    } catch (InDoubtException e) {
      current.refuseChanges(e);
      current.unlock();
      throw e;
    } catch (Throwable e) {
      current.unlock();
      throw e;
    }
  }

  /** Shows the SSTables to readers. */
  void show() {
    if (after != null) {
      current.show(after);
      isShown = true;
    }
  }

  /** Refuses all further changes, since it is not known whether this one has happened. */
  void refuseChanges(InDoubtException cause) {
    current.refuseChanges(cause);
  }

  /** Releases the lock, and the view that is not shown. A second call does nothing. */
  @Override
  public void close() {
    View prepared = after;
    if (prepared != null) {
      after = null;
      current.unlock();
      (isShown ? before : prepared).retire();
    }
  }
}
