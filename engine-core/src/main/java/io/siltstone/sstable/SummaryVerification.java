package io.siltstone.sstable;

import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.util.Arrays;

/**
 * Compares the samples of an index summary with the entries of the index: the first entry has a
 * sample, and each sample has the key and the position of an entry. A search that begins at any
 * other position would read an entry from its middle.
 *
 * <p>Used once, by one thread, with all entries in their order.
 */
final class SummaryVerification {
  private final SSTable table;
  private final IndexSummary summary;
  private int next;

  SummaryVerification(SSTable table, IndexSummary summary) {
    this.table = table;
    this.summary = summary;
  }

  /**
   * Compares an entry of the index with the samples.
   *
   * @param position of the entry in the index
   * @throws CorruptSSTableException if the next sample is not one of this or a later entry
   */
  void entry(PartitionKey key, long position) throws CorruptSSTableException {
    boolean isFirst = next == 0;
    if (next < summary.size() && summary.position(next) <= position) {
      if (summary.position(next) < position) {
        throw corrupt(sample() + ", where no entry of the index begins");
      }
      if (!Arrays.equals(
          summary.key(next),
          0,
          summary.key(next).length,
          key.bytes(),
          key.offset(),
          key.offset() + key.length())) {
        throw corrupt(sample() + ", where the index has " + key);
      }
      next++;
    }
    if (isFirst && next == 0) {
      throw corrupt("has no sample of the first key " + key);
    }
  }

  /** Ends the comparison: there are no more entries. */
  void end() throws CorruptSSTableException {
    if (next < summary.size()) {
      throw corrupt(sample() + ", which is after the last entry of the index");
    }
  }

  private String sample() {
    return "sample " + next + " is said to be at " + summary.position(next);
  }

  private CorruptSSTableException corrupt(String reason) {
    return new CorruptSSTableException(
        table.directory().path() + "/" + table.descriptor().fileName(Component.SUMMARY),
        Component.SUMMARY,
        CorruptFileException.WHOLE_FILE,
        reason);
  }
}
