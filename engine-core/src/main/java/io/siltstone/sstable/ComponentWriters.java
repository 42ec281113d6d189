package io.siltstone.sstable;

import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.DataObserver;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.check.BigOutputVerifier;
import io.siltstone.sstable.check.OutputVerifier;
import io.siltstone.sstable.check.TrieOutputVerifier;
import io.siltstone.sstable.data.DataWriter;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.index.IndexOutput;
import io.siltstone.sstable.metadata.PartitionCollector;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatisticsCollector;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The files, buffers and counts of an SSTable that is being written, to which partitions and rows
 * are added. The owner ensures the order of the calls. Confined to one thread.
 */
final class ComponentWriters implements Closeable {
  private final Directory directory;
  private final Descriptor descriptor;
  private final Partitioner partitioner;
  private final SSTableWriterOptions options;
  private final OutputFiles files;

  private final OutputSeam seam;
  private final OutputVerifier verifier;
  private final ChunkWriter chunks;
  private final DataWriter data;
  private final IndexOutput index;
  private final BloomFilter filter;
  private final PartitionComponents components;
  private final StatisticsCollector collector;
  private final RowStatistics statistics;
  private long allCells;

  ComponentWriters(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      OutputFiles files,
      MemoryBudget budget,
      OutputSeam seam)
      throws IOException {
    this.directory = directory;
    this.descriptor = descriptor;
    this.partitioner = partitioner;
    this.options = options;
    this.files = files;
    this.seam = seam;
    this.verifier = verifier(header);
    RowEncoding encoding = new RowEncoding(header, descriptor.version().hasUnsignedDeletionTimes());
    Component description =
        options.compression().isEnabled() ? Component.COMPRESSION_INFO : Component.CRC;
    this.filter =
        BloomFilter.create(options.expectedPartitions(), options.bloomFilterFpChance(), budget);
    @Nullable ChunkWriter openedChunks = null;
    @Nullable IndexOutput openedIndex = null;
    try {
      openedChunks =
          ChunkWriter.create(
              directory,
              files.temporary(Component.DATA),
              files.temporary(description),
              options.compressionOf(descriptor.version()),
              budget,
              options.intent(),
              options.executors(),
              seam.isVerified() ? verifier.data() : DataObserver.NONE);
      openedIndex =
          new IndexFactory(
                  directory,
                  descriptor.version(),
                  header,
                  partitioner,
                  budget,
                  files::temporary,
                  file -> seam.index(verifier.index(file)))
              .create(
                  new IndexFactory.Sizes(
                      options.columnIndexSizeBytes(),
                      options.compression().isEnabled()
                          ? options.compression().chunkLengthBytes()
                          : 0,
                      options.minIndexInterval()),
                  options.intent());
      this.components =
          new PartitionComponents(
              directory.path() + "/" + files.temporary(descriptor.version().keyComponent()),
              openedIndex,
              filter,
              partitioner,
              budget,
              options.executors());
    } catch (Throwable e) {
      for (@Nullable AutoCloseable opened : Arrays.asList(openedIndex, openedChunks, filter)) {
        if (opened != null) {
          Closeables.closeAfter(opened, e);
        }
      }
      // Only files that were created here are deleted: an existing file belongs to another writer.
      boolean inTheWay = e instanceof FileAlreadyExistsException;
      if (openedChunks != null || !inTheWay) {
        files.removeAfterFailure(e, Component.DATA);
      }
      if (openedIndex != null) {
        files.removeAfterFailure(e, descriptor.version().keyComponent());
        files.removeAfterFailure(e, descriptor.version().blockComponent());
      }
      throw e;
    }
    this.chunks = openedChunks;
    this.index = openedIndex;
    this.data = new DataWriter(seam.data(chunks), encoding, descriptor.version());
    this.collector = new StatisticsCollector(header, descriptor.version());
    collector.commitLogIntervals(options.commitLogIntervals());
    this.statistics = new RowStatistics(collector);
  }

  private OutputVerifier verifier(SerializationHeader header) {
    String dataPath = directory.path() + "/" + files.temporary(Component.DATA);
    return descriptor.version().hasTrieIndex()
        ? new TrieOutputVerifier(dataPath, header, descriptor.version(), partitioner)
        : new BigOutputVerifier(
            dataPath,
            directory.path() + "/" + files.temporary(Component.PRIMARY_INDEX),
            header,
            descriptor.version(),
            options.minIndexInterval());
  }

  void startPartition(PartitionKey key, long timestamp, long localDeletionTime) throws IOException {
    verifier.startPartition(key, timestamp, localDeletionTime);
    data.startPartition(key, timestamp, localDeletionTime);
    index.startPartition(data.partitionPosition());
    statistics.startPartition(timestamp, localDeletionTime);
  }

  void add(Unfiltered unfiltered) throws IOException {
    statistics.add(unfiltered);
    startBlock();
    long from = data.add(unfiltered);
    if (!unfiltered.isStatic()) {
      index.add(unfiltered, from, data.offset());
    }
  }

  private void startBlock() {
    if (index.isBetweenBlocks()) {
      verifier.startBlock(chunks.position());
    }
  }

  void endPartition(PartitionKey key, long timestamp, long localDeletionTime) throws IOException {
    startBlock();
    data.endPartition();
    long cells = statistics.cells();
    allCells += cells;
    if (index.endBlocks(data.offset())) {
      components.addWithBlocks(
          key,
          data.offset(),
          cells,
          new IndexOutput.Head(
              data.partitionPosition(), data.headerLength(), timestamp, localDeletionTime));
    } else {
      components.add(key, data.partitionPosition(), data.offset(), cells);
    }
  }

  /** Returns the number of uncompressed bytes so far. */
  long dataLength() {
    return chunks.position();
  }

  /** Returns the length of the data file so far. */
  long onDiskLength() {
    return chunks.onDiskPosition();
  }

  /** See {@link PartitionComponents#keysHash()}. */
  long keysHash() {
    return components.keysHash();
  }

  /**
   * Writes all remaining bytes, makes the content of all files durable, and verifies them.
   *
   * @param rows number of added rows, including static rows that are not empty
   * @throws io.siltstone.io.OutputVerificationException if the files are not correct
   */
  void finish(RepairState repair, long partitions, long rows, long markers) throws IOException {
    PartitionCollector collected = components.finish();
    chunks.finish();
    components.finishIndex();
    if (seam.isVerified()) {
      verifier.finish(new OutputVerifier.Given(partitions, rows, markers, allCells));
    }
    writeFilter();
    writeStatistics(collected, repair);
    if (seam.isVerified()) {
      verifier.index(directory, files::temporary, filter);
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
      if (seam.isVerified()) {
        verifier.filter(directory, files.temporary(Component.FILTER), filter);
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
    String name = files.temporary(Component.STATISTICS);
    seam.statistics(complete).write(directory, name, descriptor.version(), options.intent());
    if (seam.isVerified()) {
      verifier.statistics(directory, name);
    }
  }

  /** Closes files and frees memory; the files are kept. */
  @Override
  public void close() throws IOException {
    try (chunks;
        index) {
      components.close();
      filter.close();
    }
  }
}
