package io.siltstone.sstable;

import io.siltstone.chunk.ChunkWriter;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.big.IndexWriter;
import io.siltstone.sstable.data.DataWriter;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.PartitionCollector;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatisticsCollector;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import org.jspecify.annotations.Nullable;

/**
 * The files, buffers and counts of a table that is being written: what partitions and rows go to.
 * The order of the calls is its owner's to see to. Confined to one thread.
 */
final class ComponentWriters implements Closeable {
  private final Directory directory;
  private final Descriptor descriptor;
  private final Partitioner partitioner;
  private final SSTableWriterOptions options;
  private final OutputFiles files;

  private final ChunkWriter chunks;
  private final DataWriter data;
  private final IndexWriter index;
  private final IndexSummary.Builder summary;
  private final BloomFilter filter;
  private final PartitionComponents components;
  private final StatisticsCollector collector;
  private final RowStatistics statistics;

  ComponentWriters(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      OutputFiles files,
      MemoryBudget budget)
      throws IOException {
    this.directory = directory;
    this.descriptor = descriptor;
    this.partitioner = partitioner;
    this.options = options;
    this.files = files;
    RowEncoding encoding = new RowEncoding(header, descriptor.version().hasUnsignedDeletionTimes());
    Component description =
        options.compression().isEnabled() ? Component.COMPRESSION_INFO : Component.CRC;
    this.filter =
        BloomFilter.create(options.expectedPartitions(), options.bloomFilterFpChance(), budget);
    @Nullable ChunkWriter openedChunks = null;
    @Nullable IndexWriter openedIndex = null;
    try {
      openedChunks =
          ChunkWriter.create(
              directory,
              files.temporary(Component.DATA),
              files.temporary(description),
              options.compression(),
              budget,
              options.intent(),
              options.helpers());
      openedIndex =
          new IndexWriter(
              directory,
              files.temporary(Component.PRIMARY_INDEX),
              descriptor.version(),
              options.columnIndexSizeBytes(),
              options.compression().isEnabled() ? options.compression().chunkLengthBytes() : 0,
              options.intent());
      this.summary = new IndexSummary.Builder(options.minIndexInterval(), budget);
      this.components =
          new PartitionComponents(openedIndex, summary, filter, budget, options.helpers());
    } catch (Throwable e) {
      closeAfterFailure(e, openedIndex, openedChunks, filter);
      // Only what was made here: a file that was in the way is another writer's.
      boolean inTheWay = e instanceof FileAlreadyExistsException;
      if (openedChunks != null || !inTheWay) {
        files.removeAfterFailure(e, Component.DATA);
      }
      if (openedIndex != null || (openedChunks != null && !inTheWay)) {
        files.removeAfterFailure(e, Component.PRIMARY_INDEX);
      }
      throw e;
    }
    this.chunks = openedChunks;
    this.index = openedIndex;
    this.data = new DataWriter(chunks, encoding, descriptor.version());
    this.collector = new StatisticsCollector(header, descriptor.version());
    collector.commitLogIntervals(options.commitLogIntervals());
    this.statistics = new RowStatistics(collector);
  }

  void startPartition(PartitionKey key, long timestamp, long localDeletionTime) throws IOException {
    data.startPartition(key, timestamp, localDeletionTime);
    index.startPartition(data.partitionPosition());
    statistics.startPartition(timestamp, localDeletionTime);
  }

  void add(Unfiltered unfiltered) throws IOException {
    statistics.add(unfiltered);
    long from = data.add(unfiltered);
    if (!unfiltered.isStatic()) {
      index.add(unfiltered, from, data.offset());
    }
  }

  void endPartition(PartitionKey key, long timestamp, long localDeletionTime) throws IOException {
    data.endPartition();
    long cells = statistics.cells();
    if (index.endBlocks()) {
      components.addWithBlocks(
          key,
          data.partitionPosition(),
          data.offset(),
          cells,
          data.headerLength(),
          timestamp,
          localDeletionTime);
    } else {
      components.add(key, data.partitionPosition(), data.offset(), cells);
    }
  }

  /** Uncompressed bytes so far. */
  long dataLength() {
    return chunks.position();
  }

  /** Bytes of the data file so far. */
  long onDiskLength() {
    return chunks.onDiskPosition();
  }

  /** See {@link PartitionComponents#keysHash()}. */
  long keysHash() {
    return components.keysHash();
  }

  /** Writes all that is left to write, and makes the content of all files durable. */
  void finish(RepairState repair) throws IOException {
    PartitionCollector collected = components.finish();
    chunks.finish();
    index.finish();
    writeFilter();
    writeStatistics(collected, repair);
    try (IndexSummary built = summary.build(components.firstKey(), components.lastKey())) {
      built.write(directory, files.temporary(Component.SUMMARY), options.intent());
    }
    SSTableFiles.writeText(
        directory,
        files.temporary(Component.DIGEST),
        Long.toString(chunks.digest()),
        options.intent());
    SSTableFiles.writeText(
        directory, files.temporary(Component.TOC), files.tableOfContents(), options.intent());
  }

  private void writeFilter() throws IOException {
    if (files.has(Component.FILTER)) {
      try (WritableFile file =
          directory.create(files.temporary(Component.FILTER), options.intent())) {
        filter.write(file);
        file.sync();
      }
    }
  }

  private void writeStatistics(PartitionCollector collected, RepairState repair)
      throws IOException {
    double ratio =
        options.compression().isEnabled()
            ? chunks.compressionRatio()
            : StatsMetadata.NO_COMPRESSION_RATIO;
    Statistics complete =
        collector.finish(
            collected,
            partitioner.className(),
            options.bloomFilterFpChance(),
            ratio,
            options.level(),
            repair,
            options.originatingHostId());
    complete.write(
        directory, files.temporary(Component.STATISTICS), descriptor.version(), options.intent());
  }

  /** Gives back files and memory; the files are left as they are. */
  @Override
  public void close() throws IOException {
    try (chunks;
        index) {
      components.close();
      filter.close();
      summary.close();
    }
  }

  private static void closeAfterFailure(Throwable failure, @Nullable AutoCloseable... resources) {
    for (@Nullable AutoCloseable resource : resources) {
      if (resource != null) {
        try {
          resource.close();
        } catch (Exception e) {
          failure.addSuppressed(e);
        }
      }
    }
  }
}
