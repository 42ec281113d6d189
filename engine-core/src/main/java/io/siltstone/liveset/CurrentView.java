package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The view of a live set that readers acquire, and the lock that guards its replacement.
 *
 * <p>{@link #acquire} and {@link #isCurrent} are safe for all threads and need no lock. All other
 * methods are called between {@link #lock} and {@link #unlock}. Observers are not called with the
 * lock held.
 */
final class CurrentView {
  private final String path;
  private final LiveSetOptions options;
  private final ReentrantLock lock = new ReentrantLock();
  // Null once the live set is closed.
  private volatile @Nullable View view;
  private long droppedBelow;
  private @Nullable RetentionFloor floor;
  private @Nullable IOException refusal;

  /**
   * @param path of the directory, for messages
   * @param tables the live SSTables at the opening
   * @param floor the retention floor at the opening; null for none
   * @param keyRanges the deletions of ranges of keys at the opening; null for none
   */
  CurrentView(
      String path,
      LiveSetOptions options,
      List<CountedSSTable> tables,
      @Nullable RetentionFloor floor,
      @Nullable KeyRangeDeletions keyRanges) {
    this.path = path;
    this.options = options;
    this.floor = floor;
    this.view = new View(tables, 0, floor, keyRanges);
  }

  /**
   * Acquires the view, to be released by the caller.
   *
   * @throws IllegalStateException if the live set is closed
   */
  View acquire() {
    while (true) {
      View present = view;
      if (present == null) {
        throw closed();
      }
      // This fails only if the view was replaced since: then there is a newer one.
      if (present.tryRetain()) {
        return present;
      }
    }
  }

  private IllegalStateException closed() {
    return new IllegalStateException(path + " is closed");
  }

  /** Returns whether a view has not been replaced yet. */
  boolean isCurrent(View other) {
    return view == other;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Returns whether the live set is closed. */
  boolean isClosed() {
    return view == null;
  }

  /**
   * Returns the view, without a reference for the caller.
   *
   * @throws IllegalStateException if the live set is closed
   */
  View open() {
    View present = view;
    if (present == null) {
      throw closed();
    }
    return present;
  }

  /**
   * Returns the view, which is to be replaced.
   *
   * @throws IOException if changes are refused until the live set is opened again
   * @throws IllegalStateException if it is closed, or open for reading only
   */
  View changeable() throws IOException {
    View present = open();
    if (options.isReadOnly()) {
      throw new IllegalStateException(path + " is open for reading only");
    }
    IOException reason = refusal;
    if (reason != null) {
      throw new IOException(
          path + " refuses changes until it is opened again: " + reason.getMessage(), reason);
    }
    options.guard().requireOwned();
    return present;
  }

  /** Returns whether an earlier failure forbids changes, or the live set is read only. */
  boolean refusesChanges() {
    return options.isReadOnly() || refusal != null;
  }

  /** Forbids all further changes, since it is not known whether the last one has happened. */
  void refuseChanges(IOException cause) {
    refusal = cause;
  }

  /** Returns the generation below which the last truncation has dropped SSTables; 0 for none. */
  long droppedBelow() {
    return droppedBelow;
  }

  /** Sets what {@link View#droppedBelow} of all later views returns. */
  void dropBelow(long generation) {
    droppedBelow = generation;
  }

  /** Sets what {@link View#floor} of all later views returns. */
  void raise(RetentionFloor to) {
    floor = to;
  }

  /**
   * Returns the tables of a view without some, and with others.
   *
   * @throws CancellationException if one that is to be removed is not in the view any more
   */
  List<CountedSSTable> replaced(
      View before, List<CountedSSTable> removed, List<CountedSSTable> added) {
    List<CountedSSTable> after = new ArrayList<>(before.tracked());
    after.removeAll(removed);
    if (after.size() != before.tracked().size() - removed.size()) {
      throw new CancellationException(
          "SSTables of the claim were dropped from " + path + " meanwhile");
    }
    after.addAll(added);
    return after;
  }

  /** Creates a view to be {@linkplain #show shown}; the caller retires it if it is not. */
  View create(List<CountedSSTable> tables) {
    return create(tables, open().keyRanges());
  }

  /** Creates a view as {@link #create(List)}, with other deletions of ranges of keys. */
  View create(List<CountedSSTable> tables, @Nullable KeyRangeDeletions keyRanges) {
    return new View(tables, droppedBelow, floor, keyRanges);
  }

  /** Makes a view the current one. The caller retires the one before. */
  void show(View next) {
    view = next;
  }

  /**
   * Shows what a view of another live set of the directory shows, and retires the view before; for
   * a live set that is only read.
   */
  void showOnly(View other) {
    showOnly(other.tracked(), other.floor(), other.keyRanges());
  }

  /**
   * Shows other tables with a retention floor and deletions of ranges of keys; otherwise as {@link
   * #showOnly(View)}.
   */
  void showOnly(
      List<CountedSSTable> tables,
      @Nullable RetentionFloor with,
      @Nullable KeyRangeDeletions ranges) {
    lock();
    try {
      View before = open();
      floor = with;
      show(create(tables, ranges));
      before.retire();
    } finally {
      unlock();
    }
  }

  /**
   * Closes the live set for readers; returns the last view, to be retired; null if it was closed.
   */
  @Nullable View close() {
    View last = view;
    view = null;
    return last;
  }
}
