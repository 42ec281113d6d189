package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.List;

/** Writes {@link TableModel}s as tables, and reads tables as lines of text. */
public final class ModelTables {
  private ModelTables() {}

  /** Writes and commits a table. */
  public static void write(
      TableModel model,
      Directory directory,
      Descriptor descriptor,
      SSTableWriterOptions options,
      MemoryBudget budget)
      throws IOException {
    try (SSTableWriter writer =
        SSTableWriter.create(
            directory, descriptor, model.header(), model.partitioner(), options, budget)) {
      write(model, writer);
      writer.commit();
    }
  }

  /** Writes and commits a table that need not be one that can be read. */
  static void writeUnverified(
      TableModel model,
      Directory directory,
      Descriptor descriptor,
      SSTableWriterOptions options,
      MemoryBudget budget)
      throws IOException {
    try (SSTableWriter writer =
        unverifiedWriter(
            directory, descriptor, model.header(), model.partitioner(), options, budget)) {
      write(model, writer);
      writer.commit();
    }
  }

  /**
   * Begins a table that is not verified while it is written: rows may be out of order in it, and
   * markers need not pair.
   */
  public static SSTableWriter unverifiedWriter(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      MemoryBudget budget)
      throws IOException {
    OutputSeam unverified =
        new OutputSeam() {
          @Override
          boolean isVerified() {
            return false;
          }
        };
    return SSTableWriter.create(
        directory, descriptor, header, partitioner, options, budget, false, unverified);
  }

  /** Writes all partitions. */
  public static void write(TableModel model, SSTableWriter writer) throws IOException {
    RowEncoding encoding =
        new RowEncoding(model.header(), writer.descriptor().version().hasUnsignedDeletionTimes());
    RowWriter rows = new RowWriter(encoding, writer);
    for (Partition partition : model.partitions()) {
      writer.startPartition(
          partition.key(), partition.deletion().timestamp(), partition.deletion().localTime());
      if (partition.staticRow() != null) {
        rows.add(partition.staticRow());
      }
      for (Item item : partition.items()) {
        rows.add(item);
      }
      writer.endPartition();
    }
  }

  /** Encodes items and hands them to a writer. */
  static final class RowWriter {
    private final ItemEncoder encoder;
    private final SSTableWriter writer;

    RowWriter(RowEncoding encoding, SSTableWriter writer) {
      this.encoder = new ItemEncoder(encoding);
      this.writer = writer;
    }

    void add(Item item) throws IOException {
      writer.add(encoder.encode(item));
    }
  }

  /** All of a table by a scan. */
  static List<String> scan(SSTable table) throws IOException {
    return scan(table, PartitionRange.ALL);
  }

  /** A range of a table by a scan. */
  static List<String> scan(SSTable table, PartitionRange range) throws IOException {
    return scan(table, SequentialAccess.SCAN, range);
  }

  /** The same in some way. */
  static List<String> scan(SSTable table, SequentialAccess access, PartitionRange range)
      throws IOException {
    try (DataCursor cursor = table.scan(access, range)) {
      return TableModel.linesOf(cursor);
    }
  }

  /** Slices of a partition; empty if the table does not have the key. */
  static List<String> read(
      PartitionReader reader, PartitionKey key, List<Slice> slices, boolean reversed)
      throws IOException {
    return reader.seek(key, slices, reversed) ? TableModel.linesOf(reader) : List.of();
  }

  /** All of a partition; empty if the table does not have the key. */
  static List<String> read(PartitionReader reader, PartitionKey key) throws IOException {
    return reader.seek(key) ? TableModel.linesOf(reader) : List.of();
  }

  /** Opens, verifies and compares all that can be read with the model. */
  static void assertHolds(
      TableModel model, Directory directory, Descriptor descriptor, MemoryBudget budget)
      throws IOException {
    try (SSTable table = SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, budget);
        PartitionReader reader = table.reader()) {
      new SSTableVerifier(table).verify(position -> {});
      assertThat(scan(table)).isEqualTo(model.scan());
      for (Partition partition : model.partitions()) {
        assertThat(read(reader, partition.key())).isEqualTo(model.read(partition));
      }
    }
  }
}
