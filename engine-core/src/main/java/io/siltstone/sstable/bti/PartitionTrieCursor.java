package io.siltstone.sstable.bti;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.trie.TrieCursor;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;

/**
 * A cursor over the partitions of {@code Partitions.db}.
 *
 * <p>The trie has only the beginnings of keys, so what is found is a candidate: the key itself is
 * at the {@linkplain #position() position}, in {@code Rows.db} or in {@code Data.db}. After it was
 * read, {@link #check} tells damage from another key that begins in the same way.
 *
 * <pre>
 *   exact     find(key); the partition is there if the candidate's key is equal
 *   floor     seekFloor(key); if the candidate's key is greater, previous()
 *   ceiling   seekFloor(key); if there is none or the candidate's key is less, next()
 * </pre>
 *
 * The file has no checksum. If damage leads the way of a key astray, the key seems not to be there,
 * as long as nothing contradicts it. Confined to one thread; allocates nothing once its arrays have
 * grown. Source: Cassandra {@code PartitionIndex.Reader}.
 */
public final class PartitionTrieCursor {
  private static final int NUMBER_BYTES = 7;

  private final PartitionTrie index;
  private final TrieCursor trie;
  private final ComparableBytes sought = new ComparableBytes();
  private final ComparableBytes other = new ComparableBytes();
  private long position;
  private long walked;
  private boolean walkedTo;
  private boolean soughtIsWhole;

  /** Creates a cursor before the first partition, whose reads are not counted. */
  public PartitionTrieCursor(PartitionTrie index) {
    this(index, new FileReads());
  }

  /**
   * Creates a cursor before the first partition.
   *
   * @param reads counts the reads of the file
   */
  public PartitionTrieCursor(PartitionTrie index, FileReads reads) {
    this.index = index;
    this.trie = new TrieCursor(index.pages(reads));
    trie.open(index.root());
  }

  /**
   * Looks for a key. Afterwards the cursor can only search.
   *
   * @param hash second half of the key's hash for the bloom filter
   * @return whether there is a candidate
   */
  public boolean find(PartitionKey key, long hash) throws IOException {
    walkedTo = false;
    ComparableKeys.encode(index.partitioner(), key, sought);
    return trie.find(sought) && hasHash(hash) && readPosition();
  }

  /**
   * Looks for the last key that is not greater than a key.
   *
   * @param key or the bound of a range of tokens, for which the last lesser key or one that is not
   *     far before it is found
   * @return whether there is a candidate; if not, the cursor is before the first partition
   */
  public boolean seekFloor(PartitionKey key) throws IOException {
    begin();
    soughtIsWhole = ComparableKeys.encodeBound(index.partitioner(), key, sought);
    return trie.seekFloor(sought) && readPosition();
  }

  /**
   * Returns whether the key of the candidate of {@link #seekFloor} may be greater than the one that
   * was looked for, or equal; if not, it is less.
   */
  public boolean mayBeGreater() {
    return trie.isPrefix();
  }

  /**
   * Returns whether {@link #seekFloor} has looked for the key itself, so that the next key but that
   * of the candidate cannot be less.
   */
  public boolean isWhole() {
    return soughtIsWhole;
  }

  /** Moves to the first partition; returns whether there is one. */
  public boolean toFirst() throws IOException {
    begin();
    return trie.toFirst() && readPosition();
  }

  /** Moves to the last partition; returns whether there is one. */
  public boolean toLast() throws IOException {
    begin();
    return trie.toLast() && readPosition();
  }

  private void begin() {
    walked = 0;
    walkedTo = true;
  }

  /** Moves to the next partition; returns whether there is one. */
  public boolean next() throws IOException {
    return trie.next() && step(1);
  }

  /** Moves to the partition before; returns whether there is one. */
  public boolean previous() throws IOException {
    return trie.previous() && step(-1);
  }

  /**
   * Counts a step: a walk over damaged nodes may come to the same entries again and again.
   *
   * @param direction 1 or -1
   */
  private boolean step(int direction) throws IOException {
    walked = Long.signum(walked) == -direction ? direction : walked + direction;
    if (Math.abs(walked) > index.count()) {
      throw trie.corrupt("more entries than the " + index.count() + " keys of the footer");
    }
    return readPosition();
  }

  private boolean readPosition() throws CorruptSSTableException {
    int bits = trie.payloadBits();
    boolean hashed = bits >= PartitionTrieWriter.HAS_HASH;
    int length = hashed ? bits - NUMBER_BYTES : bits;
    int at = hashed ? 1 : 0;
    trie.checkPayload(at + length);
    position = trie.payloadNumber(at, length);
    return true;
  }

  /**
   * Returns the position in the data of the partition after the one that {@link #find} has found,
   * and stays there.
   *
   * @return {@link Long#MAX_VALUE} if there is no next one, or if it has blocks
   */
  public long nextDataPosition() throws IOException {
    long found = trie.position();
    long foundPosition = position;
    try {
      return trie.next() && readPosition() && !hasBlocks() ? position() : Long.MAX_VALUE;
    } finally {
      position = foundPosition;
      trie.goBack(found);
    }
  }

  /** Returns the position of the entry in {@code Partitions.db}, for messages. */
  public long entryPosition() {
    return trie.position();
  }

  /** Returns whether the partition has an entry in {@code Rows.db}. */
  public boolean hasBlocks() {
    return position >= 0;
  }

  /**
   * Returns the position of the partition's entry in {@code Rows.db} if it {@link #hasBlocks}, else
   * of the partition in the uncompressed data file. Both begin with the key.
   */
  public long position() {
    return position >= 0 ? position : ~position;
  }

  /**
   * Checks that a key that was read at the position of the candidate belongs to it.
   *
   * @throws CorruptSSTableException if it does not begin with what the trie has of it
   */
  public void check(PartitionKey found) throws CorruptSSTableException {
    if (!isOf(found)) {
      throw trie.corrupt("the entry of another key than " + found);
    }
  }

  /** Returns whether a key begins with what the trie has of the candidate's. */
  public boolean isOf(PartitionKey key) {
    ComparableKeys.encode(index.partitioner(), key, other);
    return walkedTo
        ? trie.isOf(other)
        : ComparableBytes.commonLength(sought, other) >= trie.matched();
  }

  /**
   * Returns whether the candidate's entry has the hash of a key, or none.
   *
   * @param hash second half of the key's hash for the bloom filter
   */
  public boolean hasHash(long hash) throws CorruptSSTableException {
    if (trie.payloadBits() < PartitionTrieWriter.HAS_HASH) {
      return true;
    }
    trie.checkPayload(1);
    return trie.payload(0) == (byte) hash;
  }

  /** Returns the exception for damage at the candidate's entry. */
  public CorruptSSTableException corrupt(String reason) {
    return trie.corrupt(reason);
  }
}
