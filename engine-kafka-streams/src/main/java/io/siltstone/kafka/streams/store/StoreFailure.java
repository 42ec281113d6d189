package io.siltstone.kafka.streams.store;

import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.kafka.streams.host.StoreTable;
import java.io.IOException;
import java.util.Set;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exceptions that Kafka gets for a failure of a store. A damaged file is a {@link
 * TaskCorruptedException} for the thread of the task, and the table is given up, so that the
 * restore begins with an empty one. For other threads, which query, and for everything else, such
 * as a full disk, it is a {@link ProcessorStateException}.
 *
 * @param table of the store
 */
record StoreFailure(String name, TaskId task, StoreTable table) {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFailure.class);

  /**
   * Returns what to throw, after giving up a table that is damaged.
   *
   * @param isOwner whether the present thread is that of the task
   * @param what could not be done, as in {@code read}
   * @param e the failure
   */
  RuntimeException toThrow(boolean isOwner, String what, Throwable e) {
    if (e instanceof TaskCorruptedException corrupted) {
      return corrupted;
    }
    ProcessorStateException thrown =
        new ProcessorStateException("store " + name + " cannot be " + what, e);
    if (!isDamage(e)) {
      return thrown;
    }
    LOG.error("store {} of task {} is damaged, and has to be restored", name, task, e);
    try {
      table.giveUp();
    } catch (IOException | RuntimeException also) {
      thrown.addSuppressed(also);
      return thrown;
    }
    return isOwner ? new TaskCorruptedException(Set.of(task), thrown) : thrown;
  }

  private static boolean isDamage(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ReadOnlyException) {
        return false;
      }
      if (cause instanceof CorruptFileException) {
        return true;
      }
    }
    return false;
  }
}
