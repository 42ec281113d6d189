package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers the writes of an item from 1, and determines which of them a read may see. */
interface VersionSource {
  /** Begins a write; returns its version. */
  long begin(long item);

  /** Ends a successful write. */
  void end(long item);

  /** Returns the least number of its writes that have ended. */
  long completed(long item);

  /** Returns the last version that has begun. */
  long begun(long item);

  /**
   * Returns a source without knowledge of items, for tables that were written before or whose rows
   * expire. Versions are those of all items together.
   *
   * @param first the first version that is not taken
   */
  static VersionSource unknown(long first) {
    AtomicLong last = new AtomicLong(first);
    return new VersionSource() {
      @Override
      public long begin(long item) {
        return last.incrementAndGet();
      }

      @Override
      public void end(long item) {}

      @Override
      public long completed(long item) {
        return 0;
      }

      @Override
      public long begun(long item) {
        return Long.MAX_VALUE;
      }
    };
  }
}
