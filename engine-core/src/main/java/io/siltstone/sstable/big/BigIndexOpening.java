package io.siltstone.sstable.big;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.IndexedTable;
import java.io.IOException;
import java.util.Set;

/**
 * Opens {@code Index.db} and {@code Summary.db}, and checks by a few reads that they belong
 * together. Used by one thread at a time.
 */
public final class BigIndexOpening {
  private static final int READ_BYTES = 4 * 1024;
  private static final int SCAN_BYTES = 64 * 1024;

  /** The number of entries per sample of a summary that is made because there is no file. */
  public static final int DEFAULT_INTERVAL = 128;

  private final IndexedTable table;
  private final MemoryBudget budget;

  /**
   * @param budget for the summary
   */
  public BigIndexOpening(IndexedTable table, MemoryBudget budget) {
    this.table = table;
    this.budget = budget;
  }

  /**
   * Opens the index.
   *
   * @param components the components that exist
   * @throws CorruptSSTableException if a file is damaged, or contradicts another
   */
  public BigIndex open(Set<Component> components) throws IOException {
    if (!components.contains(Component.PRIMARY_INDEX)) {
      throw corruptIndex("the file is missing");
    }
    ReadableFile index = openFile();
    IndexSummary summary = null;
    try {
      if (index.length() == 0) {
        // The summary would be blamed for its positions otherwise.
        throw corruptIndex("has 0 bytes, allowed 1 or more");
      }
      summary = openSummary(components, index);
      checkEnds(index, summary);
      return new BigIndex(table, index, summary);
    } catch (Throwable e) {
      try (index) {
        if (summary != null) {
          summary.close();
        }
        throw e;
      }
    }
  }

  private ReadableFile openFile() throws IOException {
    return table.directory().open(table.name(Component.PRIMARY_INDEX), ReadIntent.INDEX);
  }

  /**
   * Opens an index that may be damaged, with a placeholder of the summary.
   *
   * @param first key of the summary
   * @param last key of the summary
   */
  public BigIndex openForSalvage(Set<Component> components, PartitionKey first, PartitionKey last)
      throws IOException {
    ReadableFile index =
        components.contains(Component.PRIMARY_INDEX)
            ? openFile()
            : new NoFile(table.directory().path() + "/" + table.name(Component.PRIMARY_INDEX));
    try (IndexSummary.Builder builder = new IndexSummary.Builder(1, budget)) {
      builder.add(first, 0);
      builder.add(last, 0);
      return new BigIndex(table, index, builder.build(first, last));
    } catch (Throwable e) {
      try (index) {
        throw e;
      }
    }
  }

  private IndexSummary openSummary(Set<Component> components, ReadableFile index)
      throws IOException {
    if (components.contains(Component.SUMMARY)) {
      return IndexSummary.open(
          table.directory(),
          table.name(Component.SUMMARY),
          table.partitioner(),
          index.length(),
          budget);
    }
    try (IndexCursor entries = IndexCursor.over(index, SCAN_BYTES, true)) {
      return summaryOf(entries, table.partitioner(), DEFAULT_INTERVAL, budget);
    }
  }

  /**
   * Builds the summary of an index.
   *
   * @param entries cursor before the first entry
   * @param interval number of entries per sample
   */
  public static IndexSummary summaryOf(
      IndexCursor entries, Partitioner partitioner, int interval, MemoryBudget budget)
      throws IOException {
    try (IndexSummary.Builder builder = new IndexSummary.Builder(interval, budget)) {
      if (!entries.next()) {
        throw entries.corrupt("has no entries");
      }
      long[] hash = new long[2];
      PartitionKey key = new PartitionKey();
      entries.wrapKey(key, partitioner, hash);
      PartitionKey first = PartitionKey.of(key.toByteArray(), key.token());
      PartitionKey last = new PartitionKey();
      do {
        entries.wrapKey(key, partitioner, hash);
        builder.add(key, entries.position());
        last.copyFrom(key);
      } while (entries.next());
      return builder.build(first, last);
    }
  }

  /**
   * Compares the summary's first and last key with the index, whose first entry must have the
   * beginning of the data and whose last entry a position within. No lookup goes beyond these keys,
   * and neither file has a checksum.
   */
  private void checkEnds(ReadableFile index, IndexSummary summary) throws IOException {
    long[] hash = new long[2];
    try (IndexCursor entries = IndexCursor.over(index, READ_BYTES, false)) {
      PartitionKey key = new PartitionKey();
      if (entries.next()) {
        entries.wrapKey(key, table.partitioner(), hash);
      }
      if (!key.equals(summary.firstKey()) || entries.dataPosition() != 0) {
        throw corruptIndex(
            "begins with "
                + key
                + " at "
                + entries.dataPosition()
                + " of the data, "
                + summary.firstKey()
                + " at 0 is the first");
      }
      entries.seek(summary.position(summary.size() - 1));
      while (entries.next()) {
        entries.wrapKey(key, table.partitioner(), hash);
      }
      if (!key.equals(summary.lastKey()) || entries.dataPosition() >= table.dataLength()) {
        throw corruptIndex(
            "ends with "
                + key
                + " at "
                + entries.dataPosition()
                + " of the data, "
                + summary.lastKey()
                + " before "
                + table.dataLength()
                + " is the last");
      }
    }
  }

  private CorruptSSTableException corruptIndex(String reason) {
    return table.corrupt(Component.PRIMARY_INDEX, CorruptFileException.WHOLE_FILE, reason);
  }
}
