package io.siltstone.table.read;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.sstable.SSTable;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A scan of an SSTable by a pooled reader, which goes through the caches; the reader returns to the
 * pool when the scan is closed. Confined to one thread, closed by its opener.
 */
final class PooledScan implements PartitionCursor {
  private final PartitionReaders readers;
  private @Nullable PartitionReader reader;

  private PooledScan(PartitionReaders readers, PartitionReader reader) {
    this.readers = readers;
    this.reader = reader;
  }

  /**
   * Opens a scan of all partitions whose keys are not less than {@code first}.
   *
   * @param cancelSignal ends steps once it has begun
   */
  static PooledScan open(
      PartitionReaders readers, SSTable table, PartitionKey first, CancelSignal cancelSignal)
      throws IOException {
    PooledScan scan = new PooledScan(readers, readers.acquire(table));
    try {
      scan.reader().cancelOn(cancelSignal);
      scan.reader().seekFrom(first);
    } catch (Throwable e) {
      Closeables.closeAfter(scan, e);
      throw e;
    }
    return scan;
  }

  private PartitionReader reader() {
    PartitionReader present = reader;
    if (present == null) {
      throw new IllegalStateException("the scan is closed");
    }
    return present;
  }

  @Override
  public RowEncoding encoding() {
    return reader().encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    return reader().nextPartition();
  }

  @Override
  public PartitionKey key() {
    return reader().key();
  }

  @Override
  public long deletionTimestamp() {
    return reader().deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return reader().deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    return reader().nextUnfiltered();
  }

  @Override
  public Unfiltered unfiltered() {
    return reader().unfiltered();
  }

  @Override
  public void close() throws IOException {
    PartitionReader ended = reader;
    reader = null;
    if (ended != null) {
      readers.release(ended);
    }
  }
}
