package io.siltstone.table;

import io.siltstone.event.EngineListener;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the handles that users have opened and must close: rows, cursors, snapshots, iterators. A
 * handle that is garbage-collected without having been closed is reported with the stack trace of
 * its opening, if that was recorded, and its resources are released. Handles that are open when the
 * database is closed are closed with it.
 *
 * <p>Safe for all threads.
 */
public final class Handles implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Handles.class);

  // A stack trace takes a few microseconds, as much as a get: so it is recorded for the first
  // handles, and for a few of those that a program opens by the thousand.
  private static final int ALWAYS_TRACED = 1000;
  private static final int TRACED_ONE_IN = 32;
  // The upper bits of neighboring numbers differ, too.
  private static final int HASH_STEP = 0x9e37_79b9;

  private final GuardedListener listener;
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Closeable> lost = new ReferenceQueue<>();

  // Threads that count at the same time may count one handle less.
  private int traced;
  // The hash of the last lease, which another one may have as well.
  private int lent;

  /** Creates an empty collection. */
  public Handles(GuardedListener listener) {
    this.listener = listener;
  }

  /** An open handle, from {@link #lend} until {@link #end}. */
  public final class Lease extends WeakReference<Closeable> {
    private final String kind;
    private final Object of;
    private final Closeable held;
    // Without a message, which would cost time; null if the place was not recorded.
    private final @Nullable Throwable stack;
    // The hash that every object has takes longer to make than this one.
    private final int hash;

    private Lease(String kind, Object of, Closeable handle, Closeable held) {
      super(handle, lost);
      this.kind = kind;
      this.of = of;
      this.held = held;
      this.stack = isTraced() ? new Throwable() : null;
      this.hash = nextHash();
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    /**
     * Returns an exception with the stack trace of the opening, which is empty for most handles.
     */
    private Throwable openedAt() {
      Throwable opened =
          new Throwable(
              stack != null
                  ? this + " was opened here"
                  : this
                      + " was opened at a place that was not recorded: it is for the first "
                      + ALWAYS_TRACED
                      + " handles, and then for one in "
                      + TRACED_ONE_IN);
      opened.setStackTrace(stack != null ? stack.getStackTrace() : new StackTraceElement[0]);
      return opened;
    }

    /** Returns kind and object, as in reports. */
    @Override
    public String toString() {
      return kind + of;
    }

    /** Removes the handle, which was closed. */
    public void end() {
      open.remove(this);
      clear();
    }
  }

  private int nextHash() {
    lent += HASH_STEP;
    return lent;
  }

  private boolean isTraced() {
    if (traced < ALWAYS_TRACED) {
      traced++;
      return true;
    }
    return ThreadLocalRandom.current().nextInt(TRACED_ONE_IN) == 0;
  }

  /**
   * Adds a handle. When the handle is closed, it ends the lease.
   *
   * @param kind of the handle, as {@code "rows of "}
   * @param of what the handle is of, without a reference to it; its text is made only for a report
   * @param handle that the user closes; another thread may close it
   * @param held resources of the handle, without a reference to it: closed if the handle is lost
   */
  public Lease lend(String kind, Object of, Closeable handle, Closeable held) {
    // A program that forgets handles opens many of them; and a read-only database has no timer.
    reportLost();
    Lease lease = new Lease(kind, of, handle, held);
    open.add(lease);
    return lease;
  }

  /** Returns how many handles are open. */
  public int count() {
    return open.size();
  }

  /**
   * Reports handles that were lost, and releases their resources; to be called from time to time.
   */
  public void reportLost() {
    for (Object next = lost.poll(); next != null; next = lost.poll()) {
      Lease lease = (Lease) next;
      if (open.remove(lease)) {
        Throwable openedAt = lease.openedAt();
        LOG.warn("{} was never closed", lease, openedAt);
        listener.handleLeaked(new EngineListener.HandleLeaked(lease.toString(), openedAt));
        close(lease.held);
      }
    }
  }

  private static void close(Closeable held) {
    try {
      held.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("what a lost handle held was not given back properly", e);
    }
  }

  /** Closes all open handles, and reports them, since their users should have closed them. */
  @Override
  public void close() {
    reportLost();
    for (Lease lease : List.copyOf(open)) {
      Closeable handle = lease.get();
      if (!open.remove(lease)) {
        // The handle was closed meanwhile, or reported as lost.
        continue;
      }
      Throwable openedAt = lease.openedAt();
      LOG.warn("{} was open when its database was closed", lease, openedAt);
      listener.handleLeaked(new EngineListener.HandleLeaked(lease.toString(), openedAt));
      close(handle == null ? lease.held : handle);
    }
  }
}
