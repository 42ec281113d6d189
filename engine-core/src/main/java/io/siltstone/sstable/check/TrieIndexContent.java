package io.siltstone.sstable.check;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.type.CqlType;
import io.siltstone.type.comparable.ComparableBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content that {@code Partitions.db} and {@code Rows.db} must have: of each key its shortest
 * beginning that no other key has, a byte of its hash and the position of the partition; and of
 * each index block the separator in front of it, its beginning and the deletion that is open there.
 *
 * <p>The beginning of a key is known when the next key comes, and then what is known of its
 * partition is hashed. It nearly always ends within the token, so the key itself is encoded only if
 * the neighbor has the same token. {@link TrieIndexCheck} does the same with what it reads.
 */
final class TrieIndexContent extends IndexContent {
  private static final long SIGN = Long.MIN_VALUE;
  private static final int MAX_BYTE = 0xff;

  private final Partitioner partitioner;
  private final boolean isByToken;
  private final PrefixEncoding encoding;
  private final long[] keyHashes = new long[2];
  private final ComparableBytes key = new ComparableBytes();
  private final ComparableBytes nextKey = new ComparableBytes();
  private final ComparableBytes separator = new ComparableBytes();
  private final ComparableBytes last = new ComparableBytes();
  private final ComparableBytes first = new ComparableBytes();

  // The partition whose entry is not hashed yet.
  private boolean hasKey;
  private final PartitionKey before = new PartitionKey();
  private int neededBefore;
  private int filterByte;
  private long position;
  private long keyHash;
  private long deletionHash;
  private long blocks;
  private long blocksHash;
  private long openBefore;

  TrieIndexContent(Partitioner partitioner, List<CqlType> clusteringTypes) {
    this.partitioner = partitioner;
    this.isByToken = partitioner == Partitioner.MURMUR3;
    this.encoding = new PrefixEncoding(clusteringTypes);
  }

  /**
   * Returns the hash of an entry of {@code Partitions.db}.
   *
   * @param bytes that begin with the beginning of the key that the index has
   */
  static long entryHash(byte[] bytes, int length, int filterByte) {
    return RunningHash.mixed(headOf(length, filterByte), bytes, 0, length);
  }

  /**
   * Returns the same hash, of the beginning of a key that does not reach beyond its token.
   *
   * @param length of the beginning, more than 1 and less than 8
   */
  private static long entryHash(long token, int length, int filterByte) {
    int further = Byte.SIZE * (length - 1);
    long prefix = (token ^ SIGN) >>> (Long.SIZE - further);
    long all = ((long) ComparableBytes.NEXT_PART << further) | prefix;
    return RunningHash.mixedFew(headOf(length, filterByte), all, length);
  }

  private static long headOf(int length, int filterByte) {
    return RunningHash.mixed(filterByte & 0xff, length);
  }

  /** Returns the hash with which the blocks of a partition begin. */
  static long headHash(long keyHash, long deletionHash) {
    return RunningHash.mixed(RunningHash.mixed(1, keyHash), deletionHash);
  }

  /** Continues the hash of the blocks of a partition with an entry of its trie. */
  static long blockHash(long before, byte[] separator, int length, long offset, long open) {
    long hash = RunningHash.mixed(RunningHash.mixed(before, length), separator, 0, length);
    return RunningHash.mixed(RunningHash.mixed(hash, offset), open);
  }

  @Override
  void startPartition(
      byte[] bytes,
      int from,
      int length,
      long hashOfKey,
      long positionInData,
      long timestamp,
      int localTime) {
    long token = partitioner.token(bytes, from, length, keyHashes);
    int needed = 0;
    if (hasKey) {
      needed = 1 + commonLength(bytes, from, length, token);
      addEntry(Math.max(needed, neededBefore));
    }
    before.copyFrom(bytes, from, length, token);
    hasKey = true;
    neededBefore = needed;
    filterByte = (int) keyHashes[1];
    position = positionInData;
    keyHash = hashOfKey;
    deletionHash = RunningHash.ofDeletion(timestamp, localTime);
    blocks = 0;
    openBefore = 0;
  }

  /** Returns how many bytes a key has in common with the one before it. */
  private int commonLength(byte[] bytes, int from, int length, long token) {
    if (isByToken && token != before.token()) {
      return 1 + Long.numberOfLeadingZeros(token ^ before.token()) / Byte.SIZE;
    }
    encodeBefore();
    encode(bytes, from, length, token, nextKey);
    return ComparableBytes.commonLength(key, nextKey);
  }

  private void encodeBefore() {
    encode(before.bytes(), before.offset(), before.length(), before.token(), key);
  }

  /** Encodes token and key, which is the token of the byte-ordered partitioner. */
  private void encode(byte[] bytes, int from, int length, long token, ComparableBytes to) {
    to.clear();
    to.append(ComparableBytes.NEXT_PART);
    if (isByToken) {
      to.appendLong(token ^ SIGN);
    } else {
      to.appendEscaped(bytes, from, length);
    }
    to.append(ComparableBytes.NEXT_PART);
    to.appendEscaped(bytes, from, length);
    to.append(ComparableBytes.END);
  }

  private void addEntry(int needed) {
    long entryHash;
    if (isByToken && needed > 1 && needed < Long.BYTES) {
      entryHash = entryHash(before.token(), needed, filterByte);
    } else {
      encodeBefore();
      entryHash = entryHash(key.bytes(), Math.min(needed, key.length()), filterByte);
    }
    hash.partition(entryHash, position);
    if (blocks > 1) {
      hash.blocks(RunningHash.mixed(blocksHash, blocks));
    }
  }

  @Override
  void startRows(long offset) {}

  @Override
  void endBlock(
      Prefix firstRow, Prefix lastRow, @Nullable Prefix next, long start, long end, long open) {
    if (blocks == 0) {
      separator.clear();
      blocksHash = headHash(keyHash, deletionHash);
    }
    blocksHash = blockHash(blocksHash, separator.bytes(), separator.length(), start, openBefore);
    blocks++;
    openBefore = open;
    encoding.encode(lastRow, last);
    if (next != null) {
      encoding.encode(next, first);
      int common = ComparableBytes.commonLength(last, first);
      separator.copyFrom(last, common);
      separator.append(greaterAt(common));
    }
  }

  /** Returns the byte that makes a separator greater than the last row of the block before it. */
  private int greaterAt(int index) {
    return index < last.length() ? last.get(index) + 1 : 0;
  }

  @Override
  void endPartition(long endMark) {
    if (blocks < 2) {
      return;
    }
    // After the last row: the beginning of the row that the separator before it does not have, and
    // as many more bytes as cannot be greater.
    int at = ComparableBytes.commonLength(last, separator);
    separator.copyFrom(last, at);
    for (; at < last.length() && last.get(at) == MAX_BYTE; at++) {
      separator.append(MAX_BYTE);
    }
    separator.append(greaterAt(at));
    blocksHash = blockHash(blocksHash, separator.bytes(), separator.length(), endMark, 0);
  }

  @Override
  void end() {
    if (hasKey) {
      addEntry(neededBefore);
    }
  }
}
