package io.siltstone.sstable;

import io.siltstone.cache.CachedFile;
import io.siltstone.cache.ReadCaches;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.memory.MemoryBudget;
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
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the components of a table one after the other; on a failure closes those it has opened. */
final class SSTableOpening {
  private static final Logger LOG = LoggerFactory.getLogger(SSTableOpening.class);
  private static final int INDEX_READ_BYTES = 4 * 1024;
  private static final int INDEX_SCAN_BYTES = 64 * 1024;
  private static final int DEFAULT_INDEX_INTERVAL = 128;

  private final Directory directory;
  private final Descriptor descriptor;
  private final SSTableOptions options;
  private final ReadCaches caches;
  private final MemoryBudget budget;
  private final long[] hash = new long[2];
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  SSTableOpening(
      Directory directory,
      Descriptor descriptor,
      SSTableOptions options,
      ReadCaches caches,
      MemoryBudget budget) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.options = options;
    this.caches = caches;
    this.budget = budget;
  }

  SSTable open() throws IOException {
    try {
      return openAll();
    } catch (Throwable e) {
      closeAllBut(0, e);
      throw e;
    }
  }

  /** Closes what was opened last, down to so many; what fails is suppressed. */
  private void closeAllBut(int count, Throwable failure) {
    while (opened.size() > count) {
      try {
        opened.pop().close();
      } catch (Exception suppressed) {
        failure.addSuppressed(suppressed);
      }
    }
  }

  /** What tells where partitions are. */
  private record IndexParts(ReadableFile index, BloomFilter filter, IndexSummary summary) {}

  private SSTable openAll() throws IOException {
    Set<Component> components =
        SSTableFiles.components(directory, descriptor, options.isForSalvage());
    if (!components.contains(Component.DATA)) {
      throw new NoSuchFileException(path(Component.DATA));
    }
    require(components, Component.STATISTICS);
    Statistics statistics =
        Statistics.read(directory, name(Component.STATISTICS), descriptor.version());
    Partitioner partitioner = partitioner(statistics);
    RowEncoding encoding =
        new RowEncoding(statistics.header(), descriptor.version().hasUnsignedDeletionTimes());
    ChunkedFile data = opened(openData(components, statistics));
    IndexParts parts = openIndex(components, statistics, encoding, partitioner, data);
    CachedFile cached = opened(caches.chunks().open(data));
    return new SSTable(
        directory,
        descriptor,
        components,
        statistics,
        encoding,
        partitioner,
        data,
        cached,
        caches.keys(),
        parts.index,
        parts.filter,
        parts.summary,
        directory.lastModifiedMillis(name(Component.DATA)));
  }

  private void require(Set<Component> components, Component component)
      throws CorruptSSTableException {
    if (!components.contains(component)) {
      throw new CorruptSSTableException(
          path(component), component, CorruptFileException.WHOLE_FILE, "the file is missing");
    }
  }

  private Partitioner partitioner(Statistics statistics) throws CorruptSSTableException {
    try {
      return Partitioner.ofClassName(statistics.validation().partitioner());
    } catch (IllegalArgumentException e) {
      throw new CorruptSSTableException(
          path(Component.STATISTICS),
          Component.STATISTICS,
          CorruptFileException.WHOLE_FILE,
          String.valueOf(e.getMessage()),
          e);
    }
  }

  private ChunkedFile openData(Set<Component> components, Statistics statistics)
      throws IOException {
    String dataName = name(Component.DATA);
    if (components.contains(Component.COMPRESSION_INFO)) {
      try {
        return ChunkedFile.openCompressed(
            directory,
            dataName,
            name(Component.COMPRESSION_INFO),
            budget,
            options.crcCheckChance());
      } catch (CorruptFileException e) {
        throw CorruptSSTableException.of(Component.COMPRESSION_INFO, e);
      }
    }
    if (statistics.stats().compressionRatio() >= 0) {
      // The ratio is negative where nothing was compressed: without its description the data
      // would be read as if it were plain.
      require(components, Component.COMPRESSION_INFO);
    }
    try {
      return ChunkedFile.openPlain(
          directory,
          dataName,
          components.contains(Component.CRC) ? name(Component.CRC) : null,
          budget,
          options.crcCheckChance());
    } catch (CorruptFileException e) {
      throw CorruptSSTableException.of(Component.CRC, e);
    }
  }

  private IndexParts openIndex(
      Set<Component> components,
      Statistics statistics,
      RowEncoding encoding,
      Partitioner partitioner,
      ChunkedFile data)
      throws IOException {
    int before = opened.size();
    try {
      require(components, Component.PRIMARY_INDEX);
      ReadableFile index = opened(directory.open(name(Component.PRIMARY_INDEX), ReadIntent.INDEX));
      BloomFilter filter = opened(openFilter(components));
      IndexSummary summary = opened(openSummary(components, partitioner, index));
      checkEnds(partitioner, index, summary, data.length());
      checkKeyRange(statistics, summary);
      return new IndexParts(index, filter, summary);
    } catch (CorruptSSTableException e) {
      closeAllBut(before, e);
      if (!options.isForSalvage()) {
        throw e;
      }
      checkFirstKey(statistics, encoding, partitioner, data);
      LOG.warn("{} can be scanned only: {}", path(Component.DATA), e.getMessage());
      return makeshift(components, statistics, partitioner);
    }
  }

  /** An index that is perhaps damaged, and a filter and a summary that say nothing. */
  private IndexParts makeshift(
      Set<Component> components, Statistics statistics, Partitioner partitioner)
      throws IOException {
    ReadableFile index =
        opened(
            components.contains(Component.PRIMARY_INDEX)
                ? directory.open(name(Component.PRIMARY_INDEX), ReadIntent.INDEX)
                : new NoFile(path(Component.PRIMARY_INDEX)));
    PartitionKey first = PartitionKey.of(new byte[0], Long.MIN_VALUE);
    PartitionKey last = PartitionKey.of(new byte[0], Long.MAX_VALUE);
    if (statistics.stats().keyRange().isPresent()) {
      KeyRange range = statistics.stats().keyRange().get();
      first = key(range.first(), partitioner);
      last = key(range.last(), partitioner);
    }
    try (IndexSummary.Builder builder = new IndexSummary.Builder(1, budget)) {
      builder.add(first, 0);
      builder.add(last, 0);
      return new IndexParts(index, BloomFilter.alwaysPresent(), opened(builder.build()));
    }
  }

  /** As {@link #checkKeyRange}, by the data, if the beginning of that can be read. */
  private void checkFirstKey(
      Statistics statistics, RowEncoding encoding, Partitioner partitioner, ChunkedFile data)
      throws CorruptSSTableException {
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
    } catch (IOException e) {
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

  private PartitionKey key(byte[] bytes, Partitioner partitioner) {
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

  private IndexSummary openSummary(
      Set<Component> components, Partitioner partitioner, ReadableFile index) throws IOException {
    if (components.contains(Component.SUMMARY)) {
      return IndexSummary.open(
          directory, name(Component.SUMMARY), partitioner, index.length(), budget);
    }
    try (IndexSummary.Builder builder = new IndexSummary.Builder(DEFAULT_INDEX_INTERVAL, budget);
        IndexCursor entries = IndexCursor.over(index, INDEX_SCAN_BYTES, true)) {
      PartitionKey key = new PartitionKey();
      while (entries.next()) {
        entries.wrapKey(key, partitioner, hash);
        builder.add(key, entries.position());
      }
      return builder.build();
    }
  }

  /**
   * Compares the summary's first and last key with the index, whose first entry leads to the
   * beginning of the data and whose last to a place within: no lookup goes beyond these keys, and
   * neither file has a checksum.
   */
  private void checkEnds(
      Partitioner partitioner, ReadableFile index, IndexSummary summary, long dataLength)
      throws IOException {
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
      if (!key.equals(summary.lastKey()) || entries.dataPosition() >= dataLength) {
        throw corruptIndex(
            "ends with "
                + key
                + " at "
                + entries.dataPosition()
                + " of the data, "
                + summary.lastKey()
                + " before "
                + dataLength
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

  /** Statistics of another table would shift all times and columns without a trace. */
  private void checkKeyRange(Statistics statistics, IndexSummary summary)
      throws CorruptSSTableException {
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

  private <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  private String name(Component component) {
    return descriptor.fileName(component);
  }

  private String path(Component component) {
    return directory.path() + "/" + name(component);
  }
}
