package io.siltstone.tools.load;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Writes sorted records to the new SSTable, and merges consecutive records of the same row. Used
 * once.
 */
final class TableOutput {
  private static final int NOTICE_EVERY = 1024;

  private final SSTableWriter writer;
  private final RecordOrder order;
  private final RecordMerger merger;
  private final Unfiltered row;
  private final PartitionKey key = new PartitionKey();

  // A copy of the current record, because the stream may reuse its array when it advances.
  private final ByteSink held = new ByteSink(1024);
  private boolean inPartition;
  private long rows;

  TableOutput(SSTableWriter writer, RecordOrder order, RowEncoding encoding) {
    this.writer = writer;
    this.order = order;
    this.merger = new RecordMerger(encoding);
    this.row = new Unfiltered(encoding, RecordMerger::corrupt);
  }

  /**
   * Writes all records.
   *
   * @param notice receives the number of records read so far, from time to time
   */
  void writeAll(RecordStream records, LongConsumer notice) throws IOException {
    long read = 0;
    boolean more = records.next();
    while (more) {
      hold(records);
      boolean merged = false;
      more = records.next();
      read++;
      while (more && order.compare(held.bytes(), 0, records.bytes(), records.from()) == 0) {
        if (!merged) {
          int rowFrom = rowFrom(held.bytes(), 0);
          merger.begin(held.bytes(), rowFrom, held.length() - rowFrom);
          merged = true;
        }
        int from = records.from();
        int rowFrom = rowFrom(records.bytes(), from);
        int end = from + RecordFormat.length(records.bytes(), from);
        merger.add(records.bytes(), rowFrom, end - rowFrom);
        more = records.next();
        read++;
      }
      write(merged);
      if (read % NOTICE_EVERY == 0) {
        notice.accept(read);
      }
    }
    if (inPartition) {
      writer.endPartition();
    }
  }

  private void hold(RecordStream records) {
    held.clear();
    held.put(records.bytes(), records.from(), RecordFormat.length(records.bytes(), records.from()));
  }

  private int rowFrom(byte[] bytes, int record) {
    return RecordFormat.rowFrom(bytes, record, order.clusteringColumns());
  }

  private void write(boolean merged) throws IOException {
    byte[] bytes = held.bytes();
    int keyFrom = RecordFormat.KEY_AT;
    int keyLength = RecordFormat.keyLength(bytes, 0);
    if (!inPartition || !isPresentKey(bytes, keyFrom, keyLength)) {
      if (inPartition) {
        writer.endPartition();
      }
      key.copyFrom(bytes, keyFrom, keyLength, RecordFormat.token(bytes, 0));
      writer.startPartition(key, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
      inPartition = true;
    }
    if (merged) {
      row.wrap(merger.bytes(), 0, merger.length());
    } else {
      row.wrap(bytes, rowFrom(bytes, 0), held.length());
    }
    writer.add(row);
    if (!row.isStatic()) {
      rows++;
    }
  }

  private boolean isPresentKey(byte[] bytes, int keyFrom, int keyLength) {
    return java.util.Arrays.equals(
        key.bytes(),
        key.offset(),
        key.offset() + key.length(),
        bytes,
        keyFrom,
        keyFrom + keyLength);
  }

  /** Returns the number of rows written, without static rows. */
  long rows() {
    return rows;
  }
}
