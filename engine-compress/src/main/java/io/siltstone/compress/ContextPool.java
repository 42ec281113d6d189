package io.siltstone.compress;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of contexts of a native library, of which a thread uses one at a time. It keeps at most
 * {@value #SLOTS}. Safe for use by all threads; contexts in use are closed by {@link #giveBack}
 * after the pool was closed.
 */
final class ContextPool<C extends Closeable> implements Closeable {
  private static final int SLOTS = 8;

  private final Supplier<C> maker;
  private final AtomicReferenceArray<@Nullable C> free = new AtomicReferenceArray<>(SLOTS);
  private volatile boolean isClosed;

  ContextPool(Supplier<C> maker) {
    this.maker = maker;
  }

  private static int slot() {
    return (int) (Thread.currentThread().getId() & (SLOTS - 1));
  }

  /** Returns a context, which the caller gives back. */
  C take() {
    C context = free.getAndSet(slot(), null);
    return context != null ? context : maker.get();
  }

  void giveBack(C context) throws IOException {
    if (!free.compareAndSet(slot(), null, context)) {
      context.close();
    } else if (isClosed) {
      close();
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    for (int i = 0; i < SLOTS; i++) {
      C context = free.getAndSet(i, null);
      if (context != null) {
        context.close();
      }
    }
  }
}
