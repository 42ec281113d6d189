package io.siltstone.table;

import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.LockLostException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final AtomicBoolean told = new AtomicBoolean();
  // Written before the cause. What it says is put together only when it is asked for, so that a
  // failure is noted where there is no memory any more.
  private @Nullable String sentence;
  private @Nullable Object subject;
  private volatile @Nullable Throwable cause;

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
   * @param sentence what failed, with {@code %s} where the subject is to stand
   */
  public void fail(String sentence, Object subject, Throwable cause) {
    failUntold(sentence, subject, cause);
    tell();
  }

  /**
   * As {@link #fail}, for those who hold locks, and must keep writers away as long as they may
   * write: {@link #tell} is to be called when the locks are free. Allocates nothing.
   */
  synchronized void failUntold(String sentence, Object subject, Throwable cause) {
    if (this.cause == null) {
      this.sentence = sentence;
      this.subject = subject;
      this.cause = cause;
    }
  }

  /**
   * Returns a guard that ends all changes when a lock is lost. It does not tell the listener, since
   * it is asked by those who hold locks: {@link #tell} is called from time to time.
   */
  public WriteGuard guarding(WriteGuard lock) {
    return () -> {
      try {
        lock.requireOwned();
      } catch (LockLostException e) {
        failUntold("%s may be open elsewhere", "The database", e);
        throw e;
      }
    };
  }

  /** Tells the listener of a failure that it was not told of yet, if there is one. */
  public void tell() {
    Throwable failure = cause;
    if (failure == null || told.get()) {
      return;
    }
    EngineListener.EngineReadOnly event =
        new EngineListener.EngineReadOnly(reason(failure), failure);
    if (told.compareAndSet(false, true)) {
      LOG.error("{} is read-only until it is opened again: {}", database, event.reason(), failure);
      listener.engineReadOnly(event);
    }
  }

  private String reason(Throwable failure) {
    return String.format(Locale.ROOT, Objects.requireNonNull(sentence), subject)
        + ": "
        + failure.getMessage();
  }

  /** Whether nothing has failed. */
  public boolean isGood() {
    return cause == null;
  }

  /** Why nothing can be changed any more, or null. */
  public @Nullable String reason() {
    Throwable failure = cause;
    return failure == null ? null : reason(failure);
  }

  /** Fails with the first failure, if there was one. */
  public void requireGood() throws ReadOnlyException {
    Throwable failure = cause;
    if (failure != null) {
      throw new ReadOnlyException(
          database + " is read-only until it is opened again: " + reason(failure), failure);
    }
  }
}
