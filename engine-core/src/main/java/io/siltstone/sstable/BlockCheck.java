package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.text.CountText;
import java.io.IOException;

/** Compares the index blocks of a partition, if it has any, with its rows and markers. */
final class BlockCheck {
  private final SSTable table;
  private final IndexBlocks blocks;
  private final ClusteringComparator comparator;
  // The block in which the next row or marker must be.
  private int block;

  BlockCheck(SSTable table, IndexBlocks blocks) {
    this.table = table;
    this.blocks = blocks;
    this.comparator = new ClusteringComparator(table.header().clusteringTypes());
  }

  /** Begins with a partition whose static row has been read. */
  void startRows(DataCursor data) throws IOException {
    block = 0;
    if (blocks.count() == 0) {
      return;
    }
    if (blocks.deletionTimestamp() != data.deletionTimestamp()
        || blocks.deletionLocalTime() != data.deletionLocalTime()) {
      throw corrupt("the deletion of " + data.key() + " is another than in the data");
    }
    if (blocks.headerLength() != data.position() - data.partitionPosition()) {
      throw corrupt(
          "header of "
              + data.key()
              + " is said to have "
              + CountText.of(blocks.headerLength(), "byte"));
    }
    blocks.read(0);
  }

  /**
   * Compares the current row or marker with the block in which it should be.
   *
   * @param open the range tombstone that is open after it
   */
  void verify(DataCursor data, OpenRange open) throws IOException {
    if (blocks.count() == 0) {
      return;
    }
    if (block >= blocks.count()) {
      throw corrupt("rows of " + data.key() + " after its last block");
    }
    blocks.read(block);
    Clustering clustering = data.unfiltered().clustering();
    long offset = data.unfilteredPosition() - data.partitionPosition();
    if (offset == blocks.lastReadOffset() && comparator.compare(clustering, blocks.first()) != 0) {
      throw corruptBlock(data, "begins with another row");
    }
    long end = data.position() - data.partitionPosition();
    long blockEnd = blocks.lastReadOffset() + blocks.width();
    if (block == blocks.count() - 1 && end == blockEnd - 1) {
      // A last block that is not full contains the partition's end mark.
      end = blockEnd;
    }
    if (offset < blocks.lastReadOffset() || end > blockEnd) {
      throw corruptBlock(data, "begins or ends within a row");
    }
    if (end == blockEnd) {
      verifyEnd(data, open);
      block++;
    }
  }

  private void verifyEnd(DataCursor data, OpenRange open) throws IOException {
    Clustering clustering = data.unfiltered().clustering();
    if (comparator.compare(clustering, blocks.last()) != 0
        || blocks.endTimestamp() != open.openTimestamp()
        || !DeletionTimes.isSame(
            table.descriptor().version(), open.openLocalTime(), blocks.endLocalTime())) {
      throw corruptBlock(data, "ends with another row or deletion");
    }
  }

  void endPartition(DataCursor data) throws IOException {
    if (block != blocks.count()) {
      throw corrupt(
          CountText.of(blocks.count(), "block") + " of " + data.key() + ", its rows fill " + block);
    }
  }

  private CorruptSSTableException corruptBlock(DataCursor data, String reason) {
    return corrupt("block " + block + " of " + data.key() + " " + reason);
  }

  private CorruptSSTableException corrupt(String reason) {
    return table.corrupt(Component.PRIMARY_INDEX, blocks.position(), reason);
  }
}
