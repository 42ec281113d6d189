package io.siltstone.compaction.task;

import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;

/**
 * Statistics that count more rows than there are: Cassandra's scrub leaves them, as it has counted
 * the rows of a partition when it gives it up.
 */
final class Overcount {

  private Overcount() {}

  /**
   * Whether that is why fewer rows were read of an input than its statistics say, and none was lost
   * on the way: another reading, which checks each row's place, finds as many.
   */
  static boolean explains(SSTable input, long rowsRead, TaskProgress progress) throws IOException {
    long missing = input.statistics().stats().totalRows() - rowsRead;
    if (missing <= 0) {
      return false;
    }
    try {
      SSTableVerifier.Result result =
          new SSTableVerifier(input).verifyContent(position -> progress.check());
      return result.overcounted() == missing;
    } catch (CorruptSSTableException e) {
      return false;
    }
  }
}
