package io.siltstone.table;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.files.LockLostException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.SyncFailedException;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.io.IOException;
import java.util.List;

/**
 * Distinguishes failures after which a change can be retried from those that end all changes. A
 * change consists of steps that can be undone without a trace, and of one that decides. If an
 * earlier step has failed, for example for lack of space or of file descriptors, nothing has
 * changed.
 */
final class Retryable {
  /** Failures that mean by themselves that the state is unknown or final. */
  private static final List<Class<? extends IOException>> FINAL =
      List.of(
          SyncFailedException.class,
          InDoubtException.class,
          LockLostException.class,
          CommitLogFailedException.class,
          ReadOnlyException.class,
          CorruptFileException.class,
          CorruptSSTableException.class,
          OutputVerificationException.class,
          UnsupportedSSTableException.class);

  private Retryable() {}

  /**
   * Returns whether the failure of a change leaves everything as it was before.
   *
   * @param failure of a change that throws {@link InDoubtException} if it may have happened
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
