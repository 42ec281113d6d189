package io.siltstone.keyvalue;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the entries of a table merged with what a batch has staged for it: a staged put
 * replaces an entry, a staged deletion of a key or of a range of keys hides it.
 *
 * <p>Both sources move in one direction. When that changes, both are sought again from the present
 * key. A step allocates nothing beyond what the steps of the sources do.
 */
final class MergedEntries extends EntryCursor {
  private final EntryCursor stored;
  private final StagedView view;
  private final byte[] from;
  private final byte @Nullable [] to;

  private boolean isForward = true;
  // Whether the table has no more entries in this direction: a deleted range without end covers
  // them.
  private boolean isStoredOver;
  private Iterator<StagedChange> walk = Collections.emptyIterator();
  private @Nullable StagedChange staged;
  // Whether the entry that is shown is the staged one.
  private boolean isAtStaged;

  /**
   * Takes over the cursor over the table and the view.
   *
   * @param stored over the same range of keys
   * @param from the first key, inclusive
   * @param to the last key, exclusive; null for no end
   */
  MergedEntries(EntryCursor stored, StagedView view, byte[] from, byte @Nullable [] to) {
    super(stored.closing());
    this.stored = stored;
    this.view = view;
    this.from = from;
    this.to = to;
  }

  @Override
  public void seekToFirst() throws IOException {
    begin(true);
    stored.seekToFirst();
    walk(view.ascending(from, true, to));
    settle();
  }

  @Override
  public void seekToLast() throws IOException {
    begin(false);
    stored.seekToLast();
    walk(view.descending(from, to, false));
    settle();
  }

  @Override
  public void seek(byte[] key) throws IOException {
    begin(true);
    stored.seek(key);
    walk(view.ascending(compare(key, from) < 0 ? from : key, true, to));
    settle();
  }

  @Override
  public void seekForPrev(byte[] key) throws IOException {
    begin(false);
    stored.seekForPrev(key);
    boolean isWithin = to == null || compare(key, to) < 0;
    walk(isWithin ? view.descending(from, key, true) : view.descending(from, to, false));
    settle();
  }

  private static int compare(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right);
  }

  private void begin(boolean forward) {
    valid = false;
    isForward = forward;
    isStoredOver = false;
    isAtStaged = false;
  }

  private void walk(Iterator<StagedChange> versions) {
    walk = versions;
    nextStaged();
  }

  private void nextStaged() {
    staged = null;
    while (staged == null && walk.hasNext()) {
      cancelSignal.throwIfCancelled();
      staged = view.asOf(walk.next());
    }
  }

  @Override
  public void next() throws IOException {
    requireValid();
    if (isForward) {
      step();
      return;
    }
    byte[] present = copyOfKey();
    begin(true);
    stored.seek(present);
    if (stored.isValid() && stored.compareKey(present) == 0) {
      stored.next();
    }
    walk(view.ascending(present, false, to));
    settle();
  }

  @Override
  public void previous() throws IOException {
    requireValid();
    if (!isForward) {
      step();
      return;
    }
    byte[] present = copyOfKey();
    begin(false);
    stored.seekForPrev(present);
    if (stored.isValid() && stored.compareKey(present) == 0) {
      stored.previous();
    }
    walk(view.descending(from, present, false));
    settle();
  }

  /** Moves on in the present direction. */
  private void step() throws IOException {
    valid = false;
    if (isAtStaged) {
      nextStaged();
    } else {
      stepStored();
    }
    settle();
  }

  private void stepStored() throws IOException {
    if (isForward) {
      stored.next();
    } else {
      stored.previous();
    }
  }

  /** Shows the first entry from where the sources stand. */
  private void settle() throws IOException {
    while (true) {
      StagedChange next = staged;
      boolean isStored = stored.isValid() && !isStoredOver;
      if (!isStored && next == null) {
        return;
      }
      int order = !isStored ? 1 : next == null ? -1 : stored.compareKey(next.key());
      if (isStored && next != null && !isForward) {
        order = -order;
      }
      if (order < 0) {
        if (showStored()) {
          return;
        }
      } else {
        if (order == 0) {
          stepStored();
        }
        if (showStaged(Objects.requireNonNull(next))) {
          return;
        }
        nextStaged();
      }
    }
  }

  private boolean showStaged(StagedChange next) {
    byte[] value = Objects.requireNonNull(next.change()).value();
    if (value == null) {
      return false;
    }
    isAtStaged = true;
    showKey(next.key(), 0, next.key().length);
    showValue(value, 0, value.length);
    return true;
  }

  /** Shows the entry of the table, or moves past the deleted range that hides it. */
  private boolean showStored() throws IOException {
    KeyRanges.Range hiding =
        view.deleted().find(stored.keyArray(), stored.keyOffset(), stored.keyLength());
    if (hiding != null) {
      passBy(hiding);
      return false;
    }
    isAtStaged = false;
    showKey(stored.keyArray(), stored.keyOffset(), stored.keyLength());
    showValue(stored.valueArray(), stored.valueOffset(), stored.valueLength());
    return true;
  }

  private void passBy(KeyRanges.Range hiding) throws IOException {
    if (isForward) {
      byte[] end = hiding.to();
      if (end == null) {
        isStoredOver = true;
      } else {
        stored.seek(end);
      }
    } else if (stored.compareKey(hiding.from()) == 0) {
      stored.previous();
    } else {
      stored.seekForPrev(hiding.from());
    }
  }

  @Override
  public @Nullable PartitionKey reached() {
    return valid ? KeyValueTable.key(copyOfKey()) : stored.reached();
  }

  @Override
  public void ended(boolean isTimeout) {
    stored.ended(isTimeout);
  }

  @Override
  public void close() throws IOException {
    valid = false;
    Closeables.closeAll(List.of(stored, view));
  }
}
