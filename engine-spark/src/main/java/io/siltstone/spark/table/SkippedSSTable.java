package io.siltstone.spark.table;

import io.siltstone.spark.files.ListedSSTable;
import io.siltstone.sstable.format.Component;

/**
 * An SSTable that is damaged or incomplete, and was skipped as option {@code onDamage} says.
 *
 * @param sstable which it is
 * @param reason what was found
 */
record SkippedSSTable(ListedSSTable sstable, String reason) {
  /** Returns file, size and reason. */
  @Override
  public String toString() {
    return sstable.path(Component.DATA)
        + " with "
        + sstable.bytes()
        + " bytes of files was skipped: "
        + reason;
  }
}
