package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers the writes of an item from 1, and knows which of them a read may see. */
interface VersionSource {
  /** The version that is written now. */
  long begin(long item);

  /** That the write has ended well. */
  void end(long item);

  /** So many of its writes at least have ended. */
  long completed(long item);

  /** No version after this has begun. */
  long begun(long item);

  /**
   * Knows nothing of any item, for tables that were written before or whose rows expire. Versions
   * are those of all items together.
   *
   * @param first before which all numbers are taken
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
