package io.siltstone.cursor;

import org.jspecify.annotations.Nullable;

/**
 * Whether what is stepped through is being closed, by another thread than the one that steps.
 *
 * <p>One step may pass over any number of rows and partitions that nobody is to see, and whoever
 * closes has to wait for it. So the closer {@link #begin}s first, and then waits; the loops of a
 * step {@link #check} for each row, marker or partition, and end with the exception that any use
 * after the close ends with. Where they have come to then is nowhere: nothing can be done with the
 * cursor but to close it.
 *
 * <p>Safe for all threads. To check is to read a volatile field.
 */
public final class Closing {
  /** Of what no other thread closes. */
  public static final Closing NEVER = new Closing(null);

  private final @Nullable String reason;
  private volatile boolean begun;

  private Closing(@Nullable String reason) {
    this.reason = reason;
  }

  /**
   * Not begun.
   *
   * @param reason message of the exception that steps end with
   */
  public static Closing of(String reason) {
    return new Closing(reason);
  }

  /**
   * Has the present step end soon, and each later one at once. For good.
   *
   * @throws IllegalStateException if it is {@link #NEVER}
   */
  public void begin() {
    if (reason == null) {
      throw new IllegalStateException("is never closed by another thread");
    }
    begun = true;
  }

  /**
   * Ends the step if it is to end.
   *
   * @throws IllegalStateException if so
   */
  public void check() {
    if (begun) {
      throw new IllegalStateException(reason);
    }
  }
}
