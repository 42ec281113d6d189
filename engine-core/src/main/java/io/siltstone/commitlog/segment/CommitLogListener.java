package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import java.io.IOException;

/**
 * Told of what the log cannot settle alone. Called through the executor of {@link
 * CommitLogServices}, without a lock of the log; what comes again may be missed where that takes no
 * more.
 */
public interface CommitLogListener {
  /** The log failed for good. Called once at most. */
  void failed(CommitLogFailedException failure);

  /**
   * The log is larger than {@link CommitLogOptions#totalSpaceBytes()}. Called at each new segment
   * while that is so; a flush of {@link CommitLog#dirtyTablesOfOldest()} helps.
   *
   * @param diskBytes what {@link CommitLog#diskBytes()} says
   */
  void spaceExceeded(long diskBytes);

  /**
   * A segment could not be archived. It is kept, and tried again whenever a segment is to be
   * archived or deleted.
   */
  void archivingFailed(IOException failure);
}
