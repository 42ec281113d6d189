package io.siltstone.sstable.bti;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cache.KeyLookup;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.IndexedTable;
import io.siltstone.sstable.index.KeySource;
import io.siltstone.sstable.index.PartitionLookup;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A lookup of keys in the key cache, or in {@code Partitions.db}, of which a search reads two or
 * three pages. The cache has positions in the data, or in {@code Rows.db} of partitions with
 * blocks. Confined to one thread; the caller that opens it closes it. Allocates nothing.
 */
final class TrieLookup implements PartitionLookup {
  private static final long NO_BLOCKS = -1;

  // A missing key is checked for each key that was found before, but for at most this many; of the
  // other missing keys one in CHECKED_ONE_IN is checked.
  private static final int MOST_CHECKS = 16;
  private static final int CHECKED_ONE_IN = 16;

  private final IndexedTable table;
  private final PartitionTrieCursor partitions;
  private final RowTrieCursor rows;
  private final KeySource keys;
  private final KeyLookup known;
  private final PartitionKey inRows = new PartitionKey();
  private final long[] hash = new long[2];
  private PartitionKey key = inRows;
  private long dataPosition;
  private long rowsPosition = NO_BLOCKS;
  // The end of the partition, if isEndKnown; it is searched only if it is of use.
  private long dataEnd;
  private boolean isEndKnown;
  private int checks = MOST_CHECKS;
  private int unchecked;

  TrieLookup(
      IndexedTable table,
      PartitionTrieCursor partitions,
      RowTrieCursor rows,
      KeySource keys,
      KeyLookup known) {
    this.table = table;
    this.partitions = partitions;
    this.rows = rows;
    this.keys = keys;
    this.known = known;
  }

  @Override
  public boolean recall(long h1, long h2) throws IOException {
    if (!known.find(h1, h2)) {
      return false;
    }
    long position = known.position();
    if (!known.isOfEntry()) {
      dataPosition = position;
      rowsPosition = NO_BLOCKS;
      long length = known.length();
      setEnd(length == KeyLookup.UNKNOWN ? Long.MAX_VALUE : position + length);
      return position < table.dataLength();
    }
    try {
      openRows(position);
      return true;
    } catch (CorruptSSTableException e) {
      // The position belongs to another SSTable, whose key has the same tag; or there is damage
      // that a search will find again.
      return false;
    }
  }

  @Override
  public void remember(long h1, long h2) throws IOException {
    if (known.isOff()) {
      return;
    }
    if (rowsPosition == NO_BLOCKS) {
      known.addPartition(h1, h2, dataPosition, dataEnd() - dataPosition);
    } else {
      known.addEntry(h1, h2, rowsPosition);
    }
  }

  @Override
  public boolean find(PartitionKey sought, long h2) throws IOException {
    if (!partitions.find(sought, h2)) {
      checkAbsent(sought);
      return false;
    }
    if (partitions.hasBlocks()) {
      openRows(partitions.position());
      if (inRows.compareTo(sought) != 0) {
        partitions.check(inRows);
        return false;
      }
    } else {
      moveTo(partitions.position());
      isEndKnown = false;
    }
    checks = Math.min(MOST_CHECKS, checks + 1);
    return true;
  }

  /**
   * Checks the entries around a key that is not there by the key that the data has for one of them,
   * since the index has no checksum. The filter makes this rare. Where nearly all reads are of keys
   * that are not there, it would nevertheless be a good part of their time, as a chunk is
   * decompressed for it; then only some of these keys are checked.
   */
  private void checkAbsent(PartitionKey sought) throws IOException {
    if (checks > 0) {
      checks--;
    } else if (++unchecked % CHECKED_ONE_IN != 0) {
      return;
    }
    if (seekCeiling(sought) && key.compareTo(sought) == 0) {
      throw partitions.corrupt("is found only by the keys around it: " + sought);
    }
  }

  /** Reads the entry in {@code Rows.db}. */
  private void openRows(long position) throws IOException {
    rows.open(position);
    rows.key(inRows, 0);
    long token = table.partitioner().token(inRows.bytes(), inRows.offset(), inRows.length(), hash);
    rows.key(inRows, token);
    key = inRows;
    moveTo(rows.dataPosition());
    rowsPosition = position;
  }

  private void moveTo(long position) throws IOException {
    if (position >= table.dataLength()) {
      throw partitions.corrupt(
          "a partition at " + position + " of the data, which ends at " + table.dataLength());
    }
    dataPosition = position;
    rowsPosition = NO_BLOCKS;
    setEnd(Long.MAX_VALUE);
  }

  private void setEnd(long end) {
    dataEnd = end;
    isEndKnown = true;
  }

  @Override
  public void refute(PartitionKey sought, @Nullable PartitionKey there) throws IOException {
    if (there == null) {
      throw partitions.corrupt("no partition begins at " + dataPosition + " of the data");
    }
    if (partitions.hasBlocks()) {
      throw partitions.corrupt(
          sought + " is said to be at " + dataPosition + " of the data, and is not");
    }
    partitions.check(there);
  }

  @Override
  public boolean seekCeiling(PartitionKey sought) throws IOException {
    if (partitions.seekFloor(sought) && partitions.mayBeGreater()) {
      readKey();
      if (key.compareTo(sought) >= 0) {
        return true;
      }
    }
    if (!partitions.next()) {
      return false;
    }
    readKey();
    while (key.compareTo(sought) < 0) {
      if (partitions.isWhole()) {
        throw partitions.corrupt(key + " is said to follow " + sought);
      }
      if (!partitions.next()) {
        return false;
      }
      readKey();
    }
    return true;
  }

  private void readKey() throws IOException {
    if (partitions.hasBlocks()) {
      openRows(partitions.position());
    } else {
      moveTo(partitions.position());
      key = TrieEntries.keyAt(partitions, keys);
    }
    partitions.check(key);
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!partitions.hasHash(hash[1]) || !table.filter().mightContain(hash[0], hash[1])) {
      throw partitions.corrupt(key + " is in the index with another hash, or not in the filter");
    }
  }

  @Override
  public PartitionKey key() {
    return key;
  }

  @Override
  public long dataPosition() {
    return dataPosition;
  }

  /**
   * {@inheritDoc}
   *
   * <p>It is where the next partition begins: the next entry of the trie has it, unless that one
   * has blocks.
   */
  @Override
  public long dataEnd() throws IOException {
    if (!isEndKnown) {
      setEnd(Long.MAX_VALUE);
      try {
        dataEnd = partitions.nextDataPosition();
      } catch (CorruptSSTableException e) {
        // A search for the next key will find it. This one is there.
      }
    }
    return dataEnd;
  }

  @Override
  public long entryPosition() {
    return partitions.entryPosition();
  }

  /** Moves blocks, which must be {@link TrieBlocks}, to those of the partition. */
  @Override
  public void openBlocks(BlockIndex blocks) throws IOException {
    if (rowsPosition != NO_BLOCKS) {
      ((TrieBlocks) blocks).open(rowsPosition);
    } else {
      blocks.openNone();
    }
  }

  @Override
  public void close() throws IOException {
    try (known) {
      keys.close();
    }
  }
}
