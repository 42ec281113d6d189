package io.siltstone.table;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.segment.CommitLogListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the events of a database's commit log: failures end all changes, and a log that takes too
 * much space triggers flushes. Safe for all threads.
 */
public final class LogEvents implements CommitLogListener {
  private static final Logger LOG = LoggerFactory.getLogger(LogEvents.class);

  private final Health health;
  private volatile @Nullable Flusher flusher;

  /**
   * @param health is ended by failures of the log
   */
  public LogEvents(Health health) {
    this.health = health;
  }

  /** Sets the flusher that flushes tables when the log takes too much space. */
  public void begin(Flusher by) {
    flusher = by;
  }

  @Override
  public void failing(CommitLogFailedException failure) {
    health.failUntold("%s failed", "The commit log", failure);
  }

  @Override
  public void failed(CommitLogFailedException failure) {
    health.notifyListener();
  }

  @Override
  public void spaceExceeded(long diskBytes) {
    Flusher present = flusher;
    if (present != null) {
      present.shortenLog();
    }
  }

  @Override
  public void archivingFailed(IOException failure) {
    LOG.warn("a segment of the commit log could not be archived, and is kept", failure);
  }
}
