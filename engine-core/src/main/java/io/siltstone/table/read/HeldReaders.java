package io.siltstone.table.read;

import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.sstable.SSTable;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The pooled readers that a read of many partitions keeps from one partition to the next. A reader
 * has the last chunk of its SSTable, so partitions that are read in their order read each chunk
 * once. Readers of at most {@value #MOST} SSTables are kept, those that were used last.
 *
 * <p>Confined to one thread. Closed by its opener, after the reads; this returns the readers to the
 * pool.
 */
final class HeldReaders implements Closeable {
  private static final int MOST = 64;

  private final PartitionReaders pool;
  private final Map<SSTable, PartitionReader> held = new LinkedHashMap<>();

  HeldReaders(PartitionReaders pool) {
    this.pool = pool;
  }

  /** Returns a reader that is not in use, for the caller alone until it is given back. */
  PartitionReader acquire(SSTable table) throws IOException {
    PartitionReader reader = held.remove(table);
    return reader != null ? reader : pool.acquire(table);
  }

  /** Takes a reader back. */
  void giveBack(PartitionReader reader) throws IOException {
    PartitionReader other = held.put(reader.table(), reader);
    if (other != null) {
      pool.release(other);
    }
    if (held.size() > MOST) {
      Iterator<PartitionReader> longestUnused = held.values().iterator();
      PartitionReader last = longestUnused.next();
      longestUnused.remove();
      pool.release(last);
    }
  }

  @Override
  public void close() throws IOException {
    Closeables all = new Closeables();
    for (PartitionReader reader : held.values()) {
      all.add(() -> pool.release(reader));
    }
    held.clear();
    all.close();
  }
}
