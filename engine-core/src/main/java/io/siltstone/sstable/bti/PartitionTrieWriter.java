package io.siltstone.sstable.bti;

import io.siltstone.io.WritableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.trie.PagedOutput;
import io.siltstone.sstable.trie.TrieWriter;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.Closeable;
import java.io.IOException;

/**
 * Writes {@code Partitions.db}.
 *
 * <pre>
 *   trie             per key its shortest beginning that no other key has, and a payload:
 *                      bits       8 + bytes of the position - 1
 *                      hash       byte: the lowest of the key's hash for the bloom filter
 *                      position   1 to 8 bytes, signed: in Rows.db if it is not negative,
 *                                 else the complement of the position in Data.db
 *   first key        short n, n bytes
 *   last key         short n, n bytes
 *   keys             long   position of the first key
 *   count            long   of keys
 *   root             long   position of the root
 * </pre>
 *
 * A key is written when the next one is known, since only then the length of its beginning is.
 * Nearly always it ends within the token, so tokens are compared as numbers, and the bytes of the
 * key itself are encoded only if the neighbor has the same token. The memory does not grow with the
 * number of keys. Confined to one thread; takes the file over. Source: Cassandra {@code
 * PartitionIndexBuilder}, {@code PartitionIndex}.
 */
public final class PartitionTrieWriter implements Closeable {
  /** The bit of payloads that have a hash. */
  static final int HAS_HASH = 8;

  private static final int MAX_PAYLOAD = 1 + Long.BYTES;

  private final PagedOutput out;
  private final TrieWriter trie;
  private final Partitioner partitioner;
  private final boolean isByToken;
  private final byte[] payload = new byte[MAX_PAYLOAD];
  private final ComparableBytes last = new ComparableBytes();
  private final ComparableBytes next = new ComparableBytes();
  private final PartitionKey lastKey = new PartitionKey();
  private boolean hasLast;
  // How much of the last key tells it from the one before: nothing if it is the only one.
  private int lastLength;
  private long lastPosition;
  private byte lastHash;

  /** Creates a writer to an empty file. */
  public PartitionTrieWriter(WritableFile file, Partitioner partitioner) {
    this.out = new PagedOutput(file);
    this.trie = new TrieWriter(out, MAX_PAYLOAD);
    this.partitioner = partitioner;
    this.isByToken = partitioner == Partitioner.MURMUR3;
  }

  /**
   * Adds a partition without index blocks, whose key is greater than the one before.
   *
   * @param hash second half of the key's hash for the bloom filter
   * @param dataPosition of the partition in the uncompressed data file
   */
  public void add(PartitionKey key, long hash, long dataPosition) throws IOException {
    addEntry(key, hash, ~dataPosition);
  }

  /**
   * Adds a partition with index blocks, whose key is greater than the one before.
   *
   * @param hash second half of the key's hash for the bloom filter
   * @param rowsPosition of its entry in {@code Rows.db}
   */
  public void addWithBlocks(PartitionKey key, long hash, long rowsPosition) throws IOException {
    addEntry(key, hash, rowsPosition);
  }

  private void addEntry(PartitionKey key, long hash, long position) throws IOException {
    int length = 0;
    if (hasLast) {
      length = 1 + commonLength(key);
      addLast(Math.max(length, lastLength));
    }
    lastKey.copyFrom(key);
    lastLength = length;
    lastPosition = position;
    lastHash = (byte) hash;
    hasLast = true;
  }

  /** Returns how many bytes a key has in common with the last one. */
  private int commonLength(PartitionKey key) {
    if (isByToken && key.token() != lastKey.token()) {
      return ComparableKeys.commonLength(key.token(), lastKey.token());
    }
    ComparableKeys.encode(partitioner, lastKey, last);
    ComparableKeys.encode(partitioner, key, next);
    return ComparableBytes.commonLength(last, next);
  }

  private void addLast(int length) throws IOException {
    if (isByToken && length <= ComparableKeys.TOKEN_LENGTH) {
      ComparableKeys.encodeToken(lastKey, last);
    } else {
      ComparableKeys.encode(partitioner, lastKey, last);
    }
    if (length < last.length()) {
      last.truncate(length);
    }
    int bytes = SizedNumbers.length(lastPosition);
    payload[0] = lastHash;
    SizedNumbers.write(payload, 1, lastPosition, bytes);
    trie.add(last, HAS_HASH + bytes - 1, payload, 1 + bytes);
  }

  /**
   * Writes the rest and makes the file durable.
   *
   * @param firstKey the first key that was added
   * @param finalKey the last key that was added
   */
  public void finish(PartitionKey firstKey, PartitionKey finalKey) throws IOException {
    if (hasLast) {
      addLast(lastLength);
      hasLast = false;
    }
    long root = trie.complete();
    long keys = out.position();
    writeKey(firstKey);
    writeKey(finalKey);
    out.writeLong(keys);
    out.writeLong(trie.count());
    out.writeLong(root);
    out.sync();
  }

  private void writeKey(PartitionKey key) throws IOException {
    out.writeShort(key.length());
    out.write(key.bytes(), key.offset(), key.length());
  }

  /** Closes the file; without {@link #finish} its content is undefined. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
