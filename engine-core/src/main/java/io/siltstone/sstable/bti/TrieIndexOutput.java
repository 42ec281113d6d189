package io.siltstone.sstable.bti;

import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.index.IndexOutput;
import java.io.IOException;

/** Writes {@code Partitions.db} and {@code Rows.db}. */
public final class TrieIndexOutput implements IndexOutput {
  private static final int END_MARK_BYTES = 1;

  private final PartitionTrieWriter partitions;
  private final RowTrieWriter rows;

  /**
   * @param partitions taken over
   * @param rows taken over
   */
  public TrieIndexOutput(PartitionTrieWriter partitions, RowTrieWriter rows) {
    this.partitions = partitions;
    this.rows = rows;
  }

  @Override
  public void startPartition(long dataPosition) {
    rows.startPartition();
  }

  @Override
  public void add(Unfiltered unfiltered, long from, long to) throws IOException {
    rows.add(unfiltered, from, to);
  }

  @Override
  public boolean isBetweenBlocks() {
    return rows.isBetweenBlocks();
  }

  @Override
  public boolean endBlocks(long length) throws IOException {
    return rows.endPartition(length - END_MARK_BYTES);
  }

  @Override
  public void addEntry(PartitionKey key, long hash, long dataPosition) throws IOException {
    partitions.add(key, hash, dataPosition);
  }

  @Override
  public void addEntryWithBlocks(PartitionKey key, long hash, Head head) throws IOException {
    long position = rows.addPartition(key, head.dataPosition(), head.timestamp(), head.localTime());
    partitions.addWithBlocks(key, hash, position);
  }

  @Override
  public void finish(PartitionKey firstKey, PartitionKey lastKey) throws IOException {
    rows.finish();
    partitions.finish(firstKey, lastKey);
  }

  @Override
  public void close() throws IOException {
    try (partitions) {
      rows.close();
    }
  }
}
