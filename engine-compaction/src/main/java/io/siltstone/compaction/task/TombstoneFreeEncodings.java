package io.siltstone.compaction.task;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.sstable.SSTable;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows need not be looked into by a purge, by the encoding they are in, which each table has
 * its own of: those of a table in which nothing was deleted or has expired, as its statistics say.
 * Confined to one thread.
 */
final class TombstoneFreeEncodings {
  private final IdentityHashMap<RowEncoding, Boolean> tables = new IdentityHashMap<>();
  private final boolean isAllPlain;
  private @Nullable RowEncoding last;
  private boolean lastIsPlain;

  /**
   * @param nowSeconds since 1970
   */
  TombstoneFreeEncodings(List<SSTable> inputs, long nowSeconds) {
    boolean all = true;
    for (SSTable input : inputs) {
      boolean isPlain = input.statistics().stats().minLocalDeletionTime() > nowSeconds;
      tables.put(input.encoding(), isPlain);
      all &= isPlain;
    }
    isAllPlain = all;
  }

  /** Whether a row in that encoding has nothing to lose. Rows made of several have another one. */
  boolean isPlain(RowEncoding encoding) {
    if (isAllPlain) {
      return true;
    }
    if (encoding != last) {
      Boolean known = tables.get(encoding);
      last = encoding;
      lastIsPlain = known != null && known;
    }
    return lastIsPlain;
  }
}
