package io.siltstone.table.read;

import io.siltstone.threads.ThreadStripes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Counters that are divided into a few stripes, so that threads that count at the same time seldom
 * meet. A stripe is created when it is first used: an idle table has none.
 *
 * <p>Safe for all threads. A thread usually finds the same stripe free; taking a stripe and giving
 * it back costs one atomic operation each and allocates nothing.
 *
 * @param <C> the counters of one stripe, which only the thread that has taken it changes
 */
public final class Stripes<C> {
  private static final int MOST = 4;

  private final Supplier<C> maker;
  private final AtomicReferenceArray<Stripe<C>> stripes =
      new AtomicReferenceArray<>(Math.min(MOST, Runtime.getRuntime().availableProcessors()));

  /**
   * @param maker creates the counters of a stripe, all zero
   */
  public Stripes(Supplier<C> maker) {
    this.maker = maker;
  }

  /** A stripe. */
  public static final class Stripe<C> implements AutoCloseable {
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final C counters;

    private Stripe(C counters) {
      this.counters = counters;
    }

    public C counters() {
      return counters;
    }

    /** Gives the stripe back. */
    @Override
    public void close() {
      isTaken.set(false);
    }
  }

  /** Takes a stripe for the caller alone, until it is closed. */
  public Stripe<C> take() {
    int index = ThreadStripes.current(stripes.length());
    while (true) {
      Stripe<C> stripe = stripes.get(index);
      if (stripe == null) {
        stripes.compareAndSet(index, null, new Stripe<>(maker.get()));
      } else if (stripe.isTaken.compareAndSet(false, true)) {
        return stripe;
      } else {
        index = index + 1 == stripes.length() ? 0 : index + 1;
      }
    }
  }

  /**
   * Passes the counters of each existing stripe to a visitor, one after the other, while no other
   * thread changes them.
   */
  public void visit(Consumer<C> visitor) {
    for (int i = 0; i < stripes.length(); i++) {
      Stripe<C> stripe = stripes.get(i);
      if (stripe != null) {
        while (!stripe.isTaken.compareAndSet(false, true)) {
          Thread.onSpinWait();
        }
        try (stripe) {
          visitor.accept(stripe.counters());
        }
      }
    }
  }
}
