package io.siltstone.liveset;

import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes SSTables that are not used any more, and deletes the files of obsolete ones. Safe for all
 * threads.
 */
final class ObsoleteSSTables {
  private static final Logger LOG = LoggerFactory.getLogger(ObsoleteSSTables.class);

  private final String path;
  private final LiveSetOptions options;

  // Guards deletions, of which there are none after keepFiles.
  private final Object deletions = new Object();
  private boolean mayDelete = true;

  /**
   * @param path of the directory, for messages
   */
  ObsoleteSSTables(String path, LiveSetOptions options) {
    this.path = path;
    this.options = options;
  }

  /** Closes an SSTable, and schedules the deletion of its files if it is obsolete. */
  void add(SSTable table, @Nullable ObsoleteFiles obsoleteFiles) {
    options.observer().closing(table);
    try {
      table.close();
    } catch (IOException e) {
      LOG.warn("{} was not closed properly", table, e);
    }
    if (obsoleteFiles == null) {
      return;
    }
    try {
      options.cleaner().execute(() -> delete(table.descriptor(), obsoleteFiles));
    } catch (RejectedExecutionException e) {
      LOG.info("{} is obsolete, and is deleted when it is opened again", table);
    }
  }

  private void delete(Descriptor descriptor, ObsoleteFiles obsoleteFiles) {
    synchronized (deletions) {
      if (!mayDelete) {
        return;
      }
      try {
        options.guard().requireOwned();
        obsoleteFiles.delete(descriptor);
      } catch (IOException e) {
        LOG.warn(
            "{} of {} is obsolete, but is deleted only when it is opened again",
            descriptor,
            path,
            e);
      }
    }
  }

  /**
   * Ends all deletions: none happens after this returns. Obsolete files that are left are deleted
   * when the directory is opened again.
   */
  void keepFiles() {
    synchronized (deletions) {
      mayDelete = false;
    }
  }
}
