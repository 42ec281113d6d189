package io.siltstone.table.read;

import io.siltstone.threads.ThreadStripes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Counters in a few places, so that threads that count at once seldom meet. A place is made when it
 * is first used: an idle table has none.
 *
 * <p>Safe for all threads. Each thread has a place of its own among the few, most of the time, so
 * that to take one and to give it back costs one atomic operation each and allocates nothing.
 *
 * @param <C> the counters of one place; changed by whoever has taken it
 */
public final class Stripes<C> {
  private static final int MOST = 4;

  private final Supplier<C> maker;
  private final AtomicReferenceArray<Stripe<C>> stripes =
      new AtomicReferenceArray<>(Math.min(MOST, Runtime.getRuntime().availableProcessors()));

  /**
   * @param maker of the counters of a place, all zero
   */
  public Stripes(Supplier<C> maker) {
    this.maker = maker;
  }

  /** A place. */
  public static final class Stripe<C> implements AutoCloseable {
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final C counters;

    private Stripe(C counters) {
      this.counters = counters;
    }

    public C counters() {
      return counters;
    }

    /** Gives it back. */
    @Override
    public void close() {
      isTaken.set(false);
    }
  }

  /** A place for the caller alone, until it closes it. */
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

  /** Shows the counters of each place there is, one after the other, while nobody changes them. */
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
