package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How often each item was written: what a read may and must see. Of each item 24 bits count the
 * versions begun and 8 the writes that have not ended; so 4 bytes an item. Safe for all threads, of
 * which {@value #MOST_WRITERS} may write.
 *
 * <p>A write that failed never ends: whether it is there is not known.
 */
final class Versions implements VersionSource {
  /** Most threads. */
  static final int MOST_WRITERS = 255;

  /** As many as an array has. */
  static final long MOST_ITEMS = Integer.MAX_VALUE - 8;

  /** The last version of an item; whoever writes on writes it again. */
  static final int LAST = (1 << 24) - 1;

  private static final int RUNNING = 0xFF;

  private final AtomicIntegerArray items;

  Versions(long count) {
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
