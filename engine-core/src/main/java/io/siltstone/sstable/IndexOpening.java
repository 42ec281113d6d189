package io.siltstone.sstable;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.files.RepeatedReads;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.BigIndexOpening;
import io.siltstone.sstable.bti.TrieIndex;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.index.IndexedTable;
import io.siltstone.sstable.index.KeyIndex;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens index and filter of an SSTable, and checks by a few reads that they belong to this SSTable.
 * It chooses the index by the format. Used by one thread at a time.
 */
final class IndexOpening {
  private static final Logger LOG = LoggerFactory.getLogger(IndexOpening.class);

  private final Directory directory;
  private final Descriptor descriptor;
  private final Statistics statistics;
  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final SSTableData data;
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
      SSTableData data,
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
   * Opens the components.
   *
   * @param components the components that exist
   * @param isForSalvage whether placeholders are returned if one is damaged, missing, or cannot be
   *     read in several attempts
   */
  IndexParts open(Set<Component> components, boolean isForSalvage) throws IOException {
    return isForSalvage ? openForSalvage(components) : openWhole(components);
  }

  private IndexParts openForSalvage(Set<Component> components) throws IOException {
    IOException damage;
    try {
      return RepeatedReads.run(
          path(Component.DATA), CorruptFileException.WHOLE_FILE, () -> openWhole(components));
    } catch (CorruptSSTableException | CorruptFileException e) {
      damage = e;
    }
    checkFirstKey();
    LOG.warn("{} can only be scanned: {}", path(Component.DATA), damage.getMessage());
    return placeholders(components, damage);
  }

  private IndexParts openWhole(Set<Component> components) throws IOException {
    Closeables opened = new Closeables();
    try {
      BloomFilter filter = opened.add(openFilter(components));
      KeyIndex index = opened.add(openIndex(components, table(filter)));
      checkKeyRange(index);
      return new IndexParts(index, filter);
    } catch (Throwable e) {
      opened.closeAfter(e);
      throw e;
    }
  }

  private IndexedTable table(BloomFilter filter) {
    return new IndexedTable(directory, descriptor, partitioner, encoding, data.length(), filter);
  }

  private KeyIndex openIndex(Set<Component> components, IndexedTable table) throws IOException {
    return descriptor.version().hasTrieIndex()
        ? TrieIndex.open(table, components)
        : new BigIndexOpening(table, budget).open(components);
  }

  /** Returns an index that may be damaged, and a filter that has all keys. */
  private IndexParts placeholders(Set<Component> components, IOException damage)
      throws IOException {
    PartitionKey first = PartitionKey.of(new byte[0], Long.MIN_VALUE);
    PartitionKey last = PartitionKey.of(new byte[0], Long.MAX_VALUE);
    if (statistics.stats().keyRange().isPresent()) {
      KeyRange range = statistics.stats().keyRange().get();
      first = key(range.first());
      last = key(range.last());
    }
    BloomFilter filter = BloomFilter.alwaysPresent();
    KeyIndex index =
        descriptor.version().hasTrieIndex()
            ? new MissingIndex(first, last, damage)
            : new BigIndexOpening(table(filter), budget).openForSalvage(components, first, last);
    return new IndexParts(index, filter);
  }

  /**
   * Checks the first key against the data as {@link #checkKeyRange} does against the index, if the
   * beginning of the data is not damaged.
   */
  private void checkFirstKey() throws IOException {
    if (statistics.stats().keyRange().isEmpty()) {
      return;
    }
    PartitionKey first = firstKeyOfData();
    if (first != null
        && !Arrays.equals(statistics.stats().keyRange().get().first(), first.toByteArray())) {
      throw new CorruptSSTableException(
          path(Component.STATISTICS),
          Component.STATISTICS,
          CorruptFileException.WHOLE_FILE,
          "is of a table with another first key than " + first);
    }
  }

  /** Returns the key with which the data begins; null if it is damaged there. */
  private @Nullable PartitionKey firstKeyOfData() throws IOException {
    try {
      return RepeatedReads.run(path(Component.DATA), 0, this::readFirstKey);
    } catch (CorruptSSTableException | CorruptFileException e) {
      return null;
    }
  }

  private PartitionKey readFirstKey() throws IOException {
    ByteSource bytes = ByteSource.of(data.open().file().openRandom());
    try (DataCursor cursor =
        new DataCursor(
            new ByteWindow(bytes, Component.DATA, bytes.unit(), false),
            encoding,
            descriptor.version(),
            partitioner,
            data.length())) {
      cursor.nextPartition();
      return PartitionKey.of(cursor.key().toByteArray(), cursor.key().token());
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

  /**
   * Compares the keys of the statistics with those of the index: statistics of another SSTable
   * would shift all times and columns without an error.
   */
  private void checkKeyRange(KeyIndex index) throws IOException {
    if (statistics.stats().keyRange().isEmpty()) {
      return;
    }
    KeyRange range = statistics.stats().keyRange().get();
    if (!Arrays.equals(range.first(), index.firstKey().toByteArray())
        || !Arrays.equals(range.last(), index.lastKey().toByteArray())) {
      throw otherKeys(index, range);
    }
  }

  private CorruptSSTableException otherKeys(KeyIndex index, KeyRange range) throws IOException {
    String keys = "first and last keys than " + index.firstKey() + " and " + index.lastKey();
    PartitionKey first = descriptor.version().hasTrieIndex() ? firstKeyOfData() : null;
    if (first != null && Arrays.equals(range.first(), first.toByteArray())) {
      // The keys of a trie index have no checksum, and nothing to be compared with but the data.
      return new CorruptSSTableException(
          path(Component.PARTITIONS),
          Component.PARTITIONS,
          CorruptFileException.WHOLE_FILE,
          "the statistics have other " + keys);
    }
    return new CorruptSSTableException(
        path(Component.STATISTICS),
        Component.STATISTICS,
        CorruptFileException.WHOLE_FILE,
        "is of a table with other " + keys);
  }

  private String name(Component component) {
    return descriptor.fileName(component);
  }

  private String path(Component component) {
    return directory.path() + "/" + name(component);
  }
}
