package io.siltstone.table;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.LockLostException;
import io.siltstone.io.SyncFailedException;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.io.IOException;
import java.util.List;

/**
 * Tells failures after which a change may be tried again from those that end all changes. A change
 * consists of steps that leave no trace once they are undone, and of one that decides. If a step
 * before that one has failed, as for want of space or of file descriptors, nothing has changed.
 */
final class Retryable {
  /** Failures that say themselves that they are none of these. */
  private static final List<Class<? extends IOException>> FINAL =
      List.of(
          SyncFailedException.class,
          InDoubtException.class,
          LockLostException.class,
          CommitLogFailedException.class,
          ReadOnlyException.class,
          CorruptFileException.class,
          CorruptSSTableException.class,
          UnsupportedSSTableException.class);

  private Retryable() {}

  /**
   * Returns whether the failure of a change leaves everything as it was before.
   *
   * @param failure of a change that marks what is in doubt by {@link InDoubtException}
   */
  static boolean is(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (!(cause instanceof IOException) || isFinal(cause)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFinal(Throwable cause) {
    return FINAL.stream().anyMatch(type -> type.isInstance(cause));
  }
}
