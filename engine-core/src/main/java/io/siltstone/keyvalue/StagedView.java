package io.siltstone.keyvalue;

import java.io.Closeable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A view of what was staged for a table at one moment, which later changes of the batch do not
 * change. Safe for all threads, beside one that stages. Closed by its opener; until then, versions
 * that it may need are kept.
 */
final class StagedView implements Closeable {
  private final ConcurrentNavigableMap<byte[], StagedChange> newest;
  private final KeyRanges deleted;
  private final long lastNumber;
  private final AtomicInteger views;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param newest the newest version of each key
   * @param deleted the ranges of keys that were deleted, but for what is staged
   * @param lastNumber of the changes that the view has
   * @param views is incremented here, and decremented when the view is closed
   */
  StagedView(
      ConcurrentNavigableMap<byte[], StagedChange> newest,
      KeyRanges deleted,
      long lastNumber,
      AtomicInteger views) {
    this.newest = newest;
    this.deleted = deleted;
    this.lastNumber = lastNumber;
    this.views = views;
    views.incrementAndGet();
  }

  /** Returns the ranges of keys that are deleted, but for what is staged. */
  KeyRanges deleted() {
    return deleted;
  }

  /** Returns what the view has of the key of a version; null for nothing. */
  @Nullable StagedChange asOf(StagedChange version) {
    return version.asOf(lastNumber);
  }

  /**
   * Iterates over the newest versions from one key up to another, of which {@link #asOf} returns
   * what the view has.
   */
  Iterator<StagedChange> ascending(byte[] from, boolean isInclusive, byte @Nullable [] to) {
    if (to == null) {
      return newest.tailMap(from, isInclusive).values().iterator();
    }
    return Arrays.compareUnsigned(from, to) >= 0
        ? Collections.emptyIterator()
        : newest.subMap(from, isInclusive, to, false).values().iterator();
  }

  /** Iterates as {@link #ascending} in the opposite order. */
  Iterator<StagedChange> descending(byte[] from, byte @Nullable [] to, boolean isInclusive) {
    if (to == null) {
      return newest.tailMap(from, true).descendingMap().values().iterator();
    }
    return Arrays.compareUnsigned(from, to) > 0
        ? Collections.emptyIterator()
        : newest.subMap(from, true, to, isInclusive).descendingMap().values().iterator();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      views.decrementAndGet();
    }
  }
}
