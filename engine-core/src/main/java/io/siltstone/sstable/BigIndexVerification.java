package io.siltstone.sstable;

import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.big.BigIndex;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.threads.Closeables;
import java.io.IOException;

/** The comparison of {@code Index.db} and {@code Summary.db} with the data. */
final class BigIndexVerification implements IndexVerification {
  private static final int SCAN_BYTES = 64 * 1024;
  private static final int BLOCK_BYTES = 4 * 1024;

  private final SSTable table;
  private final ReadableFile file;
  private final IndexCursor entries;
  private final IndexBlocks blocks;
  private final BlockCheck blockCheck;
  private final SummaryVerification summary;
  private final PartitionKey indexed = new PartitionKey();
  private final long[] hash = new long[2];
  private boolean hasEntry;

  BigIndexVerification(SSTable table) throws IOException {
    this.table = table;
    this.summary = new SummaryVerification(table, ((BigIndex) table.index()).summary());
    Closeables opened = new Closeables();
    try {
      this.file =
          opened.add(
              table
                  .directory()
                  .open(table.descriptor().fileName(Component.PRIMARY_INDEX), ReadIntent.INDEX));
      this.entries = opened.add(IndexCursor.over(file, SCAN_BYTES, true));
      this.blocks =
          new IndexBlocks(
              window(file),
              window(file),
              table.encoding(),
              new ClusteringComparator(table.header().clusteringTypes()),
              table.descriptor().version());
    } catch (Throwable e) {
      opened.closeAfter(e);
      throw e;
    }
    this.blockCheck = new BlockCheck(table, blocks);
  }

  private static ByteWindow window(ReadableFile file) {
    return new ByteWindow(
        ByteSource.of(file, BLOCK_BYTES, new FileReads()),
        Component.PRIMARY_INDEX,
        2 * BLOCK_BYTES,
        false);
  }

  @Override
  public boolean next() throws IOException {
    hasEntry = entries.next();
    return hasEntry;
  }

  @Override
  public long dataPosition() {
    return entries.dataPosition();
  }

  @Override
  public void verify(PartitionKey key, long position, long keyHash) throws IOException {
    entries.wrapKey(indexed, table.partitioner(), hash);
    if (indexed.compareTo(key) != 0 || entries.dataPosition() != position) {
      throw corrupt(
          "an entry for "
              + indexed
              + " at "
              + entries.dataPosition()
              + ", the data has "
              + key
              + " at "
              + position);
    }
    summary.entry(key, entries.position());
  }

  @Override
  public void startRows(DataCursor data) throws IOException {
    blocks.open(entries);
    blockCheck.startRows(data);
  }

  @Override
  public void verifyRow(DataCursor data, OpenRange open) throws IOException {
    blockCheck.verify(data, open);
  }

  @Override
  public void endPartition(DataCursor data) throws IOException {
    blockCheck.endPartition(data);
  }

  @Override
  public void end(long partitions) throws IOException {
    summary.end();
  }

  @Override
  public CorruptSSTableException corrupt(String reason) {
    return table.corrupt(
        Component.PRIMARY_INDEX, hasEntry ? entries.position() : file.length(), reason);
  }

  @Override
  public void close() throws IOException {
    try (file;
        entries) {
      blocks.close();
    }
  }
}
