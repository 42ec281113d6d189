package io.siltstone.sstable.bti;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.trie.FilePages;
import io.siltstone.sstable.trie.TriePages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An open {@code Partitions.db}: its footer, in the form that {@link PartitionTrieWriter}
 * describes.
 *
 * <p>Immutable, safe for all threads; does not own the file.
 */
public final class PartitionTrie {
  private static final int FOOTER_BYTES = 3 * Long.BYTES;

  private final ReadableFile file;
  private final Component component;
  private final Partitioner partitioner;
  private final long root;
  private final long count;
  private final long end;
  private final PartitionKey firstKey;
  private final PartitionKey lastKey;

  private PartitionTrie(
      ReadableFile file,
      Component component,
      Partitioner partitioner,
      long root,
      long count,
      long end,
      byte[] keys)
      throws CorruptSSTableException {
    this.file = file;
    this.component = component;
    this.partitioner = partitioner;
    this.root = root;
    this.count = count;
    this.end = end;
    int first = BigEndian.getUnsignedShort(keys, 0);
    int last = Short.BYTES + first;
    if (last + Short.BYTES > keys.length
        || last + Short.BYTES + BigEndian.getUnsignedShort(keys, last) != keys.length) {
      throw new CorruptSSTableException(
          file.path(), component, end, "first and last key in " + keys.length + " bytes");
    }
    this.firstKey = key(Arrays.copyOfRange(keys, Short.BYTES, last));
    this.lastKey = key(Arrays.copyOfRange(keys, last + Short.BYTES, keys.length));
    if (firstKey.compareTo(lastKey) > 0 || count > 1 == firstKey.equals(lastKey)) {
      throw new CorruptSSTableException(
          file.path(),
          component,
          end,
          "of " + count + " keys, the first is " + firstKey + ", the last " + lastKey);
    }
  }

  private PartitionKey key(byte[] bytes) {
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }

  /**
   * Reads the footer.
   *
   * @param file of which each byte can be read alone
   * @param component for messages
   * @throws CorruptSSTableException if it contradicts itself or the length of the file
   */
  public static PartitionTrie open(ReadableFile file, Component component, Partitioner partitioner)
      throws IOException {
    long length = file.length();
    long footerAt = length - FOOTER_BYTES;
    if (footerAt < 1 + 2 * Short.BYTES) {
      throw new CorruptSSTableException(
          file.path(), component, 0, "a file of " + length + " bytes is no index of partitions");
    }
    byte[] footer = read(file, footerAt, FOOTER_BYTES);
    long keysAt = BigEndian.getLong(footer, 0);
    long count = BigEndian.getLong(footer, Long.BYTES);
    long root = BigEndian.getLong(footer, 2 * Long.BYTES);
    long keysLength = footerAt - keysAt;
    if (keysAt < 1
        || keysLength < 2 * Short.BYTES
        || keysLength > 2 * (Short.BYTES + PartitionKey.MAX_LENGTH)) {
      throw new CorruptSSTableException(
          file.path(),
          component,
          footerAt,
          "the first key is at " + keysAt + ", the file has " + length + " bytes");
    }
    // Each key has at least a leaf and a byte of its position.
    if (count < 0 || count > keysAt / 2) {
      throw new CorruptSSTableException(
          file.path(), component, footerAt, count + " keys in " + keysAt + " bytes");
    }
    if (root < 0 || root >= keysAt) {
      throw new CorruptSSTableException(
          file.path(), component, footerAt, "the root is at " + root + ", the keys at " + keysAt);
    }
    byte[] keys = read(file, keysAt, (int) keysLength);
    return new PartitionTrie(file, component, partitioner, root, count, keysAt, keys);
  }

  private static byte[] read(ReadableFile file, long position, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.readFully(position, ByteBuffer.wrap(bytes));
    return bytes;
  }

  /** Returns the number of keys. */
  public long count() {
    return count;
  }

  /** Returns the first key; empty if there are none. */
  public PartitionKey firstKey() {
    return firstKey;
  }

  /** Returns the last key; empty if there are none. */
  public PartitionKey lastKey() {
    return lastKey;
  }

  /** Returns the position of the root. */
  long root() {
    return root;
  }

  Partitioner partitioner() {
    return partitioner;
  }

  /** Returns a view of the trie for one thread. */
  TriePages pages(FileReads reads) {
    return new FilePages(file, component, end, reads);
  }
}
