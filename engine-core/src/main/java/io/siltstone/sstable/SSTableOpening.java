package io.siltstone.sstable;

import io.siltstone.cache.ReadCaches;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens the components of an SSTable one after the other; after a failure, closes those that it has
 * opened.
 */
final class SSTableOpening {
  private final Directory directory;
  private final Descriptor descriptor;
  private final SSTableOptions options;
  private final ReadCaches caches;
  private final MemoryBudget budget;
  private final Closeables opened = new Closeables();

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
      return openAll(null);
    } catch (Throwable e) {
      opened.closeAfter(e);
      throw e;
    }
  }

  /** Opens an SSTable whose files have not changed since it was last open. */
  SSTable openUnchanged(KnownFiles files) throws IOException {
    try {
      return openAll(files);
    } catch (Throwable e) {
      opened.closeAfter(e);
      throw e;
    }
  }

  private SSTable openAll(@Nullable KnownFiles known) throws IOException {
    Set<Component> components =
        known != null
            ? known.components()
            : SSTableFiles.components(directory, descriptor, options.isForSalvage());
    if (!components.contains(Component.DATA) && !components.contains(Component.TOC)) {
      throw new NoSuchFileException(path(Component.DATA));
    }
    require(components, Component.DATA);
    require(components, Component.STATISTICS);
    Statistics statistics =
        Statistics.read(directory, name(Component.STATISTICS), descriptor.version());
    Partitioner partitioner = partitioner(statistics);
    RowEncoding encoding =
        new RowEncoding(statistics.header(), descriptor.version().hasUnsignedDeletionTimes());
    DataOpening dataOpening =
        new DataOpening(
            directory,
            descriptor,
            options,
            caches,
            budget,
            components,
            // The ratio is negative if nothing was compressed.
            statistics.stats().compressionRatio() >= 0);
    SSTableData data = opened.add(known == null ? dataOpening.open() : dataOpening.openLate(known));
    IndexOpening opening =
        new IndexOpening(directory, descriptor, statistics, encoding, partitioner, data, budget);
    Optional<KeyRange> range = statistics.stats().keyRange();
    PartitionKey first;
    PartitionKey last;
    LateOpened<IndexParts> index;
    if (known != null && range.isPresent()) {
      first = key(range.get().first(), partitioner);
      last = key(range.get().last(), partitioner);
      index = opened.add(LateOpened.by(() -> opening.open(components, false)));
    } else {
      IndexParts parts = opened.add(opening.open(components, options.isForSalvage()));
      first = parts.index().firstKey();
      last = parts.index().lastKey();
      index = LateOpened.of(parts);
    }
    return new SSTable(
        directory,
        descriptor,
        components,
        statistics,
        encoding,
        partitioner,
        data,
        caches.keys(),
        index,
        first,
        last,
        known != null ? known.writtenAt() : directory.lastModifiedMillis(name(Component.DATA)));
  }

  private static PartitionKey key(byte[] bytes, Partitioner partitioner) {
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }

  private void require(Set<Component> components, Component component)
      throws CorruptSSTableException {
    if (!components.contains(component)) {
      throw CorruptSSTableException.missing(path(component), component, "the file is missing");
    }
  }

  private Partitioner partitioner(Statistics statistics) throws UnsupportedSSTableException {
    try {
      return Partitioner.ofClassName(statistics.validation().partitioner());
    } catch (IllegalArgumentException e) {
      throw UnsupportedSSTableException.of(path(Component.STATISTICS), e);
    }
  }

  private String name(Component component) {
    return descriptor.fileName(component);
  }

  private String path(Component component) {
    return directory.path() + "/" + name(component);
  }
}
