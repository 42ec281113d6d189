package io.siltstone.cursor;

import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cancellation signal: asks a cursor that one thread steps to give up its step, because another
 * thread is about to close it, because a user does not want the result any more, or because a
 * deadline has passed.
 *
 * <p>One step may pass over any number of rows and partitions that nobody is to see, for example a
 * long run of tombstones, and the thread that closes would have to wait for all of them. It calls
 * {@link #cancel} first and waits afterwards. The loops of a step call {@link #throwIfCancelled}
 * for each row, marker and partition. A cursor whose step was cancelled has no defined position:
 * the only call allowed is {@code close}.
 *
 * <p>Safe for use by all threads. Without a deadline {@link #throwIfCancelled} reads one volatile
 * field; with one it reads the clock at each {@value #CHECKS_PER_CLOCK}th call. The first reason
 * for which a signal was cancelled stays.
 */
public final class CancelSignal {
  /** The signal of a cursor that no other thread closes; it cannot be cancelled. */
  public static final CancelSignal NEVER = new CancelSignal(null);

  private static final int CHECKS_PER_CLOCK = 16;

  private static final int OPEN = 0;
  private static final int TIMED = 1;
  private static final int CLOSED = 2;
  private static final int ABORTED = 3;
  private static final int TIMED_OUT = 4;

  private final @Nullable String reason;
  private volatile int state = OPEN;
  private LongSupplier ticker = System::nanoTime;
  private volatile long deadline;
  // Counted by the stepping thread without synchronization. If several threads step, a lost count
  // only makes the clock be read a little earlier or later.
  private int checksLeft;

  private CancelSignal(@Nullable String reason) {
    this.reason = reason;
  }

  /**
   * Returns a signal that is not cancelled.
   *
   * @param reason message of the exception that steps end with after {@link #cancel}
   */
  public static CancelSignal of(String reason) {
    return new CancelSignal(reason);
  }

  /**
   * Cancels the running step and all later ones, since the cursor is about to be closed. This
   * cannot be undone.
   *
   * @throws IllegalStateException if this is {@link #NEVER}
   */
  public void cancel() {
    end(CLOSED);
  }

  /**
   * Cancels the running step and all later ones at the wish of a user, who is told so by a {@link
   * CancellationException}. This cannot be undone.
   */
  public void abort() {
    end(ABORTED);
  }

  /**
   * Sets the deadline, or another one, after which steps are cancelled. Does nothing if the signal
   * is cancelled.
   *
   * @param nanos from now on
   * @param by the time in nanoseconds from any origin, as {@link System#nanoTime}
   */
  public synchronized void endAfter(long nanos, LongSupplier by) {
    requireCancellable();
    if (state == OPEN || state == TIMED) {
      ticker = by;
      checksLeft = CHECKS_PER_CLOCK;
      deadline = by.getAsLong() + nanos;
      state = TIMED;
    }
  }

  private synchronized void end(int by) {
    requireCancellable();
    if (state == OPEN || state == TIMED) {
      state = by;
    }
  }

  private void requireCancellable() {
    if (reason == null) {
      throw new IllegalStateException("is never closed by another thread");
    }
  }

  /** Returns whether a user or the deadline has cancelled the steps. */
  public boolean isAborted() {
    int present = state;
    return present == ABORTED || present == TIMED_OUT;
  }

  /** Returns whether the deadline has cancelled the steps. */
  public boolean isTimedOut() {
    return state == TIMED_OUT;
  }

  /**
   * Ends the step if it was cancelled.
   *
   * @throws IllegalStateException if {@link #cancel} was called
   * @throws CancellationException if {@link #abort} was called or the deadline has passed
   */
  public void throwIfCancelled() {
    if (state != OPEN) {
      check(false);
    }
  }

  /**
   * Ends the step if it was cancelled, as {@link #throwIfCancelled}, and reads the clock each time
   * if there is a deadline: before something that may take long, such as the opening of a file.
   */
  public void throwIfOver() {
    if (state != OPEN) {
      check(true);
    }
  }

  private void check(boolean isClockRead) {
    if (state == TIMED && (isClockRead || --checksLeft <= 0)) {
      checksLeft = CHECKS_PER_CLOCK;
      if (ticker.getAsLong() - deadline >= 0) {
        end(TIMED_OUT);
      }
    }
    switch (state) {
      case CLOSED -> throw new IllegalStateException(reason);
      case ABORTED -> throw new CancellationException("the read was cancelled");
      case TIMED_OUT -> throw new CancellationException("the read has timed out");
      default -> {}
    }
  }
}
