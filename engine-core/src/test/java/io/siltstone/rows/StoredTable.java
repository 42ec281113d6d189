package io.siltstone.rows;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.ModelTables;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A model as the one SSTable of a table, which queries are read from. */
final class StoredTable implements Closeable {
  private final SSTable table;
  private int opened;

  StoredTable(TableModel model, FormatVersion version, MemoryBudget memory) throws IOException {
    Directory directory = new MemoryDirectory();
    Descriptor descriptor = Descriptor.of(version, 1);
    SSTableWriterOptions options =
        SSTableWriterOptions.builder().columnIndexSizeBytes(1024).expectedPartitions(20).build();
    ModelTables.write(model, directory, descriptor, options, memory);
    table = SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory);
  }

  /** Cursors that were opened and not yet closed. */
  int open() {
    return opened;
  }

  PartitionCursor open(Read read) throws IOException {
    opened++;
    return new Watched(cursor(read), () -> opened--);
  }

  private PartitionCursor cursor(Read read) throws IOException {
    if (read instanceof Read.OfPartition partition) {
      PartitionReader reader = table.reader();
      reader.seek(partition.key(), partition.slices(), partition.reversed());
      return reader;
    }
    return table.scan(((Read.OfRange) read).range());
  }

  LiveRows rows(Query query, long nowSeconds) {
    return LiveRows.open(query, nowSeconds, (read, closing) -> open(read));
  }

  ColumnarReader columns(Query query, long nowSeconds) {
    return ColumnarReader.open(query, nowSeconds, (read, closing) -> open(read), System::nanoTime);
  }

  /** All rows of a query. */
  List<Row> all(Query query, long nowSeconds) {
    List<Row> all = new ArrayList<>();
    try (LiveRows rows = rows(query, nowSeconds)) {
      rows.forEachRemaining(all::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
