package io.siltstone.keyvalue;

import io.siltstone.table.ValueBatch;
import io.siltstone.table.ValueChange;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The write batch index of one table: the changes that a batch has staged for it, by key. For
 * example:
 *
 * <pre>
 *   put c, put d, delete a      a: deleted       c: put    d: put
 *   delete from b to d          a: deleted                 d: put     [b, d) deleted
 *   put b                       a: deleted   b: put        d: put     [b, d) deleted
 * </pre>
 *
 * A staged change of a key takes precedence over the deleted ranges: staging a range deletion
 * removes the changes that were staged for its keys before. Only the last change of a key is
 * current; earlier versions are kept only for views that are open.
 *
 * <p>Guarded by the lock of the batch, except for views.
 */
final class StagedChanges {
  private final KeyValueTable of;
  private final ConcurrentNavigableMap<byte[], StagedChange> newest =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final AtomicInteger views = new AtomicInteger();
  private final StagedRanges deleted = new StagedRanges();
  private long lastNumber;
  // The number up to which the last view sees.
  private long lastViewed;
  private int count;
  private long dataBytes;
  private long heapBytes;

  StagedChanges(KeyValueTable of) {
    this.of = of;
  }

  /** Stages a put or a deletion. */
  void add(ValueChange change) {
    count++;
    dataBytes += change.dataBytes();
    replace(newest.get(change.key()), change.key(), change);
  }

  /** Stages the deletion of a range of keys, with bounds that nobody changes. */
  void deleteRange(byte[] from, byte @Nullable [] to) {
    if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
      return;
    }
    deleted.add(from, to);
    Map<byte[], StagedChange> within =
        to == null ? newest.tailMap(from, true) : newest.subMap(from, true, to, false);
    boolean isViewed = views.get() > 0;
    for (Iterator<StagedChange> versions = within.values().iterator(); versions.hasNext(); ) {
      StagedChange before = versions.next();
      if (!isViewed) {
        versions.remove();
        forget(before);
      } else if (before.change() != null) {
        replace(before, before.key(), null);
      }
    }
  }

  /** Puts a version in place of the newest one, which may be null. */
  private void replace(@Nullable StagedChange before, byte[] key, @Nullable ValueChange change) {
    StagedChange kept = null;
    if (before != null) {
      forget(before);
      // No view sees a version that was staged after the last view was opened.
      kept = views.get() > 0 ? before.upTo(lastViewed) : null;
    }
    StagedChange after = new StagedChange(++lastNumber, key, change, kept);
    heapBytes += after.heapBytes();
    newest.put(key, after);
  }

  /** Subtracts a version that is not the newest any more from what is staged. */
  private void forget(StagedChange before) {
    heapBytes -= before.heapBytes();
    ValueChange change = before.change();
    if (change != null) {
      count--;
      dataBytes -= change.dataBytes();
    }
  }

  /** Returns what is staged of a key, which may be a deletion; null for nothing. */
  @Nullable ValueChange find(byte[] key) {
    StagedChange staged = newest.get(key);
    if (staged != null && staged.change() != null) {
      return staged.change();
    }
    return deleted.contains(key) ? ValueChange.deletion(key) : null;
  }

  /** Returns a view of what is staged now, to be closed by the caller. */
  StagedView view() {
    lastViewed = lastNumber;
    return new StagedView(newest, deleted.ranges(), lastNumber, views);
  }

  /** Returns the number of puts and deletions, of which a range of keys is one. */
  int count() {
    return count + deleted.size();
  }

  /** Returns the size of all keys and values, bounds of ranges included. */
  long dataBytes() {
    return dataBytes + deleted.dataBytes();
  }

  /** Returns about how many bytes of the heap is taken. */
  long heapBytes() {
    return heapBytes + deleted.heapBytes();
  }

  /** Adds all that is staged to a batch that is to be written: what was staged of keys wins. */
  void addTo(ValueBatch batch) {
    for (KeyRanges.Range range : deleted.ranges().ranges()) {
      ValueChange deletion = KeyBounds.deletionOf(range.from(), range.to());
      if (deletion != null) {
        of.addTo(batch, deletion);
      }
    }
    for (StagedChange staged : newest.values()) {
      if (staged.change() != null) {
        of.addTo(batch, staged.change());
      }
    }
  }
}
