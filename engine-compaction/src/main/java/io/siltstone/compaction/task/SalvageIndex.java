package io.siltstone.compaction.task;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.Closeable;
import java.io.IOException;

/**
 * Follows the index of an SSTable during a scrub: finds where the next partition begins, and the
 * index blocks from which a damaged partition can be read again. The index has no checksums, so
 * everything that it states is compared with the data or with the statistics. Confined to one
 * thread, closed by its opener.
 */
final class SalvageIndex implements Closeable {
  private final SSTable input;
  private final DataCursor data;
  private final IndexCursor index;
  private final IndexBlocks blocks;
  private final ClusteringComparator order;
  private final KeyText keyText;

  // The partition that is being read, if it has an entry.
  private final PartitionKey key = new PartitionKey();
  private boolean hasEntry;

  // The next partition that has an entry, if there is one.
  private final PartitionKey nextKey = new PartitionKey();
  private long nextPosition = -1;
  private boolean hasMore = true;

  // Where the present block begins: the last row or marker before it, and the open deletion.
  private final Clustering lastBefore = new Clustering();
  private long openTimestamp;
  private long openLocalTime;

  private final long[] hash = new long[2];

  /**
   * Opens the index of an SSTable.
   *
   * @param data the cursor of the scrub, which is moved when blocks are compared with the data
   */
  SalvageIndex(SSTable input, DataCursor data, KeyText keyText) throws IOException {
    this.input = input;
    this.data = data;
    this.keyText = keyText;
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.index = input.indexEntries();
    this.blocks = input.indexBlocks();
  }

  /** Forgets the entry of the present partition. */
  void clearEntry() {
    blocks.openNone();
    hasEntry = false;
  }

  /**
   * Moves to the first entry after a position in the data, or to the end of the index, and opens
   * the blocks of the entry for that position, if there is one.
   */
  void seekAfter(long position) throws IOException {
    clearEntry();
    try {
      while (hasMore && nextPosition <= position) {
        if (nextPosition == position) {
          hasEntry = true;
          openBlocks();
        }
        hasMore = index.next();
        if (hasMore) {
          index.wrapKey(nextKey, input.partitioner(), hash);
          if (index.dataPosition() <= nextPosition || index.dataPosition() >= input.dataLength()) {
            throw new CorruptSSTableException(
                input.toString(),
                Component.PRIMARY_INDEX,
                index.position(),
                "entry of " + nextKey + " points to " + index.dataPosition());
          }
          nextPosition = index.dataPosition();
        }
      }
    } catch (CorruptSSTableException | CorruptFileException e) {
      // A damaged index is needed only if the data is damaged, too.
      hasMore = false;
    }
  }

  private void openBlocks() throws IOException {
    key.copyFrom(nextKey);
    try {
      blocks.open(index);
    } catch (CorruptSSTableException | CorruptFileException e) {
      blocks.openNone();
    }
  }

  /** Returns whether the index has an entry for the present partition. */
  boolean hasEntry() {
    return hasEntry;
  }

  /** Returns the key of the present partition, if it {@linkplain #hasEntry has an entry}. */
  PartitionKey key() {
    return key;
  }

  /** Returns the key of the next partition that has an entry. */
  PartitionKey nextKey() {
    return nextKey;
  }

  /** Returns the position of the next partition that has an entry, or of the last one. */
  long nextPosition() {
    return nextPosition;
  }

  /** Describes the next partition after a position, for messages. */
  String describeNext(long position) {
    return "the next in the index is "
        + (nextPosition > position ? keyText.of(nextKey) + " at " + nextPosition : "none");
  }

  /** Returns whether the entry of the present partition has blocks that may be true. */
  boolean hasCredibleBlocks() throws IOException {
    if (blocks.count() == 0) {
      return false;
    }
    StatsMetadata stats = input.statistics().stats();
    long deletion = blocks.deletionTimestamp();
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    return input.mightContain(key, hash[0], hash[1])
        && (nextPosition <= data.partitionPosition() || key.compareTo(nextKey) < 0)
        && (DeletionTime.isLive(deletion)
            || (deletion >= stats.minTimestamp() && deletion <= stats.maxTimestamp()));
  }

  /** Returns the deletion timestamp of the present partition, from its blocks. */
  long deletionTimestamp() {
    return blocks.deletionTimestamp();
  }

  /** Returns the local deletion time of the present partition, from its blocks. */
  long deletionLocalTime() {
    return blocks.deletionLocalTime();
  }

  /** Returns where in the present partition its reading failed. */
  long damagedOffset() {
    return data.unfilteredPosition() - data.partitionPosition();
  }

  /**
   * Finds the next block that begins after the damage and where the index states, and moves the
   * data cursor to it.
   *
   * @param last the block that was found before in this partition, -1 if none
   * @param damagedOffset from {@link #damagedOffset}, before the cursor was moved
   * @return -1 if there is none
   */
  int nextReadable(int last, long damagedOffset) throws IOException {
    for (int block = last + 1; block < blocks.count(); block++) {
      if (isReadable(block, damagedOffset)) {
        return block;
      }
    }
    return -1;
  }

  private boolean isReadable(int block, long damagedOffset) throws IOException {
    try {
      openTimestamp = DeletionTime.NO_TIMESTAMP;
      if (block > 0) {
        blocks.read(block - 1);
        lastBefore.copyFrom(blocks.last());
        openTimestamp = blocks.openTimestamp();
        openLocalTime = blocks.openLocalTime();
      }
      blocks.read(block);
      if (blocks.offset() <= damagedOffset) {
        return false;
      }
      data.seekWithinPartition(blocks.offset());
      boolean isThere =
          data.peek() && order.compare(data.unfiltered().clustering(), blocks.first()) == 0;
      if (isThere && !DeletionTime.isLive(openTimestamp)) {
        isThere = isOpen(openTimestamp, openLocalTime);
        data.seekWithinPartition(blocks.offset());
      }
      return isThere;
    } catch (CorruptSSTableException | CorruptFileException e) {
      // The damage reaches over the block, or its entry is damaged; the next one may be readable.
      return false;
    }
  }

  /**
   * Returns whether a range tombstone is open before the present block, as the previous block
   * states. If so, the next marker ends it; or, if the block has no marker, it is also open at its
   * end.
   */
  private boolean isOpen(long timestamp, long localTime) throws IOException {
    long end = data.partitionPosition() + blocks.offset() + blocks.width();
    while (data.position() < end && data.peek()) {
      Unfiltered next = data.unfiltered();
      if (next.isMarker()) {
        data.read();
        return next.clustering().kind().closes()
            && next.deletionTimestamp() == timestamp
            && next.deletionLocalTime() == localTime;
      }
      data.pass();
    }
    return blocks.openTimestamp() == timestamp && blocks.openLocalTime() == localTime;
  }

  /** Returns where in the partition the present block begins. */
  long blockOffset() {
    return blocks.offset();
  }

  /** Returns the clustering with which the present block begins. */
  Clustering blockFirst() {
    return blocks.first();
  }

  /** Returns the clustering of the last row or marker before the present block. */
  Clustering lastBeforeBlock() {
    return lastBefore;
  }

  /**
   * Returns the timestamp of the range tombstone that is open where the present block begins, or
   * {@link DeletionTime#NO_TIMESTAMP}.
   */
  long openTimestamp() {
    return openTimestamp;
  }

  /** Returns the local deletion time of the open range tombstone. */
  long openLocalTime() {
    return openLocalTime;
  }

  @Override
  public void close() throws IOException {
    try (index) {
      blocks.close();
    }
  }
}
