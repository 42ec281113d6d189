package io.siltstone.compaction.task;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.sstable.SSTable;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of inputs without tombstones, whose rows the purge need not inspect: the statistics
 * of these SSTables show that nothing in them was deleted or has expired. Each SSTable has an
 * encoding of its own, by which its rows are recognized. Confined to one thread.
 */
final class TombstoneFreeEncodings {
  private final IdentityHashMap<RowEncoding, Boolean> tables = new IdentityHashMap<>();
  private final boolean isAllFree;
  private @Nullable RowEncoding last;
  private boolean lastIsFree;

  /**
   * @param nowSeconds since 1970
   */
  TombstoneFreeEncodings(List<SSTable> inputs, long nowSeconds) {
    boolean all = true;
    for (SSTable input : inputs) {
      boolean isFree = input.statistics().stats().minLocalDeletionTime() > nowSeconds;
      tables.put(input.encoding(), isFree);
      all &= isFree;
    }
    isAllFree = all;
  }

  /**
   * Returns whether rows of an encoding have no tombstones. Rows that were merged have another
   * encoding.
   */
  boolean contains(RowEncoding encoding) {
    if (isAllFree) {
      return true;
    }
    if (encoding != last) {
      Boolean known = tables.get(encoding);
      last = encoding;
      lastIsFree = known != null && known;
    }
    return lastIsFree;
  }
}
