package io.siltstone.compress;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of contexts of a native library, of which a thread uses one at a time. It keeps at most
 * {@value #SLOTS}: a context is made only if more threads than that need one at the same time. Each
 * thread begins to search at a place of its own, so that it mostly finds the one that it had
 * before. Safe for use by all threads; contexts in use are closed by {@link #giveBack} after the
 * pool was closed.
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
    int first = slot();
    for (int i = 0; i < SLOTS; i++) {
      C context = free.getAndSet((first + i) & (SLOTS - 1), null);
      if (context != null) {
        return context;
      }
    }
    return maker.get();
  }

  void giveBack(C context) throws IOException {
    int first = slot();
    for (int i = 0; i < SLOTS; i++) {
      if (free.compareAndSet((first + i) & (SLOTS - 1), null, context)) {
        if (isClosed) {
          close();
        }
        return;
      }
    }
    context.close();
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
