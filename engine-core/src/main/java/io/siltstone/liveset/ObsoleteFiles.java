package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;

/**
 * Deletes the files of SSTables that a committed transaction made obsolete, each when it is
 * released, and the transaction log with the last one. Guarded by the lock of {@link
 * ObsoleteSSTables}.
 */
final class ObsoleteFiles {
  private final Directory directory;
  private final TransactionLog log;
  private int left;

  /**
   * @param tables how many there are
   */
  ObsoleteFiles(Directory directory, TransactionLog log, int tables) {
    this.directory = directory;
    this.log = log;
    this.left = tables;
  }

  /**
   * Deletes the files of an SSTable that is not used any more. After a failure its files and the
   * log stay until the directory is opened again.
   */
  void delete(Descriptor descriptor) throws IOException {
    SSTableComponents.delete(directory, SSTableComponents.prefix(descriptor));
    left--;
    if (left == 0) {
      directory.sync();
      log.delete();
    }
  }
}
