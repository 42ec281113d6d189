package io.siltstone.compaction.task;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Counts what is read of one input of a compaction, and reports it to the task's progress. Confined
 * to one thread; closing it closes the underlying cursor.
 */
final class InputCursor implements PartitionCursor {
  /**
   * The number of bytes after which a task reports its progress, and checks whether it was paused
   * or cancelled.
   */
  static final long STEP_BYTES = 256 * 1024;

  private final DataCursor data;
  private final StageCounters.Flow read;
  private final LongConsumer reader;
  private long reported;

  /**
   * @param reader receives the number of bytes read since the last call, and may block
   */
  InputCursor(DataCursor data, StageCounters.Flow read, LongConsumer reader) {
    this.data = data;
    this.read = read;
    this.reader = reader;
    this.reported = data.position();
  }

  @Override
  public RowEncoding encoding() {
    return data.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    boolean isThere = data.nextPartition();
    if (isThere) {
      read.partition(data.key());
      read.partitionDeletion(data.deletionTimestamp());
    }
    report(isThere ? STEP_BYTES : 1);
    return isThere;
  }

  @Override
  public PartitionKey key() {
    return data.key();
  }

  @Override
  public long deletionTimestamp() {
    return data.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return data.deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (!data.nextUnfiltered()) {
      return false;
    }
    if (data.unfiltered().isMarker()) {
      read.markers++;
    } else {
      read.rows++;
      read.rowDeletion(data.unfiltered());
    }
    report(STEP_BYTES);
    return true;
  }

  private void report(long least) {
    long bytes = data.position() - reported;
    if (bytes >= least) {
      reported += bytes;
      reader.accept(bytes);
    }
  }

  @Override
  public Unfiltered unfiltered() {
    return data.unfiltered();
  }

  @Override
  public void close() throws IOException {
    data.close();
  }
}
