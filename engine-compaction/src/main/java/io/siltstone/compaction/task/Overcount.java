package io.siltstone.compaction.task;

import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;

/**
 * Recognizes statistics that count more rows than the SSTable has. Cassandra's scrub writes such
 * statistics: it has counted the rows of a partition before it discards the partition.
 */
final class Overcount {

  private Overcount() {}

  /**
   * Returns whether this is why fewer rows were read of an input than its statistics state, and
   * none was lost: a verification of the whole SSTable, which checks the place of each row, finds
   * as many.
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
