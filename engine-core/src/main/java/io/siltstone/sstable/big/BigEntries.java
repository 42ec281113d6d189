package io.siltstone.sstable.big;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.KeyEntries;
import java.io.IOException;

/** A cursor over the entries of an {@code Index.db}, which have whole keys. */
public final class BigEntries implements KeyEntries {
  private final IndexCursor entries;
  private final IndexSummary summary;
  private final Partitioner partitioner;
  private final PartitionKey key = new PartitionKey();
  private final long[] hash = new long[2];

  BigEntries(IndexCursor entries, IndexSummary summary, Partitioner partitioner) {
    this.entries = entries;
    this.summary = summary;
    this.partitioner = partitioner;
  }

  @Override
  public void seek(PartitionKey sought) {
    entries.seek(summary.position(Math.max(0, summary.floorIndex(sought))));
  }

  @Override
  public boolean next() throws IOException {
    return entries.next();
  }

  @Override
  public PartitionKey key() {
    entries.wrapKey(key, partitioner, hash);
    return key;
  }

  @Override
  public boolean hasWholeKeys() {
    return true;
  }

  @Override
  public boolean isOf(PartitionKey sought) {
    return entries.isOf(sought.bytes(), sought.offset(), sought.length());
  }

  @Override
  public long position() {
    return entries.position();
  }

  @Override
  public long dataPosition() {
    return entries.dataPosition();
  }

  /** Moves blocks, which must be {@link IndexBlocks}, to those of the current entry. */
  @Override
  public void openBlocks(BlockIndex blocks) throws IOException {
    ((IndexBlocks) blocks).open(entries);
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
