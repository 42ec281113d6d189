package io.siltstone.table;

import io.siltstone.event.EngineListener;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the handles that users have opened and must close: rows, cursors, snapshots, iterators. A
 * handle that is garbage-collected without having been closed is reported with the stack trace of
 * its opening, and its resources are released. Handles that are open when the database is closed
 * are closed with it.
 *
 * <p>Safe for all threads.
 */
public final class Handles implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Handles.class);

  private final GuardedListener listener;
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Closeable> lost = new ReferenceQueue<>();

  /** Creates an empty collection. */
  public Handles(GuardedListener listener) {
    this.listener = listener;
  }

  /** An open handle, from {@link #lend} until {@link #end}. */
  public final class Lease extends WeakReference<Closeable> {
    private final String what;
    private final Closeable held;
    private final Throwable openedAt;

    private Lease(String what, Closeable handle, Closeable held) {
      super(handle, lost);
      this.what = what;
      this.held = held;
      this.openedAt = new Throwable(what + " was opened here");
    }

    /** Removes the handle, which was closed. */
    public void end() {
      open.remove(this);
      clear();
    }
  }

  /**
   * Adds a handle. When the handle is closed, it ends the lease.
   *
   * @param what describes the handle, for reports
   * @param handle that the user closes; another thread may close it
   * @param held resources of the handle, without a reference to it: closed if the handle is lost
   */
  public Lease lend(String what, Closeable handle, Closeable held) {
    // A program that forgets handles opens many of them; and a read-only database has no timer.
    reportLost();
    Lease lease = new Lease(what, handle, held);
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
        LOG.warn("{} was never closed", lease.what, lease.openedAt);
        listener.handleLeaked(new EngineListener.HandleLeaked(lease.what, lease.openedAt));
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
      LOG.warn("{} was open when its database was closed", lease.what, lease.openedAt);
      listener.handleLeaked(new EngineListener.HandleLeaked(lease.what, lease.openedAt));
      close(handle == null ? lease.held : handle);
    }
  }
}
