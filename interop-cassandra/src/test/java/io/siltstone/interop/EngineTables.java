package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.PooledMemory;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** The engine's own tables for tests: opens, reads and writes them. Used by one thread. */
final class EngineTables implements AutoCloseable {
  private final MemoryBudget budget = PooledMemory.unlimited();

  SSTable open(Path dataFile) throws IOException {
    return SSTable.open(directory(dataFile), descriptor(dataFile), SSTableOptions.DEFAULT, budget);
  }

  static Descriptor descriptor(Path dataFile) {
    return Descriptor.parse(dataFile.getFileName().toString());
  }

  private static Directory directory(Path dataFile) throws IOException {
    return NioDirectory.open(Objects.requireNonNull(dataFile.toAbsolutePath().getParent()));
  }

  /** Verifies the table, and that scan and reads by key, forward and reversed, agree. */
  String read(Path dataFile) throws IOException {
    try (SSTable table = open(dataFile)) {
      new SSTableVerifier(table).verify(position -> {});
      StringBuilder all = new StringBuilder();
      try (DataCursor scan = table.scan();
          PartitionReader reader = table.reader()) {
        while (scan.nextPartition()) {
          PartitionKey key = PartitionKey.of(scan.key().toByteArray(), scan.key().token());
          CanonicalText scanned = new CanonicalText();
          EngineText.partition(scanned, scan);
          CanonicalText found = new CanonicalText();
          assertThat(reader.seek(key)).as("%s has %s", dataFile, key).isTrue();
          assertThat(reader.nextPartition()).isTrue();
          EngineText.partition(found, reader);
          assertThat(found.toString()).as("%s, %s", dataFile, key).isEqualTo(scanned.toString());
          all.append(scanned);
        }
      }
      return all.toString();
    }
  }

  /** Writes all of a table anew. Returns the new data file. */
  Path rewrite(
      Path from,
      Path to,
      FormatVersion version,
      SerializationHeader header,
      SSTableWriterOptions options)
      throws IOException {
    Descriptor target = Descriptor.of(version, 1);
    try (SSTable source = open(from);
        DataCursor cursor = source.scan();
        SSTableWriter writer =
            SSTableWriter.create(
                NioDirectory.open(to), target, header, source.partitioner(), options, budget)) {
      while (cursor.nextPartition()) {
        writer.add(cursor);
      }
      writer.commit();
    }
    return to.resolve(target.fileName(Component.DATA));
  }

  MemoryBudget budget() {
    return budget;
  }

  @Override
  public void close() {
    budget.close();
  }
}
