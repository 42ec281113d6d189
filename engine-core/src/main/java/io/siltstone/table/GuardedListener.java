package io.siltstone.table;

import io.siltstone.event.EngineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners in their order, and logs their exceptions, which go no further. Safe for use by
 * all threads, as far as the listeners are.
 */
public final class GuardedListener implements EngineListener {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

  private final List<EngineListener> listeners;
  // Set in threads that are running a listener.
  private final ThreadLocal<Boolean> notifying = new ThreadLocal<>();

  private GuardedListener(EngineListener... listeners) {
    this.listeners = new CopyOnWriteArrayList<>(listeners);
  }

  /** Creates a guard of the given listeners. */
  public static GuardedListener of(EngineListener... listeners) {
    return new GuardedListener(listeners);
  }

  /** Adds a listener at the end. */
  public void add(EngineListener listener) {
    listeners.add(listener);
  }

  /** Removes a listener; it may still receive a running event. */
  public void remove(EngineListener listener) {
    listeners.remove(listener);
  }

  /**
   * Returns whether the calling thread is running a listener: the work that caused the event has
   * not ended, and must not be waited for.
   */
  public boolean isNotifying() {
    return notifying.get() != null;
  }

  /**
   * A call of a listener of another kind.
   *
   * @param <T> its result
   * @param <X> exception that it may throw
   */
  @FunctionalInterface
  public interface NotifyingCall<T, X extends Exception> {
    /** Calls the listener. */
    T run() throws X;
  }

  /**
   * Runs a call of a listener of another kind, during which {@link #isNotifying} returns true, too.
   */
  public <T, X extends Exception> T notifying(NotifyingCall<T, X> step) throws X {
    boolean isOutermost = begin();
    try {
      return step.run();
    } finally {
      end(isOutermost);
    }
  }

  private boolean begin() {
    boolean isOutermost = !isNotifying();
    notifying.set(true);
    return isOutermost;
  }

  private void end(boolean isOutermost) {
    if (isOutermost) {
      notifying.remove();
    }
  }

  private <E> void notifyListener(BiConsumer<EngineListener, E> method, E event) {
    boolean isOutermost = begin();
    try {
      for (EngineListener listener : listeners) {
        try {
          method.accept(listener, event);
        } catch (Throwable e) {
          LOG.warn("a listener failed on {}", event, e);
        }
      }
    } finally {
      end(isOutermost);
    }
  }

  @Override
  public void flushStarted(FlushStarted event) {
    notifyListener(EngineListener::flushStarted, event);
  }

  @Override
  public void flushCompleted(FlushCompleted event) {
    notifyListener(EngineListener::flushCompleted, event);
  }

  @Override
  public void flushFailed(FlushFailed event) {
    notifyListener(EngineListener::flushFailed, event);
  }

  @Override
  public void compactionStarted(CompactionStarted event) {
    notifyListener(EngineListener::compactionStarted, event);
  }

  @Override
  public void compactionCompleted(CompactionCompleted event) {
    notifyListener(EngineListener::compactionCompleted, event);
  }

  @Override
  public void compactionFailed(CompactionFailed event) {
    notifyListener(EngineListener::compactionFailed, event);
  }

  @Override
  public void tableCreated(TableCreated event) {
    notifyListener(EngineListener::tableCreated, event);
  }

  @Override
  public void tableAltered(TableAltered event) {
    notifyListener(EngineListener::tableAltered, event);
  }

  @Override
  public void tableDropped(TableDropped event) {
    notifyListener(EngineListener::tableDropped, event);
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    notifyListener(EngineListener::corruptionFound, event);
  }

  @Override
  public void recoveryAssumed(RecoveryAssumed event) {
    notifyListener(EngineListener::recoveryAssumed, event);
  }

  @Override
  public void engineReadOnly(EngineReadOnly event) {
    notifyListener(EngineListener::engineReadOnly, event);
  }

  @Override
  public void handleLeaked(HandleLeaked event) {
    notifyListener(EngineListener::handleLeaked, event);
  }

  @Override
  public void memtablePressure(MemtablePressure event) {
    notifyListener(EngineListener::memtablePressure, event);
  }

  @Override
  public void clockBehind(ClockBehind event) {
    notifyListener(EngineListener::clockBehind, event);
  }

  @Override
  public void oldDataImported(OldDataImported event) {
    notifyListener(EngineListener::oldDataImported, event);
  }

  @Override
  public void retentionRaised(RetentionRaised event) {
    notifyListener(EngineListener::retentionRaised, event);
  }

  @Override
  public void retentionDropped(RetentionDropped event) {
    notifyListener(EngineListener::retentionDropped, event);
  }

  @Override
  public void slowRead(SlowRead event) {
    notifyListener(EngineListener::slowRead, event);
  }

  @Override
  public void writesSlowed(WritesSlowed event) {
    notifyListener(EngineListener::writesSlowed, event);
  }

  @Override
  public void writeStalled(WriteStalled event) {
    notifyListener(EngineListener::writeStalled, event);
  }
}
