package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.index.IndexOutput;
import io.siltstone.sstable.metadata.PartitionCollector;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatisticsCollector;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Derives from a data file all content of other components that depends on it: index, filter, and
 * statistics.
 *
 * <p>Used once, by one thread.
 */
final class DerivedComponents {
  private static final int WINDOW_BYTES = 128 * 1024;

  private final ChunkedFile data;
  private final SerializationHeader header;
  private final Descriptor descriptor;
  private final Partitioner partitioner;
  private final MemoryBudget budget;

  /**
   * @param data not closed by this class
   */
  DerivedComponents(
      ChunkedFile data,
      SerializationHeader header,
      Descriptor descriptor,
      Partitioner partitioner,
      MemoryBudget budget) {
    this.data = data;
    this.header = header;
    this.descriptor = descriptor;
    this.partitioner = partitioner;
    this.budget = budget;
  }

  /** Opens a cursor over all partitions. The caller closes it. */
  DataCursor cursor() throws IOException {
    ByteSource source = ByteSource.of(data.openSequential(SequentialAccess.SCAN, 0, data.length()));
    return new DataCursor(
        new ByteWindow(source, Component.DATA, Math.max(WINDOW_BYTES, 2 * source.unit()), true),
        new RowEncoding(header, descriptor.version().hasUnsignedDeletionTimes()),
        descriptor.version(),
        partitioner,
        data.length());
  }

  /** Returns the number of partitions; passes over all rows, and so checks their order. */
  long partitions() throws IOException {
    try (DataCursor cursor = cursor()) {
      long count = 0;
      while (cursor.nextPartition()) {
        count++;
      }
      return count;
    }
  }

  /**
   * Writes index and filter, and returns the statistics.
   *
   * @param directory of the files
   * @param names returns the names of components, which must not exist; null for the summary, which
   *     is not written
   */
  Statistics write(
      Directory directory,
      Function<Component, @Nullable String> names,
      RebuildOptions.Settings settings)
      throws IOException {
    StatisticsCollector collector = new StatisticsCollector(header, descriptor.version());
    double chance = settings.bloomFilterFpChance();
    int chunkLength = data.compression().isEnabled() ? data.chunkLength() : 0;
    try (BloomFilter filter = BloomFilter.create(Math.max(1, partitions()), chance, budget);
        IndexOutput index =
            new IndexFactory(
                    directory,
                    descriptor.version(),
                    header,
                    partitioner,
                    budget,
                    names,
                    UnaryOperator.identity())
                .create(
                    new IndexFactory.Sizes(
                        settings.columnIndexSizeBytes(), chunkLength, settings.minIndexInterval()),
                    WriteIntent.OTHER);
        PartitionComponents components =
            new PartitionComponents(
                directory.path() + "/" + names.apply(descriptor.version().keyComponent()),
                index,
                filter,
                partitioner,
                budget,
                PipelineExecutors.NONE)) {
      write(index, components, new RowStatistics(collector));
      PartitionCollector partitions = components.finish();
      components.finishIndex();
      if (chance < 1) {
        String name = Objects.requireNonNull(names.apply(Component.FILTER));
        try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
          filter.write(file);
          file.sync();
        }
      }
      return collector.finish(
          partitions, partitioner.className(), chance, ratio(), 0, RepairState.UNREPAIRED, null);
    }
  }

  /** Returns the compression ratio as a writer computes it: without the checksums of chunks. */
  private double ratio() {
    return data.compression().isEnabled()
        ? (double) (data.onDiskLength() - Integer.BYTES * data.chunkCount()) / data.length()
        : StatsMetadata.NO_COMPRESSION_RATIO;
  }

  private void write(IndexOutput index, PartitionComponents components, RowStatistics statistics)
      throws IOException {
    try (DataCursor cursor = cursor()) {
      while (cursor.nextPartition()) {
        long position = cursor.partitionPosition();
        statistics.startPartition(cursor.deletionTimestamp(), cursor.deletionLocalTime());
        index.startPartition(position);
        if (cursor.nextStatic()) {
          statistics.add(cursor.unfiltered());
        }
        long headerLength = cursor.position() - position;
        while (cursor.nextUnfiltered()) {
          statistics.add(cursor.unfiltered());
          index.add(
              cursor.unfiltered(),
              cursor.unfilteredPosition() - position,
              cursor.position() - position);
        }
        long size = cursor.position() - position;
        if (index.endBlocks(size)) {
          components.addWithBlocks(
              cursor.key(),
              size,
              statistics.cells(),
              new IndexOutput.Head(
                  position, headerLength, cursor.deletionTimestamp(), cursor.deletionLocalTime()));
        } else {
          components.add(cursor.key(), position, size, statistics.cells());
        }
      }
    }
  }
}
