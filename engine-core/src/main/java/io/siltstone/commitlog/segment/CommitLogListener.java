package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import java.io.IOException;

/**
 * Receives events of the commit log that need an action of the database. Called by the executor of
 * {@link CommitLogServices}, with no lock of the log held, but for {@link #failing}. Events that
 * repeat may be dropped if the executor rejects them.
 */
public interface CommitLogListener {
  /**
   * Called when the log fails, before any call of the log throws the failure. Whoever learns of it
   * finds what this has done: no change is accepted after the one that failed. Called by the thread
   * that has found the failure, with locks of the log held, perhaps by several threads, and when
   * the heap is exhausted: it does not wait, takes no lock that is held during a call of the log,
   * and allocates nothing.
   */
  void failing(CommitLogFailedException failure);

  /** Called when the log has failed, at most once. The failure is final. */
  void failed(CommitLogFailedException failure);

  /**
   * Called at each new segment while the log is larger than {@link
   * CommitLogOptions#totalSpaceBytes()}. Flushing {@link CommitLog#dirtyTablesOfOldest()} shortens
   * it.
   *
   * @param diskBytes the result of {@link CommitLog#diskBytes()}
   */
  void spaceExceeded(long diskBytes);

  /**
   * Called when a segment could not be archived. It is kept, and archiving is retried whenever a
   * segment is to be archived or deleted.
   */
  void archivingFailed(IOException failure);
}
