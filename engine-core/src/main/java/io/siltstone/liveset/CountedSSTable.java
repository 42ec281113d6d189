package io.siltstone.liveset;

import io.siltstone.cursor.RetentionFloor;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.RowsBelowFloor;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open SSTable of a live set with a reference count. Views and claims hold references. When the
 * last one is released, the SSTable is closed and, if it is obsolete, its files are deleted. Safe
 * for all threads.
 */
final class CountedSSTable {
  private static final Logger LOG = LoggerFactory.getLogger(CountedSSTable.class);

  final SSTable table;
  private final @Nullable Object identity;
  private final ObsoleteSSTables unused;
  private final AtomicInteger references = new AtomicInteger();
  private volatile @Nullable ObsoleteFiles obsoleteFiles;

  /**
   * @param unused closes the SSTable after the last release
   */
  CountedSSTable(SSTable table, ObsoleteSSTables unused) {
    this(table, null, unused);
  }

  /**
   * @param identity of the data file, by {@link io.siltstone.io.Directory#identity}; null if it is
   *     not known
   * @param unused closes the SSTable after the last release
   */
  CountedSSTable(SSTable table, @Nullable Object identity, ObsoleteSSTables unused) {
    this.table = table;
    this.identity = identity;
    this.unused = unused;
  }

  /**
   * Returns whether the data file of that identity is the one that is open. While it is open, no
   * other file has its identity, even if it was deleted.
   */
  boolean isOf(Object file) {
    return file.equals(identity);
  }

  /**
   * Adds a reference. The caller knows that there is another reference, or that this is the first.
   */
  void retain() {
    references.incrementAndGet();
  }

  /** Marks the SSTable as obsolete. To be called before the last reference may be released. */
  void makeObsolete(ObsoleteFiles by) {
    obsoleteFiles = by;
  }

  /** Releases a reference; closes the SSTable with the last one. */
  void release() {
    if (references.decrementAndGet() == 0) {
      unused.add(table, obsoleteFiles);
    }
  }

  /**
   * Opens its files if a reader may yet need it after the files were deleted. A failure is left to
   * that reader.
   */
  void openFilesIfInUse() {
    if (references.get() > 0) {
      try {
        table.openFiles();
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} is not read any more, or cannot be", table, e);
      }
    }
  }

  /** Describes the SSTables of a view, by first key, for the choice of what to compact. */
  static List<LiveTable> describe(View view, Set<Descriptor> claimed) {
    return view.byFirstKey().stream()
        .map(table -> describe(table, claimed.contains(table.descriptor()), view.floor()))
        .toList();
  }

  private static LiveTable describe(
      SSTable table, boolean isClaimed, @Nullable RetentionFloor floor) {
    StatsMetadata stats = table.statistics().stats();
    return new LiveTable(
        table.descriptor(),
        new LiveTable.Size(
            table.onDiskLength(),
            table.dataLength(),
            stats.partitionSizes().count(),
            stats.totalRows(),
            stats.estimatedCells()),
        new LiveTable.KeySpan(table.firstKey(), table.lastKey()),
        new LiveTable.Times(
            stats.minTimestamp(),
            stats.maxTimestamp(),
            stats.minLocalDeletionTime(),
            stats.maxLocalDeletionTime(),
            stats.tombstoneTimes(),
            EventTimes.greatest(table)),
        stats.level(),
        stats.repair(),
        table.writtenAt(),
        table.compression(),
        new LiveTable.Use(
            isClaimed, false, floor == null ? LiveTable.Hidden.NOT_ALL : hidden(table, floor)));
  }

  private static LiveTable.Hidden hidden(SSTable table, RetentionFloor floor) {
    if (!RowsBelowFloor.areAllRows(table, floor)) {
      return LiveTable.Hidden.NOT_ALL;
    }
    return RowsBelowFloor.areAll(table, floor) ? LiveTable.Hidden.ALL : LiveTable.Hidden.ROWS;
  }
}
