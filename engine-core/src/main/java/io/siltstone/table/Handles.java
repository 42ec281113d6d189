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
 * What users have opened and must close: rows, cursors, snapshots, iterators. A handle that was
 * lost without having been closed is reported with the stack that opened it, and what it held is
 * given back; all that are open when the database is closed are closed with it.
 *
 * <p>Safe for all threads.
 */
public final class Handles implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Handles.class);

  private final GuardedListener listener;
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Closeable> lost = new ReferenceQueue<>();

  /** Without any handle. */
  public Handles(GuardedListener listener) {
    this.listener = listener;
  }

  /** An open handle: from {@link #lend} until {@link #end}. */
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

    /** Its handle was closed. */
    public void end() {
      open.remove(this);
      clear();
    }
  }

  /**
   * Notes a handle. Whoever closes the handle ends the lease.
   *
   * @param what it is, for reports
   * @param handle that the user closes; safe for closing by another thread
   * @param held by the handle, without a reference to it: closed if the handle is lost
   */
  public Lease lend(String what, Closeable handle, Closeable held) {
    // Whoever forgets them opens many; and in a database that is only read nobody else looks.
    reportLost();
    Lease lease = new Lease(what, handle, held);
    open.add(lease);
    return lease;
  }

  /** How many are open. */
  public int count() {
    return open.size();
  }

  /** Reports those that were lost, and gives back what they held; to be called now and then. */
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

  /** Closes all that are open, and reports them: their users should have. */
  @Override
  public void close() {
    reportLost();
    for (Lease lease : List.copyOf(open)) {
      Closeable handle = lease.get();
      if (!open.remove(lease)) {
        // It was closed meanwhile, or reported as lost.
        continue;
      }
      LOG.warn("{} was open when its database was closed", lease.what, lease.openedAt);
      listener.handleLeaked(new EngineListener.HandleLeaked(lease.what, lease.openedAt));
      close(handle == null ? lease.held : handle);
    }
  }
}
