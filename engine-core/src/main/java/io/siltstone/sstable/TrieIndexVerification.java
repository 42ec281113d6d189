package io.siltstone.sstable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.bti.ComparableClusterings;
import io.siltstone.sstable.bti.PartitionTrie;
import io.siltstone.sstable.bti.PartitionTrieCursor;
import io.siltstone.sstable.bti.RowTrieCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.text.CountText;
import io.siltstone.threads.Closeables;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;

/**
 * The comparison of {@code Partitions.db} and {@code Rows.db} with the data. The tries have no
 * checksums: they and the data are walked through together, so that each entry is that of a
 * partition, and there is nothing more.
 *
 * <p>Of a partition with index blocks, the offset of each block is that of a row or marker, the
 * deletion is the one that is open there, and the separator is greater than the row before and not
 * greater than that row. So the trie leads each search to the right block.
 */
final class TrieIndexVerification implements IndexVerification {
  private final SSTable table;
  private final ReadableFile partitionsFile;
  private final ReadableFile rowsFile;
  private final PartitionTrie trie;
  private final PartitionTrieCursor entries;
  private final RowTrieCursor blocks;
  private final ComparableClusterings clusterings;
  private final PartitionKey key = new PartitionKey();
  private final PartitionKey firstKey = new PartitionKey();
  private final PartitionKey lastKey = new PartitionKey();

  private boolean isStarted;
  private boolean hasFirst;
  private boolean hasEntry;
  private boolean hasBlocks;

  // The index blocks of the current partition: the one that begins next, and what is before it.
  private long begun;
  private long openTimestamp;
  private long openLocalTime;
  private final ComparableBytes separator = new ComparableBytes();
  private ComparableBytes previous = new ComparableBytes();
  private ComparableBytes current = new ComparableBytes();

  TrieIndexVerification(SSTable table) throws IOException {
    this.table = table;
    this.clusterings = new ComparableClusterings(table.header().clusteringTypes());
    Closeables opened = new Closeables();
    try {
      this.partitionsFile = opened.add(open(Component.PARTITIONS));
      this.rowsFile = opened.add(open(Component.ROWS));
      this.trie = PartitionTrie.open(partitionsFile, Component.PARTITIONS, table.partitioner());
    } catch (Throwable e) {
      opened.closeAfter(e);
      throw e;
    }
    this.entries = new PartitionTrieCursor(trie);
    this.blocks = new RowTrieCursor(rowsFile, Component.ROWS, clusterings, new FileReads());
  }

  private ReadableFile open(Component component) throws IOException {
    return table.directory().open(table.descriptor().fileName(component), ReadIntent.INDEX);
  }

  @Override
  public boolean next() throws IOException {
    hasEntry = isStarted ? entries.next() : entries.toFirst();
    isStarted = true;
    hasBlocks = hasEntry && entries.hasBlocks();
    if (hasBlocks) {
      blocks.open(entries.position());
    }
    return hasEntry;
  }

  @Override
  public long dataPosition() {
    return hasBlocks ? blocks.dataPosition() : entries.position();
  }

  @Override
  public void verify(PartitionKey found, long position, long hash) throws IOException {
    if (dataPosition() != position) {
      throw corrupt(
          "an entry for " + dataPosition() + ", the data has " + found + " at " + position);
    }
    entries.check(found);
    if (!entries.hasHash(hash)) {
      throw corrupt("an entry with another hash than that of " + found);
    }
    if (!hasFirst) {
      firstKey.copyFrom(found);
      hasFirst = true;
    }
    lastKey.copyFrom(found);
    if (hasBlocks) {
      blocks.key(key, found.token());
      if (!key.equals(found)) {
        throw corruptBlocks("index blocks of " + key + ", the data has " + found);
      }
    }
  }

  @Override
  public void startRows(DataCursor data) throws IOException {
    if (!hasBlocks) {
      return;
    }
    if (blocks.deletionTimestamp() != data.deletionTimestamp()
        || blocks.deletionLocalTime() != data.deletionLocalTime()) {
      throw corruptBlocks("the deletion of " + data.key() + " is another than in the data");
    }
    begun = 0;
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openLocalTime = DeletionTime.NO_DELETION_TIME;
    previous.clear();
    blocks.toFirst();
    if (blocks.offset() != data.position() - data.partitionPosition()) {
      throw corruptBlock(data, "begins at " + blocks.offset() + ", where no row or marker is");
    }
  }

  @Override
  public void verifyRow(DataCursor data, OpenRange open) throws IOException {
    if (!hasBlocks) {
      return;
    }
    long offset = data.unfilteredPosition() - data.partitionPosition();
    clusterings.encode(data.unfiltered().clustering(), current);
    if (offset >= blocks.offset()) {
      verifyBegin(data, offset);
    }
    openTimestamp = open.openTimestamp();
    openLocalTime = open.openLocalTime();
    ComparableBytes free = previous;
    previous = current;
    current = free;
  }

  private void verifyBegin(DataCursor data, long offset) throws IOException {
    if (offset != blocks.offset()) {
      throw corruptBlock(data, "begins at " + blocks.offset() + ", within a row or marker");
    }
    if (blocks.openTimestamp() != openTimestamp || blocks.openLocalTime() != openLocalTime) {
      throw corruptBlock(data, "begins with another open deletion than in the data");
    }
    verifySeparator(data);
    if (ComparableBytes.compare(separator, current) > 0) {
      throw corruptBlock(data, "has separator " + separator + ", which is after its first row");
    }
    begun++;
    if (begun > blocks.count() || !blocks.next()) {
      throw corruptBlock(data, "begins after the last of " + blocks.count());
    }
  }

  /** Checks that what is before the separator is less: the row before, if there is one. */
  private void verifySeparator(DataCursor data) throws IOException {
    blocks.copySeparatorTo(separator);
    if (begun > 0 && ComparableBytes.compare(previous, separator) >= 0) {
      throw corruptBlock(
          data, "has separator " + separator + ", which is not after the row before");
    }
  }

  @Override
  public void endPartition(DataCursor data) throws IOException {
    if (!hasBlocks) {
      return;
    }
    long endMark = data.position() - data.partitionPosition() - 1;
    if (begun != blocks.count() || blocks.offset() != endMark) {
      throw corruptBlocks(
          CountText.of(blocks.count(), "block")
              + " of "
              + data.key()
              + " that end at "
              + blocks.offset()
              + ", its rows begin "
              + begun
              + " and end at "
              + endMark);
    }
    if (!DeletionTime.isLive(blocks.openTimestamp())) {
      throw corruptBlock(data, "has an open deletion, after all rows");
    }
    verifySeparator(data);
    if (blocks.next()) {
      throw corruptBlock(data, "comes after the end of its rows");
    }
  }

  @Override
  public void end(long partitions) throws IOException {
    if (trie.count() != partitions
        || !trie.firstKey().equals(firstKey)
        || !trie.lastKey().equals(lastKey)) {
      throw table.corrupt(
          Component.PARTITIONS,
          CorruptFileException.WHOLE_FILE,
          "says "
              + CountText.of(trie.count(), "key")
              + " from "
              + trie.firstKey()
              + " to "
              + trie.lastKey()
              + ", there are "
              + partitions
              + " from "
              + firstKey
              + " to "
              + lastKey);
    }
  }

  @Override
  public CorruptSSTableException corrupt(String reason) {
    return hasEntry
        ? entries.corrupt(reason)
        : table.corrupt(Component.PARTITIONS, partitionsFile.length(), reason);
  }

  private CorruptSSTableException corruptBlocks(String reason) {
    return table.corrupt(Component.ROWS, entries.position(), reason);
  }

  private CorruptSSTableException corruptBlock(DataCursor data, String reason) {
    return blocks.corrupt("block " + begun + " of " + data.key() + " " + reason);
  }

  @Override
  public void close() throws IOException {
    try (partitionsFile;
        rowsFile) {
      // Both are closed, even if one of them fails.
    }
  }
}
