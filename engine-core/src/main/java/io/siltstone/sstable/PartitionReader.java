package io.siltstone.sstable;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.chunk.ChunkReads;
import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.PartitionLookup;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader for point and slice reads of one SSTable: one partition at a time, forward or reversed.
 *
 * <pre>
 *   if (reader.seek(key, slices, reversed)) {       // false: the table does not have the key
 *     reader.nextPartition();                       // true once
 *     while (reader.nextUnfiltered()) { ... }       // static row, then the slices' rows and markers
 *   }
 * </pre>
 *
 * A range tombstone that reaches into a slice is cut to the slice: it begins and ends with it. In
 * reversed reads, the end of a range comes before its start, as the markers are in the file. Memory
 * does not grow with the partition: index blocks are searched in the file, and reversed reads keep
 * the positions of one block's rows.
 *
 * <p><b>What a read does.</b> Suppose that the partition {@code k} has the rows 1 to 1,000 in five
 * index blocks, and that the rows 300 and 301 are asked for.
 *
 * <ol>
 *   <li>If the bloom filter does not have {@code k}, {@link #seek(PartitionKey)} returns false, and
 *       no file is read.
 *   <li>{@link PartitionLookup} has the position of {@code k} from the key cache. Otherwise, in the
 *       BIG format, it searches the summary, which has every 128th key, and then passes over the
 *       entries of the index up to {@code k}; in the BTI format it goes down the trie of keys.
 *   <li>The header of {@code k} is read from the data, its key is compared with the one that was
 *       asked for, and its static row is shown, if it has one.
 *   <li>The walk searches the entry of {@code k} for the block that may contain row 300, the second
 *       one. The block tells which range tombstone is open where it begins.
 *   <li>The walk goes on in the data at the beginning of that block, passes over the rows before
 *       300 by their sizes, shows 300 and 301, and ends at row 302, or at the end of the partition.
 * </ol>
 *
 * <p>Confined to one thread. The caller that opens it closes it, before the SSTable.
 */
public final class PartitionReader implements PartitionCursor {
  private final SSTable table;
  private final PartitionLookup lookup;
  private final DataCursor data;
  private final BlockIndex blocks;
  private final ChunkReads reads;
  private final FileReads indexReads;
  private final long[] hash = new long[2];
  private final SliceWalk forward;
  private final SliceWalk backward;
  private final List<Slice> everything;
  private final ExpectedEnd expectedEnd;

  // Whether partitions have one row, so that each is read to its end.
  private final boolean isOfOneRow;

  private SliceWalk walk;
  private boolean partitionPending;
  private boolean staticPending;
  private boolean showStatic;
  // Whether it returns all partitions from one on, rather than slices of one.
  private boolean goesOn;
  private boolean fromKeyCache;
  // Whether the data has another key than the one that was looked for.
  private boolean isAtOther;
  private boolean closed;

  PartitionReader(
      SSTable table,
      PartitionLookup lookup,
      DataCursor data,
      BlockIndex blocks,
      ChunkReads reads,
      FileReads indexReads) {
    this.table = table;
    this.lookup = lookup;
    this.data = data;
    this.blocks = blocks;
    this.reads = reads;
    this.indexReads = indexReads;
    this.forward = new ForwardWalk(table, data, blocks);
    this.backward = new ReversedWalk(table, data, blocks);
    this.walk = forward;
    this.isOfOneRow = table.header().clusteringTypes().isEmpty();
    this.expectedEnd = lookup::dataEnd;
    this.everything = List.of(Slice.all(table.encoding()));
  }

  /**
   * Sets the cancellation signal of {@link DataCursor#cancelOn}, until the next {@link
   * #releaseBuffers}.
   */
  public void cancelOn(CancelSignal cancelSignal) {
    data.cancelOn(cancelSignal);
  }

  /** Moves to all rows of a partition, forward; see {@link #seek(PartitionKey, List, boolean)}. */
  public boolean seek(PartitionKey key) throws IOException {
    return seek(key, everything, false);
  }

  /**
   * Moves to a partition.
   *
   * @param slices in clustering order, not overlapping; none to read the static row only
   * @param reversed whether rows are returned from the last to the first
   * @return false if the SSTable does not have the key; the reader is then empty
   */
  public boolean seek(PartitionKey key, List<Slice> slices, boolean reversed) throws IOException {
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!table.mightContain(key, hash[0], hash[1])) {
      clear();
      return false;
    }
    return seek(key, hash[0], hash[1], slices, reversed);
  }

  /**
   * Moves to a partition whose key has passed {@link SSTable#mightContain}, without another hash of
   * the key or lookup in the filter. Otherwise as {@link #seek(PartitionKey, List, boolean)}.
   *
   * @param h1 first half of the key's {@link Murmur3Hash}
   * @param h2 second half of it
   */
  public boolean seek(PartitionKey key, long h1, long h2, List<Slice> slices, boolean reversed)
      throws IOException {
    clear();
    // A cached position of another key with the same hash is ignored.
    fromKeyCache = lookup.recall(h1, h2) && isAt(key);
    if (!fromKeyCache) {
      if (!lookup.find(key, h2)) {
        return false;
      }
      if (!isAt(key)) {
        lookup.refute(key, otherKey());
        return false;
      }
      lookup.remember(h1, h2);
    }
    lookup.openBlocks(blocks);
    staticPending = data.nextStatic();
    walk = reversed ? backward : forward;
    walk.begin(slices);
    partitionPending = true;
    return true;
  }

  /**
   * Moves to the first partition whose key is at or after {@code first}, and then returns it and
   * those after it, each as a whole and forward, as {@link SSTable#scan} does. It uses the caches
   * and little memory, for scans of a few partitions.
   *
   * @return false if all keys are before; the reader is then empty
   */
  public boolean seekFrom(PartitionKey first) throws IOException {
    clear();
    Murmur3Hash.hash(first.bytes(), first.offset(), first.length(), hash);
    // A range often begins at a key that has been read before, as one that continues another.
    fromKeyCache = lookup.recall(hash[0], hash[1]) && isAt(first);
    if (!fromKeyCache && !isFound(first)) {
      if (!lookup.seekCeiling(first)) {
        return false;
      }
      if (!isAt(lookup.key())) {
        throw table.indexCorrupt(
            lookup.entryPosition(),
            lookup.key()
                + " is said to be at "
                + lookup.dataPosition()
                + " of the data, and is not");
      }
    }
    // It goes on with the partitions after that one.
    data.expectEnd(ExpectedEnd.UNKNOWN, false);
    partitionPending = true;
    goesOn = true;
    return true;
  }

  /**
   * Returns whether the SSTable has the key itself, which is looked up in less time than the first
   * key after it; the reader is at its partition then.
   */
  private boolean isFound(PartitionKey key) throws IOException {
    if (!table.mightContain(key, hash[0], hash[1]) || !lookup.find(key, hash[1]) || !isAt(key)) {
      return false;
    }
    lookup.remember(hash[0], hash[1]);
    return true;
  }

  /** Makes the reader empty, and its counters zero. */
  private void clear() {
    if (closed) {
      throw new IllegalStateException("reader of " + table + " is closed");
    }
    partitionPending = false;
    staticPending = false;
    showStatic = false;
    goesOn = false;
    fromKeyCache = false;
    walk.end();
    blocks.openNone();
    reads.reset();
    indexReads.reset();
  }

  /** Returns the SSTable. */
  public SSTable table() {
    return table;
  }

  /** Returns the counters of its reads of the data since the last {@code seek} began. */
  public ChunkReads reads() {
    return reads;
  }

  /** Returns whether the key cache had the position of the current partition. */
  public boolean isFromKeyCache() {
    return fromKeyCache;
  }

  /** Returns the counters of its reads of the index since the last {@code seek} began. */
  public FileReads indexReads() {
    return indexReads;
  }

  /** Returns the number of index blocks of the partition, 0 if it is too small to have any. */
  public int indexBlocks() {
    return blocks.count();
  }

  /** Returns the number of index blocks that were read since the last {@code seek}. */
  public long indexBlocksRead() {
    return blocks.reads();
  }

  /**
   * Makes the reader empty and frees the memory that an unusually large row has taken, before the
   * reader is unused for an unknown time.
   */
  void releaseBuffers() {
    clear();
    reads.watch(null);
    data.cancelOn(CancelSignal.NEVER);
    data.trim();
  }

  /**
   * Returns whether the partition is at the position that index or cache have, which may be wrong.
   */
  private boolean isAt(PartitionKey key) throws IOException {
    isAtOther = false;
    data.expectEnd(expectedEnd, isOfOneRow);
    if (data.returnTo(lookup.dataPosition(), key)) {
      return true;
    }
    data.seek(lookup.dataPosition(), table.dataLength());
    try {
      boolean isThere = data.nextPartition();
      isAtOther = isThere && data.key().compareTo(key) != 0;
      return isThere && !isAtOther;
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      return false;
    }
  }

  private @Nullable PartitionKey otherKey() {
    return isAtOther ? data.key() : null;
  }

  /**
   * Copies the clustering of a row or marker of the current partition, at which the reader then is
   * no longer.
   *
   * @param offset from the partition's beginning, according to a block
   */
  void copyClustering(long offset, Clustering to) throws IOException {
    data.seekWithinPartition(offset);
    if (!data.peek()) {
      throw table.blocksCorrupt(
          blocks.position(), "a block of " + data.key() + " begins at the end mark");
    }
    to.copyFrom(data.unfiltered().clustering());
  }

  @Override
  public RowEncoding encoding() {
    return table.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    boolean first = partitionPending;
    partitionPending = false;
    return first || (goesOn && data.nextPartition());
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
    if (goesOn) {
      return data.nextUnfiltered();
    }
    showStatic = staticPending;
    staticPending = false;
    return showStatic || walk.next();
  }

  @Override
  public Unfiltered unfiltered() {
    return showStatic || goesOn ? data.unfiltered() : walk.unfiltered();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try (data;
        blocks) {
      lookup.close();
    }
  }
}
