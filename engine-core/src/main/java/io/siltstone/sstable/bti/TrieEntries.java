package io.siltstone.sstable.bti;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.KeySource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the entries of {@code Partitions.db}. Their keys are read from {@code Rows.db} or
 * from the data, where the partition begins, and checked against what the trie has of them.
 */
public final class TrieEntries implements KeyEntries {
  private static final long NOT_OPEN = -1;

  private final Partitioner partitioner;
  private final PartitionTrieCursor partitions;
  private final RowTrieCursor rows;
  private final KeySource keys;
  private final PartitionKey inRows = new PartitionKey();
  private final long[] hash = new long[2];
  // Whether the cursor is at the entry that next() is to return.
  private boolean isAtNext;
  private long openRows = NOT_OPEN;

  TrieEntries(
      Partitioner partitioner, PartitionTrieCursor partitions, RowTrieCursor rows, KeySource keys) {
    this.partitioner = partitioner;
    this.partitions = partitions;
    this.rows = rows;
    this.keys = keys;
  }

  @Override
  public void seek(PartitionKey key) throws IOException {
    // Without such an entry the cursor is before the first one.
    isAtNext = partitions.seekFloor(key);
  }

  /**
   * Moves to the entry that lies a number of entries before a key, or to the first one.
   *
   * @return false if all keys are greater
   */
  boolean seekBefore(PartitionKey key, int distance) throws IOException {
    if (!partitions.seekFloor(key)) {
      return false;
    }
    for (int i = 0; i < distance; i++) {
      if (!partitions.previous()) {
        return partitions.next();
      }
    }
    return true;
  }

  @Override
  public boolean next() throws IOException {
    if (isAtNext) {
      isAtNext = false;
      return true;
    }
    return partitions.next();
  }

  @Override
  public PartitionKey key() throws IOException {
    PartitionKey key;
    if (partitions.hasBlocks()) {
      openRows();
      rows.key(inRows, 0);
      long token = partitioner.token(inRows.bytes(), inRows.offset(), inRows.length(), hash);
      rows.key(inRows, token);
      key = inRows;
    } else {
      key = keyAt(partitions, keys);
    }
    partitions.check(key);
    return key;
  }

  /** Returns the key that the data has where an entry without blocks points to. */
  static PartitionKey keyAt(PartitionTrieCursor at, KeySource keys) throws IOException {
    @Nullable PartitionKey key = keys.keyAt(at.position());
    if (key == null) {
      throw at.corrupt("no partition begins at " + at.position() + " of the data");
    }
    return key;
  }

  private void openRows() throws IOException {
    if (openRows != partitions.position()) {
      openRows = NOT_OPEN;
      rows.open(partitions.position());
      openRows = partitions.position();
    }
  }

  @Override
  public boolean hasWholeKeys() {
    return false;
  }

  @Override
  public boolean isOf(PartitionKey key) throws IOException {
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!partitions.isOf(key) || !partitions.hasHash(hash[1])) {
      return false;
    }
    if (!partitions.hasBlocks()) {
      return true;
    }
    openRows();
    rows.key(inRows, key.token());
    return inRows.compareTo(key) == 0;
  }

  @Override
  public long position() {
    return partitions.entryPosition();
  }

  @Override
  public long dataPosition() throws IOException {
    if (!partitions.hasBlocks()) {
      return partitions.position();
    }
    openRows();
    return rows.dataPosition();
  }

  /** Moves blocks, which must be {@link TrieBlocks}, to those of the current entry. */
  @Override
  public void openBlocks(BlockIndex blocks) throws IOException {
    if (partitions.hasBlocks()) {
      ((TrieBlocks) blocks).open(partitions.position());
    } else {
      blocks.openNone();
    }
  }

  @Override
  public void close() throws IOException {
    keys.close();
  }
}
