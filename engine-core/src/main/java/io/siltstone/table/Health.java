package io.siltstone.table;

import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.files.LockLostException;
import io.siltstone.files.WriteGuard;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of a database: whether it may still be changed. After a failure that leaves unknown
 * what is on the disk, all changes are refused until it is opened again, since a retry would rely
 * on what may be lost.
 *
 * <p>Safe for all threads.
 */
public final class Health {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);

  private final String database;
  private final EngineListener listener;
  private final AtomicBoolean told = new AtomicBoolean();
  // Written before the cause. The message is built only when it is needed, so that a failure can be
  // noted even if the heap is exhausted.
  private @Nullable String sentence;
  private @Nullable Object subject;
  private volatile @Nullable Throwable cause;

  /**
   * Creates a good health.
   *
   * @param database its path, for messages
   * @param listener is notified of the first failure
   */
  public Health(String database, EngineListener listener) {
    this.database = database;
    this.listener = listener;
  }

  /**
   * Ends all changes, unless an earlier failure has done so. To be called without locks that a
   * listener might need.
   *
   * @param sentence what failed, with {@code %s} in place of the subject
   */
  public void fail(String sentence, Object subject, Throwable cause) {
    failUntold(sentence, subject, cause);
    notifyListener();
  }

  /**
   * Ends all changes as {@link #fail}, for callers that hold locks, which keep writers away: {@link
   * #notifyListener} must be called after the locks are released. Allocates nothing.
   */
  synchronized void failUntold(String sentence, Object subject, Throwable cause) {
    if (this.cause == null) {
      this.sentence = sentence;
      this.subject = subject;
      this.cause = cause;
    }
  }

  /**
   * Returns a guard that ends all changes when a lock is lost. It does not notify the listener,
   * since its callers may hold locks: {@link #notifyListener} is called from time to time.
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

  /** Notifies the listener of the failure, if there is one and it was not notified yet. */
  public void notifyListener() {
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

  /** Returns whether nothing has failed. */
  public boolean isGood() {
    return cause == null;
  }

  /** Returns why nothing can be changed any more; null if nothing has failed. */
  public @Nullable String reason() {
    Throwable failure = cause;
    return failure == null ? null : reason(failure);
  }

  /** Throws the first failure, if there was one. */
  public void requireGood() throws ReadOnlyException {
    Throwable failure = cause;
    if (failure != null) {
      throw new ReadOnlyException(
          database + " is read-only until it is opened again: " + reason(failure), failure);
    }
  }
}
