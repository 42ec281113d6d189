package io.siltstone.compaction.throttle;

import java.util.concurrent.locks.LockSupport;

/** A clock that threads can wait by; tests use one that they advance. */
interface WaitingClock {
  /** The system's clock. */
  WaitingClock SYSTEM =
      new WaitingClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          // Thread.sleep rounds to milliseconds.
          LockSupport.parkNanos(nanos);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
      };

  /** Returns nanoseconds since an arbitrary moment. */
  long nanoTime();

  /** Waits for about this time; the caller must read the clock again. */
  void sleep(long nanos) throws InterruptedException;
}
