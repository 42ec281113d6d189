package io.siltstone.cursor;

import org.jspecify.annotations.Nullable;

/**
 * A cancellation signal: asks a cursor that one thread steps to give up its step, because another
 * thread is about to close it.
 *
 * <p>One step may pass over any number of rows and partitions that nobody is to see, for example a
 * long run of tombstones, and the thread that closes would have to wait for all of them. It calls
 * {@link #cancel} first and waits afterwards. The loops of a step call {@link #throwIfCancelled}
 * for each row, marker and partition. A cursor whose step was cancelled has no defined position:
 * the only call allowed is {@code close}.
 *
 * <p>Safe for use by all threads. {@link #throwIfCancelled} reads one volatile field.
 */
public final class CancelSignal {
  /** The signal of a cursor that no other thread closes; it cannot be cancelled. */
  public static final CancelSignal NEVER = new CancelSignal(null);

  private final @Nullable String reason;
  private volatile boolean isCancelled;

  private CancelSignal(@Nullable String reason) {
    this.reason = reason;
  }

  /**
   * Returns a signal that is not cancelled.
   *
   * @param reason message of the exception that cancelled steps end with
   */
  public static CancelSignal of(String reason) {
    return new CancelSignal(reason);
  }

  /**
   * Cancels the running step and all later ones. This cannot be undone.
   *
   * @throws IllegalStateException if this is {@link #NEVER}
   */
  public void cancel() {
    if (reason == null) {
      throw new IllegalStateException("is never closed by another thread");
    }
    isCancelled = true;
  }

  /**
   * Ends the step if it was cancelled.
   *
   * @throws IllegalStateException if {@link #cancel} was called
   */
  public void throwIfCancelled() {
    if (isCancelled) {
      throw new IllegalStateException(reason);
    }
  }
}
