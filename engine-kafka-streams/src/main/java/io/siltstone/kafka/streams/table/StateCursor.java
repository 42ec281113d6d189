package io.siltstone.kafka.streams.table;

import io.siltstone.KeyValueIterator;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a range of the entries of a store, in ascending or descending order of their keys,
 * as they were when it was opened.
 *
 * <p>A new cursor is before the first entry. Confined to one thread, except for {@link #close}.
 */
public final class StateCursor implements Closeable {
  private final KeyValueIterator entries;
  private final KeyRange range;
  private final boolean forward;

  // The entries of a bucket in the range, in the order of the cursor.
  private final Deque<Bucket.Entry> ofBucket = new ArrayDeque<>();
  private byte @Nullable [] bucket;

  private byte[] key = {};
  private byte[] value = {};
  private boolean begun;
  // Whether the iterator is at the entry that comes next, after a seek.
  private boolean isAhead;
  // The form of the key of the last seek; null before the first one.
  private byte @Nullable [] sought;

  /** Takes over the iterator, which shows the entries of the table that the range may have. */
  StateCursor(KeyValueIterator entries, KeyRange range, boolean forward) {
    this.entries = entries;
    this.range = range;
    this.forward = forward;
  }

  /** Moves to the next entry; returns false after the last. */
  public boolean next() throws IOException {
    while (true) {
      Bucket.Entry inBucket = ofBucket.poll();
      byte[] prefix = bucket;
      if (inBucket != null && prefix != null) {
        byte[] form = Arrays.copyOf(prefix, prefix.length + inBucket.rest().length);
        System.arraycopy(inBucket.rest(), 0, form, prefix.length, inBucket.rest().length);
        if (!range.contains(form) || isPassed(form)) {
          continue;
        }
        key = KeyForm.keyOf(form);
        value = inBucket.value();
        return true;
      }
      move();
      if (!entries.isValid()) {
        return false;
      }
      byte[] stored = entries.key();
      if (!KeyForm.isLong(stored)) {
        key = KeyForm.keyOf(stored);
        value = entries.value();
        return true;
      }
      bucket = stored;
      List<Bucket.Entry> all = Bucket.of(entries.value()).entries();
      for (Bucket.Entry each : all) {
        if (forward) {
          ofBucket.addLast(each);
        } else {
          ofBucket.addFirst(each);
        }
      }
    }
  }

  // A bucket has entries on both sides of a long key.
  private boolean isPassed(byte[] form) {
    byte[] at = sought;
    return at != null && forward == (Arrays.compareUnsigned(form, at) < 0);
  }

  /**
   * Lets {@link #next} go on with the first entry from a key on; in descending order with the last
   * one before it.
   */
  public void seek(byte[] key) throws IOException {
    byte[] whole = KeyForm.of(key);
    byte[] form = KeyForm.stored(whole);
    sought = whole;
    ofBucket.clear();
    if (forward) {
      entries.seek(form);
    } else {
      entries.seekForPrev(form);
      if (entries.isValid() && !KeyForm.isLong(whole) && Arrays.equals(entries.key(), form)) {
        entries.prev();
      }
    }
    begun = true;
    isAhead = true;
  }

  private void move() throws IOException {
    if (isAhead) {
      isAhead = false;
    } else if (begun) {
      if (forward) {
        entries.next();
      } else {
        entries.prev();
      }
    } else {
      begun = true;
      if (forward) {
        entries.seekToFirst();
      } else {
        entries.seekToLast();
      }
    }
  }

  /** Returns the key of the present entry, in an array of its own. */
  public byte[] key() {
    return key;
  }

  /** Returns the value of the present entry, in an array of its own. */
  public byte[] value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
