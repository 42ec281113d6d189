package io.siltstone.sstable;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.chunk.ChunkReads;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.util.List;

/**
 * Point and slice reads of one table: one partition at a time, forward or reversed.
 *
 * <pre>
 *   if (reader.seek(key, slices, reversed)) {       // false: the table does not have the key
 *     reader.nextPartition();                       // true once
 *     while (reader.nextUnfiltered()) { ... }       // static row, then the slices' rows and markers
 *   }
 * </pre>
 *
 * Of a range tombstone that reaches into a slice the part inside is shown: it begins and ends with
 * the slice. Reversed, markers come as they lie in the file, the end of a range before its start.
 * Nothing grows with the partition: index blocks are searched in place, and reversed reads keep the
 * places of one block's rows.
 *
 * <p>Confined to one thread, closed by its opener, before the table.
 */
public final class PartitionReader implements PartitionCursor {
  private final SSTable table;
  private final PartitionLookup lookup;
  private final DataCursor data;
  private final IndexBlocks blocks;
  private final ChunkReads reads;
  private final FileReads indexReads;
  private final long[] hash = new long[2];
  private final SliceWalk forward;
  private final SliceWalk backward;
  private final List<Slice> everything;

  private SliceWalk walk;
  private boolean partitionPending;
  private boolean staticPending;
  private boolean showStatic;
  // Whether it shows all partitions from one on, rather than slices of one.
  private boolean goesOn;
  private boolean fromKeyCache;
  private boolean closed;

  PartitionReader(
      SSTable table,
      PartitionLookup lookup,
      DataCursor data,
      IndexBlocks blocks,
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
    this.everything = List.of(Slice.all(table.encoding()));
  }

  /** See {@link DataCursor#cancelOn}; until it comes to rest. */
  public void cancelOn(CancelSignal cancelSignal) {
    data.cancelOn(cancelSignal);
  }

  /** Turns to all rows of a partition, forward; see {@link #seek(PartitionKey, List, boolean)}. */
  public boolean seek(PartitionKey key) throws IOException {
    return seek(key, everything, false);
  }

  /**
   * Turns to a partition.
   *
   * @param slices in clustering order, not overlapping; none to read the static row only
   * @param reversed whether rows are shown from the last to the first
   * @return false if the table does not have the key; the reader is then empty
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
   * Turns to a partition whose key has passed {@link SSTable#mightContain}: the key is not hashed
   * and the filter not asked again. Otherwise as {@link #seek(PartitionKey, List, boolean)}.
   *
   * @param h1 first half of the key's {@link Murmur3Hash}
   * @param h2 second half of it
   */
  public boolean seek(PartitionKey key, long h1, long h2, List<Slice> slices, boolean reversed)
      throws IOException {
    clear();
    // A cached place of another key with the same hash is none.
    fromKeyCache = lookup.recall(h1, h2) && isAt(key);
    if (!fromKeyCache) {
      if (!lookup.find(key)) {
        return false;
      }
      if (!isAt(key)) {
        throw table.indexCorrupt(
            lookup.entryPosition(),
            key + " is said to be at " + lookup.dataPosition() + " of the data, and is not");
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
   * Turns to the first partition whose key is not before {@code first}, and then shows it and those
   * behind it, each wholly and forward, as {@link SSTable#scan} does; but through the chunk cache,
   * and with little in memory: for a few partitions.
   *
   * @return false if all keys are before; the reader is then empty
   */
  public boolean seekFrom(PartitionKey first) throws IOException {
    clear();
    if (!lookup.seekCeiling(first)) {
      return false;
    }
    if (!isAt(lookup.key())) {
      throw table.indexCorrupt(
          lookup.entryPosition(),
          lookup.key() + " is said to be at " + lookup.dataPosition() + " of the data, and is not");
    }
    partitionPending = true;
    goesOn = true;
    return true;
  }

  /** Makes it empty, and its counts zero. */
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

  /** The table it reads. */
  public SSTable table() {
    return table;
  }

  /** What its reads of the data have cost since the last {@code seek} began. */
  public ChunkReads reads() {
    return reads;
  }

  /** Whether the key cache knew the place of the partition that it was turned to last. */
  public boolean isFromKeyCache() {
    return fromKeyCache;
  }

  /** What its reads of the index have cost since the last {@code seek} began. */
  public FileReads indexReads() {
    return indexReads;
  }

  /** Index blocks of the partition, 0 if it is too small to have any. */
  public int indexBlocks() {
    return blocks.count();
  }

  /** How often one of them was looked at since the last {@code seek}. */
  public long indexBlocksRead() {
    return blocks.reads();
  }

  /**
   * Makes it empty and gives back memory that an unusually large row has taken, for a rest of
   * unknown length.
   */
  void rest() {
    clear();
    reads.watch(null);
    data.cancelOn(CancelSignal.NEVER);
    data.trim();
  }

  /** Goes where index or cache say that the partition is, which may be wrong. */
  private boolean isAt(PartitionKey key) throws IOException {
    if (data.returnTo(lookup.dataPosition(), key)) {
      return true;
    }
    data.seek(lookup.dataPosition(), table.dataLength());
    try {
      return data.nextPartition() && data.key().compareTo(key) == 0;
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      return false;
    }
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
