package io.siltstone.compaction.throttle;

import java.util.concurrent.locks.LockSupport;

/** A clock that one can wait by; tests have one that they move. */
interface WaitingClock {
  /** The machine's. */
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

  /** Nanoseconds from some moment on. */
  long nanoTime();

  /** Waits for about so long; the caller looks at the clock again. */
  void sleep(long nanos) throws InterruptedException;
}
