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
  private final ThreadLocal<Boolean> telling = new ThreadLocal<>();

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
  public boolean isTelling() {
    return telling.get() != null;
  }

  /**
   * A call of a listener of another kind.
   *
   * @param <T> its result
   * @param <X> exception that it may throw
   */
  @FunctionalInterface
  public interface Telling<T, X extends Exception> {
    /** Calls the listener. */
    T run() throws X;
  }

  /**
   * Runs a call of a listener of another kind, during which {@link #isTelling} returns true, too.
   */
  public <T, X extends Exception> T telling(Telling<T, X> step) throws X {
    boolean isOutermost = begin();
    try {
      return step.run();
    } finally {
      end(isOutermost);
    }
  }

  private boolean begin() {
    boolean isOutermost = !isTelling();
    telling.set(true);
    return isOutermost;
  }

  private void end(boolean isOutermost) {
    if (isOutermost) {
      telling.remove();
    }
  }

  private <E> void tell(BiConsumer<EngineListener, E> method, E event) {
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
    tell(EngineListener::flushStarted, event);
  }

  @Override
  public void flushCompleted(FlushCompleted event) {
    tell(EngineListener::flushCompleted, event);
  }

  @Override
  public void flushFailed(FlushFailed event) {
    tell(EngineListener::flushFailed, event);
  }

  @Override
  public void compactionStarted(CompactionStarted event) {
    tell(EngineListener::compactionStarted, event);
  }

  @Override
  public void compactionCompleted(CompactionCompleted event) {
    tell(EngineListener::compactionCompleted, event);
  }

  @Override
  public void compactionFailed(CompactionFailed event) {
    tell(EngineListener::compactionFailed, event);
  }

  @Override
  public void tableCreated(TableCreated event) {
    tell(EngineListener::tableCreated, event);
  }

  @Override
  public void tableAltered(TableAltered event) {
    tell(EngineListener::tableAltered, event);
  }

  @Override
  public void tableDropped(TableDropped event) {
    tell(EngineListener::tableDropped, event);
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    tell(EngineListener::corruptionFound, event);
  }

  @Override
  public void recoveryAssumed(RecoveryAssumed event) {
    tell(EngineListener::recoveryAssumed, event);
  }

  @Override
  public void engineReadOnly(EngineReadOnly event) {
    tell(EngineListener::engineReadOnly, event);
  }

  @Override
  public void handleLeaked(HandleLeaked event) {
    tell(EngineListener::handleLeaked, event);
  }

  @Override
  public void memtablePressure(MemtablePressure event) {
    tell(EngineListener::memtablePressure, event);
  }

  @Override
  public void clockBehind(ClockBehind event) {
    tell(EngineListener::clockBehind, event);
  }

  @Override
  public void oldDataImported(OldDataImported event) {
    tell(EngineListener::oldDataImported, event);
  }

  @Override
  public void slowRead(SlowRead event) {
    tell(EngineListener::slowRead, event);
  }

  @Override
  public void writesSlowed(WritesSlowed event) {
    tell(EngineListener::writesSlowed, event);
  }

  @Override
  public void writeStalled(WriteStalled event) {
    tell(EngineListener::writeStalled, event);
  }
}
