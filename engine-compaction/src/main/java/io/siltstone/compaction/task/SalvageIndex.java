package io.siltstone.compaction.task;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.files.RepeatedReads;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Follows the index of an SSTable during a scrub: finds where the next partition begins, and the
 * index blocks from which a damaged partition can be read again. The index has no checksums, so
 * everything that it states is compared with the data or with the statistics. A trie index has only
 * the beginnings of keys, and separators in place of the clusterings around a block: where the
 * beginning of a partition is damaged, its key may be lost. Confined to one thread, closed by its
 * opener.
 */
final class SalvageIndex implements Closeable {
  private final SSTable input;
  private final DataCursor data;
  // Null if the index cannot be opened.
  private @Nullable KeyEntries index;
  private final @Nullable BlockIndex blocks;
  private final KeyText keyText;

  // The partition that is being read, if it has an entry.
  private final PartitionKey key = new PartitionKey();
  private boolean hasEntry;
  private boolean hasKey;

  // The next partition that has an entry, if there is one.
  private final PartitionKey nextKey = new PartitionKey();
  private boolean hasNextKey;
  private long nextPosition = -1;
  private boolean hasMore = true;
  // Whether a read has failed while the next entry was looked for.
  private boolean isInterrupted;

  // Where the present block begins: the last row or marker before it, if the index has it, the
  // first one of it, and the open deletion.
  private final Clustering lastBefore = new Clustering();
  private boolean hasLastBefore;
  private final Clustering first = new Clustering();
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
    this.index = entriesOf(input);
    this.blocks = index == null ? null : input.indexBlocks();
  }

  private static @Nullable KeyEntries entriesOf(SSTable input) throws IOException {
    try {
      return input.indexEntries();
    } catch (CorruptSSTableException | CorruptFileException e) {
      return null;
    }
  }

  private BlockIndex blocks() {
    return Objects.requireNonNull(blocks);
  }

  /** Forgets the entry of the present partition. */
  void clearEntry() {
    if (blocks != null) {
      blocks.openNone();
    }
    hasEntry = false;
    hasKey = false;
  }

  /**
   * Moves to the first entry after a position in the data, or to the end of the index, and opens
   * the blocks of the entry for that position, if there is one.
   */
  void seekAfter(long position) throws IOException {
    try {
      RepeatedReads.run(
          input.toString(), CorruptFileException.WHOLE_FILE, () -> moveAfter(position));
    } catch (CorruptSSTableException | CorruptFileException e) {
      // A damaged index is needed only if the data is damaged, too.
      hasMore = false;
      // Another attempt would find the same.
      isInterrupted = false;
    }
  }

  private boolean moveAfter(long position) throws IOException {
    clearEntry();
    if (isInterrupted) {
      restart();
    }
    KeyEntries entries = index;
    if (entries == null) {
      return false;
    }
    isInterrupted = true;
    while (hasMore && nextPosition <= position) {
      if (nextPosition == position) {
        hasEntry = true;
        openBlocks(entries);
      }
      hasMore = entries.next();
      if (hasMore) {
        nextPosition = checkedPosition(entries);
        readNextKey(entries);
      }
    }
    isInterrupted = false;
    return hasEntry;
  }

  /** Begins with the first entry again. */
  private void restart() throws IOException {
    KeyEntries before = index;
    index = null;
    if (before != null) {
      before.close();
    }
    index = entriesOf(input);
    nextPosition = -1;
    hasNextKey = false;
    hasMore = true;
  }

  private long checkedPosition(KeyEntries entries) throws IOException {
    long found = entries.dataPosition();
    if (found <= nextPosition || found >= input.dataLength()) {
      throw new CorruptSSTableException(
          input.toString(),
          input.descriptor().version().keyComponent(),
          entries.position(),
          "an entry points to " + found);
    }
    return found;
  }

  private void readNextKey(KeyEntries entries) throws IOException {
    hasNextKey = false;
    try {
      nextKey.copyFrom(RepeatedReads.run(input.toString(), nextPosition, entries::key));
      hasNextKey = true;
    } catch (CorruptSSTableException | CorruptFileException e) {
      // The key is only in the data, which is damaged there.
    }
  }

  private void openBlocks(KeyEntries entries) throws IOException {
    hasKey = hasNextKey;
    if (hasKey) {
      key.copyFrom(nextKey);
    }
    try {
      entries.openBlocks(blocks());
    } catch (CorruptSSTableException | CorruptFileException e) {
      blocks().openNone();
    }
  }

  /** Returns whether the index has an entry for the present partition, and its key is known. */
  boolean hasEntry() {
    return hasEntry && hasKey;
  }

  /** Returns the key of the present partition, if it {@linkplain #hasEntry has an entry}. */
  PartitionKey key() {
    return key;
  }

  /** Returns whether the key of the next partition that has an entry is known. */
  boolean hasNextKey() {
    return hasNextKey;
  }

  /** Returns the key of the next partition that has an entry, if it is known. */
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
        + (nextPosition > position
            ? (hasNextKey ? keyText.of(nextKey) : "one") + " at " + nextPosition
            : "none");
  }

  /** Returns whether the entry of the present partition has blocks that may be true. */
  boolean hasCredibleBlocks() throws IOException {
    if (blocks == null || blocks.count() == 0 || !hasKey) {
      return false;
    }
    StatsMetadata stats = input.statistics().stats();
    long deletion = blocks.deletionTimestamp();
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    return input.mightContain(key, hash[0], hash[1])
        && (nextPosition <= data.partitionPosition() || !hasNextKey || key.compareTo(nextKey) < 0)
        && (DeletionTime.isLive(deletion)
            || (deletion >= stats.minTimestamp() && deletion <= stats.maxTimestamp()));
  }

  /** Returns the deletion timestamp of the present partition, from its blocks. */
  long deletionTimestamp() {
    return blocks().deletionTimestamp();
  }

  /** Returns the local deletion time of the present partition, from its blocks. */
  long deletionLocalTime() {
    return blocks().deletionLocalTime();
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
    long count = blocks == null ? 0 : blocks.count();
    for (int block = last + 1; block < count && moveTo(block); block++) {
      if (isReadable(damagedOffset)) {
        return block;
      }
    }
    return -1;
  }

  /** Moves to the first block, or else to the one after the present block. */
  private boolean moveTo(int block) throws IOException {
    try {
      if (block > 0) {
        return blocks().skip(1);
      }
      blocks().toFirst();
      return true;
    } catch (CorruptSSTableException | CorruptFileException e) {
      return false;
    }
  }

  private boolean isReadable(long damagedOffset) throws IOException {
    try {
      blocks().readOpen();
      openTimestamp = blocks().openTimestamp();
      openLocalTime = blocks().openLocalTime();
      hasLastBefore = blocks().copyLastBefore(lastBefore);
      long offset = blocks().offset();
      if (offset <= damagedOffset) {
        return false;
      }
      data.seekWithinPartition(offset);
      if (!data.peek() || blocks().beginsWith(data.unfiltered().clustering()) != null) {
        return false;
      }
      first.copyFrom(data.unfiltered().clustering());
      if (DeletionTime.isLive(openTimestamp)) {
        return true;
      }
      boolean isThere = isOpen(openTimestamp, openLocalTime);
      data.seekWithinPartition(offset);
      return isThere;
    } catch (CorruptSSTableException | CorruptFileException e) {
      // The damage reaches over the block, or its entry is damaged; the next one may be readable.
      return false;
    }
  }

  /**
   * Returns whether a range tombstone is open before the present block, as the index states. If so,
   * the next marker ends it; or, if the block has no marker, it is also open at its end.
   */
  private boolean isOpen(long timestamp, long localTime) throws IOException {
    long end = data.partitionPosition() + blocks().end();
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
    return isOpenAtEnd(timestamp, localTime);
  }

  /** Returns whether a range tombstone is open where the block after the present one begins. */
  private boolean isOpenAtEnd(long timestamp, long localTime) throws IOException {
    if (!blocks().skip(1)) {
      return false;
    }
    try {
      blocks().readOpen();
      return blocks().openTimestamp() == timestamp && blocks().openLocalTime() == localTime;
    } finally {
      var unused = blocks().previous();
    }
  }

  /** Returns where in the partition the present block begins. */
  long blockOffset() throws IOException {
    return blocks().offset();
  }

  /** Returns the clustering with which the present block begins. */
  Clustering blockFirst() {
    return first;
  }

  /**
   * Returns the clustering of the last row or marker before the present block; null if the index
   * does not have it.
   */
  @Nullable Clustering lastBeforeBlock() {
    return hasLastBefore ? lastBefore : null;
  }

  /** Returns the clustering of the last row or marker that may lie before the present block. */
  Clustering greatestBeforeBlock() {
    if (!hasLastBefore) {
      lastBefore.copyFrom(first, ClusteringKind.INCL_START_BOUND);
    }
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
    try (blocks) {
      if (index != null) {
        index.close();
      }
    }
  }
}
