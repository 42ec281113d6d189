package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts how often each item was written, which determines what a read may and must see. Per item,
 * 24 bits count the versions begun and 8 bits the writes that have not ended, which takes 4 bytes.
 * Safe for use by all threads, of which {@value #MOST_WRITERS} may write.
 *
 * <p>A failed write never ends, because it is not known whether it took effect.
 */
final class ItemVersions implements VersionSource {
  /** The greatest number of writing threads. */
  static final int MOST_WRITERS = 255;

  /** The greatest number of items, which is that of elements of an array. */
  static final long MOST_ITEMS = Integer.MAX_VALUE - 8;

  /** The last version of an item; further writes write it again. */
  static final int LAST = (1 << 24) - 1;

  private static final int RUNNING = 0xFF;

  private final AtomicIntegerArray items;

  ItemVersions(long count) {
    if (count > MOST_ITEMS) {
      throw new IllegalArgumentException(
          count + " items, allowed " + MOST_ITEMS + " when all versions are checked");
    }
    items = new AtomicIntegerArray((int) count);
  }

  @Override
  public long begin(long item) {
    int index = (int) item;
    while (true) {
      int before = items.get(index);
      int version = version(before);
      // A thread whose writes have failed too often is not counted twice.
      int running = Math.min(RUNNING, (before & RUNNING) + 1);
      int after = (version == LAST ? LAST : version + 1) << 8 | running;
      if (items.compareAndSet(index, before, after)) {
        return version(after);
      }
    }
  }

  @Override
  public void end(long item) {
    items.decrementAndGet((int) item);
  }

  @Override
  public long completed(long item) {
    int state = items.get((int) item);
    return Math.max(0, version(state) - (state & RUNNING));
  }

  @Override
  public long begun(long item) {
    return version(items.get((int) item));
  }

  private static int version(int state) {
    return state >>> 8;
  }
}
