package io.siltstone.table;

import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a database may still be changed. After a failure that leaves unknown what is on the disk
 * it may not, until it is opened again: to try once more would trust what may be lost.
 *
 * <p>Safe for all threads.
 */
public final class Health {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);

  private final String database;
  private final EngineListener listener;
  private final AtomicReference<EngineListener.@Nullable EngineReadOnly> failure =
      new AtomicReference<>();
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Good health.
   *
   * @param database its path, for messages
   * @param listener is told of the first failure
   */
  public Health(String database, EngineListener listener) {
    this.database = database;
    this.listener = listener;
  }

  /**
   * Ends all changes, unless an earlier failure has done so. To be called without locks that a
   * listener might need.
   *
   * @param what failed, as the beginning of a sentence
   */
  public void fail(String what, Throwable cause) {
    failUntold(what, cause);
    tell();
  }

  /**
   * As {@link #fail}, for those who hold locks, and must keep writers away as long as they may
   * write: {@link #tell} is to be called when the locks are free.
   */
  void failUntold(String what, Throwable cause) {
    String reason = what + ": " + cause.getMessage();
    EngineListener.EngineReadOnly event = new EngineListener.EngineReadOnly(reason, cause);
    if (failure.compareAndSet(null, event)) {
      LOG.error("{} is read-only until it is opened again: {}", database, reason, cause);
    }
  }

  /** Tells the listener of a failure that it was not told of yet, if there is one. */
  void tell() {
    EngineListener.EngineReadOnly event = failure.get();
    if (event != null && told.compareAndSet(false, true)) {
      listener.engineReadOnly(event);
    }
  }

  /** Whether nothing has failed. */
  public boolean isGood() {
    return failure.get() == null;
  }

  /** Why nothing can be changed any more, or null. */
  public @Nullable String reason() {
    EngineListener.EngineReadOnly event = failure.get();
    return event == null ? null : event.reason();
  }

  /** Fails with the first failure, if there was one. */
  public void requireGood() throws ReadOnlyException {
    EngineListener.EngineReadOnly event = failure.get();
    if (event != null) {
      throw new ReadOnlyException(
          database + " is read-only until it is opened again: " + event.reason(), event.cause());
    }
  }
}
