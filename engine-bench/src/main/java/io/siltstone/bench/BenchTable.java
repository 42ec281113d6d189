package io.siltstone.bench;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;

/** Writes and opens SSTables of {@link TextRows} for benchmarks. */
public final class BenchTable {
  private BenchTable() {}

  /** Writes an SSTable; returns the uncompressed size of its data. */
  public static long write(
      TextRows rows,
      Directory directory,
      FormatVersion version,
      long generation,
      int chunkLengthKib,
      MemoryBudget budget)
      throws IOException {
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .compression(CompressionOptions.DEFAULT.withChunkLengthInKb(chunkLengthKib))
            .expectedPartitions(rows.count())
            .build();
    try (SSTableWriter writer =
        SSTableWriter.create(
            directory,
            Descriptor.of(version, generation),
            TextRows.HEADER,
            Partitioner.MURMUR3,
            options,
            budget)) {
      rows.writeTo(writer, version.hasUnsignedDeletionTimes());
      long length = writer.dataLength();
      writer.commit();
      return length;
    }
  }

  /** Opens an SSTable; the caller closes it. */
  public static SSTable open(
      Directory directory, FormatVersion version, long generation, MemoryBudget budget)
      throws IOException {
    return SSTable.open(
        directory, Descriptor.of(version, generation), SSTableOptions.DEFAULT, budget);
  }

  /** Removes the files of an SSTable. */
  public static void delete(Directory directory, FormatVersion version, long generation)
      throws IOException {
    Descriptor descriptor = Descriptor.of(version, generation);
    for (Component component : Component.values()) {
      if (directory.exists(descriptor.fileName(component))) {
        directory.delete(descriptor.fileName(component));
      }
    }
  }
}
