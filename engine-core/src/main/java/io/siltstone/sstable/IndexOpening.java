package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens index, summary and filter of an SSTable, and checks by a few reads that they belong to this
 * SSTable. Used by one thread at a time.
 */
final class IndexOpening {
  private static final Logger LOG = LoggerFactory.getLogger(IndexOpening.class);
  private static final int INDEX_READ_BYTES = 4 * 1024;
  private static final int INDEX_SCAN_BYTES = 64 * 1024;

  private final Directory directory;
  private final Descriptor descriptor;
  private final Statistics statistics;
  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final ChunkedFile data;
  private final MemoryBudget budget;
  private final long[] hash = new long[2];

  /**
   * @param statistics of the table
   * @param data not closed by this class
   */
  IndexOpening(
      Directory directory,
      Descriptor descriptor,
      Statistics statistics,
      RowEncoding encoding,
      Partitioner partitioner,
      ChunkedFile data,
      MemoryBudget budget) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.statistics = statistics;
    this.encoding = encoding;
    this.partitioner = partitioner;
    this.data = data;
    this.budget = budget;
  }

  /**
   * Opens the three components.
   *
   * @param components the components that exist
   * @param isForSalvage whether placeholders are returned if one is damaged or missing; not if the
   *     operating system cannot read it, since another attempt may
   */
  IndexParts open(Set<Component> components, boolean isForSalvage) throws IOException {
    Closeables opened = new Closeables();
    try {
      return openWhole(components, opened);
    } catch (CorruptSSTableException | CorruptFileException e) {
      opened.closeAfter(e);
      if (!isForSalvage) {
        throw e;
      }
      checkFirstKey();
      LOG.warn("{} can only be scanned: {}", path(Component.DATA), e.getMessage());
      return placeholders(components);
    } catch (Throwable e) {
      opened.closeAfter(e);
      throw e;
    }
  }

  private IndexParts openWhole(Set<Component> components, Closeables opened) throws IOException {
    if (!components.contains(Component.PRIMARY_INDEX)) {
      throw corruptIndex("the file is missing");
    }
    ReadableFile index = opened.add(openIndex());
    if (index.length() == 0) {
      // The summary would be blamed for its positions otherwise.
      throw corruptIndex("has 0 bytes, allowed 1 or more");
    }
    BloomFilter filter = opened.add(openFilter(components));
    IndexSummary summary = opened.add(openSummary(components, index));
    checkEnds(index, summary);
    checkKeyRange(summary);
    return new IndexParts(index, filter, summary);
  }

  private ReadableFile openIndex() throws IOException {
    return directory.open(name(Component.PRIMARY_INDEX), ReadIntent.INDEX);
  }

  /** Returns an index that may be damaged, and placeholders of filter and summary. */
  private IndexParts placeholders(Set<Component> components) throws IOException {
    PartitionKey first = PartitionKey.of(new byte[0], Long.MIN_VALUE);
    PartitionKey last = PartitionKey.of(new byte[0], Long.MAX_VALUE);
    if (statistics.stats().keyRange().isPresent()) {
      KeyRange range = statistics.stats().keyRange().get();
      first = key(range.first());
      last = key(range.last());
    }
    ReadableFile index =
        components.contains(Component.PRIMARY_INDEX)
            ? openIndex()
            : new NoFile(path(Component.PRIMARY_INDEX));
    try (IndexSummary.Builder builder = new IndexSummary.Builder(1, budget)) {
      builder.add(first, 0);
      builder.add(last, 0);
      return new IndexParts(index, BloomFilter.alwaysPresent(), builder.build(first, last));
    } catch (Throwable e) {
      try (index) {
        throw e;
      }
    }
  }

  /**
   * Checks the first key against the data as {@link #checkKeyRange} does against the summary, if
   * the beginning of the data is not damaged.
   */
  private void checkFirstKey() throws IOException {
    if (statistics.stats().keyRange().isEmpty()) {
      return;
    }
    PartitionKey first;
    ByteSource bytes = ByteSource.of(data.openRandom());
    try (DataCursor cursor =
        new DataCursor(
            new ByteWindow(bytes, Component.DATA, bytes.unit(), false),
            encoding,
            descriptor.version(),
            partitioner,
            data.length())) {
      cursor.nextPartition();
      first = PartitionKey.of(cursor.key().toByteArray(), cursor.key().token());
    } catch (CorruptSSTableException | CorruptFileException e) {
      return;
    }
    if (!Arrays.equals(statistics.stats().keyRange().get().first(), first.toByteArray())) {
      throw new CorruptSSTableException(
          path(Component.STATISTICS),
          Component.STATISTICS,
          CorruptFileException.WHOLE_FILE,
          "is of a table with another first key than " + first);
    }
  }

  private PartitionKey key(byte[] bytes) {
    return PartitionKey.of(bytes, partitioner.tokenWith(bytes, 0, bytes.length, hash));
  }

  private BloomFilter openFilter(Set<Component> components) throws IOException {
    if (!components.contains(Component.FILTER)) {
      return BloomFilter.alwaysPresent();
    }
    try {
      return BloomFilter.open(directory, name(Component.FILTER), budget);
    } catch (CorruptFileException e) {
      throw CorruptSSTableException.of(Component.FILTER, e);
    }
  }

  private IndexSummary openSummary(Set<Component> components, ReadableFile index)
      throws IOException {
    if (components.contains(Component.SUMMARY)) {
      return IndexSummary.open(
          directory, name(Component.SUMMARY), partitioner, index.length(), budget);
    }
    try (IndexCursor entries = IndexCursor.over(index, INDEX_SCAN_BYTES, true)) {
      return summaryOf(
          entries, partitioner, SSTableWriterOptions.DEFAULT_MIN_INDEX_INTERVAL, budget);
    }
  }

  /**
   * Builds the summary of an index.
   *
   * @param entries cursor before the first entry
   * @param interval number of entries per sample
   */
  static IndexSummary summaryOf(
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
    try (IndexCursor entries = IndexCursor.over(index, INDEX_READ_BYTES, false)) {
      PartitionKey key = new PartitionKey();
      if (entries.next()) {
        entries.wrapKey(key, partitioner, hash);
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
        entries.wrapKey(key, partitioner, hash);
      }
      if (!key.equals(summary.lastKey()) || entries.dataPosition() >= data.length()) {
        throw corruptIndex(
            "ends with "
                + key
                + " at "
                + entries.dataPosition()
                + " of the data, "
                + summary.lastKey()
                + " before "
                + data.length()
                + " is the last");
      }
    }
  }

  private CorruptSSTableException corruptIndex(String reason) {
    return new CorruptSSTableException(
        path(Component.PRIMARY_INDEX),
        Component.PRIMARY_INDEX,
        CorruptFileException.WHOLE_FILE,
        reason);
  }

  /**
   * Compares the keys of the statistics with those of the summary: statistics of another SSTable
   * would shift all times and columns without an error.
   */
  private void checkKeyRange(IndexSummary summary) throws CorruptSSTableException {
    if (statistics.stats().keyRange().isEmpty()) {
      return;
    }
    KeyRange range = statistics.stats().keyRange().get();
    if (!Arrays.equals(range.first(), summary.firstKey().toByteArray())
        || !Arrays.equals(range.last(), summary.lastKey().toByteArray())) {
      throw new CorruptSSTableException(
          path(Component.STATISTICS),
          Component.STATISTICS,
          CorruptFileException.WHOLE_FILE,
          "is of a table with other first and last keys than "
              + summary.firstKey()
              + " and "
              + summary.lastKey());
    }
  }

  private String name(Component component) {
    return descriptor.fileName(component);
  }

  private String path(Component component) {
    return directory.path() + "/" + name(component);
  }
}
