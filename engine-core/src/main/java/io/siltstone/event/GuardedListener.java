package io.siltstone.event;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In front of a listener: what that throws is logged and goes no further. Safe for all threads, as
 * far as the listener is.
 */
public final class GuardedListener implements EngineListener {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

  private final EngineListener listener;

  private GuardedListener(EngineListener listener) {
    this.listener = listener;
  }

  /** In front of {@code listener}, or that itself if it is guarded already. */
  public static GuardedListener of(EngineListener listener) {
    return listener instanceof GuardedListener guarded ? guarded : new GuardedListener(listener);
  }

  private static <E> void tell(Consumer<E> method, E event) {
    try {
      method.accept(event);
    } catch (Throwable e) {
      LOG.warn("a listener failed on {}", event, e);
    }
  }

  @Override
  public void flushStarted(FlushStarted event) {
    tell(listener::flushStarted, event);
  }

  @Override
  public void flushCompleted(FlushCompleted event) {
    tell(listener::flushCompleted, event);
  }

  @Override
  public void flushFailed(FlushFailed event) {
    tell(listener::flushFailed, event);
  }

  @Override
  public void compactionStarted(CompactionStarted event) {
    tell(listener::compactionStarted, event);
  }

  @Override
  public void compactionCompleted(CompactionCompleted event) {
    tell(listener::compactionCompleted, event);
  }

  @Override
  public void compactionFailed(CompactionFailed event) {
    tell(listener::compactionFailed, event);
  }

  @Override
  public void tableCreated(TableCreated event) {
    tell(listener::tableCreated, event);
  }

  @Override
  public void tableAltered(TableAltered event) {
    tell(listener::tableAltered, event);
  }

  @Override
  public void tableDropped(TableDropped event) {
    tell(listener::tableDropped, event);
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    tell(listener::corruptionFound, event);
  }

  @Override
  public void engineReadOnly(EngineReadOnly event) {
    tell(listener::engineReadOnly, event);
  }

  @Override
  public void handleLeaked(HandleLeaked event) {
    tell(listener::handleLeaked, event);
  }

  @Override
  public void memtablePressure(MemtablePressure event) {
    tell(listener::memtablePressure, event);
  }

  @Override
  public void writesSlowed(WritesSlowed event) {
    tell(listener::writesSlowed, event);
  }

  @Override
  public void writeStalled(WriteStalled event) {
    tell(listener::writeStalled, event);
  }
}
