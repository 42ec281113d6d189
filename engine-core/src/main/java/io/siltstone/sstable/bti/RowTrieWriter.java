package io.siltstone.sstable.bti;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.WritableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.trie.PagedOutput;
import io.siltstone.sstable.trie.TrieWriter;
import io.siltstone.type.CqlType;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Writes {@code Rows.db}, which has the partitions that are longer than an index block.
 *
 * <pre>
 *   per partition   trie       per block a separator, and a payload:
 *                                bits       bytes of the offset, + 8 if a deletion is open
 *                                offset     of the block, from the partition's beginning
 *                                deletion   of the range that is open at its beginning, as in oa
 *                              last a separator after all rows, with the offset of the end mark
 *                   key        short n, n bytes
 *                   position   vint          of the partition in the uncompressed data file
 *                   root       signed vint   position of the root, from the end of the key
 *                   count      vint          of blocks, 2 or more
 *                   deletion                 of the partition, as in oa
 * </pre>
 *
 * A block ends with the first row or marker that makes it as long as the given size. The separator
 * before it is longer than what its first clustering has in common with the last one of the block
 * before by one byte, which is greater by 1 than that of the latter; the first separator is empty.
 *
 * <pre>
 *   block 1   ... something              the common bytes are s, o; m is followed by n
 *   block 2   sorry ...                  separator: son
 * </pre>
 *
 * The memory does not grow with a partition. Confined to one thread; takes the file over. Source:
 * Cassandra {@code BtiFormatPartitionWriter}, {@code RowIndexWriter}, {@code TrieIndexEntry}.
 */
public final class RowTrieWriter implements Closeable {
  /** The bit of payloads that have a deletion. */
  static final int HAS_DELETION = 8;

  /** The version of the BIG format that encodes deletions in the same way. */
  static final FormatVersion DELETIONS = FormatVersion.OA;

  /** A block is found only if there is another one. */
  private static final int MIN_BLOCKS = 2;

  private static final int MAX_OFFSET_BYTES = 7;
  private static final int MAX_BYTE = 0xff;

  private final PagedOutput out;
  private final TrieWriter trie;
  private final ComparableClusterings clusterings;
  private final int blockBytes;
  private final byte[] payload = new byte[MAX_OFFSET_BYTES + DeletionTimes.MAX_LENGTH];
  private final byte[] deletion = new byte[DeletionTimes.MAX_LENGTH];

  private final Clustering lastClustering = new Clustering();
  private final ComparableBytes first = new ComparableBytes();
  private final ComparableBytes last = new ComparableBytes();
  private final ComparableBytes separator = new ComparableBytes();
  private int count;
  private boolean inBlock;
  private long blockStart;
  private long blockTimestamp;
  private long blockLocalTime;
  private long openTimestamp;
  private long openLocalTime;

  /**
   * Creates a writer to an empty file.
   *
   * @param types of the clustering columns; descending columns have reversed types
   * @param blockBytes size of an index block ({@code column_index_size})
   */
  public RowTrieWriter(WritableFile file, List<CqlType> types, int blockBytes) {
    this.out = new PagedOutput(file);
    this.trie = new TrieWriter(out, MAX_OFFSET_BYTES + DeletionTimes.MAX_LENGTH);
    this.clusterings = new ComparableClusterings(types);
    this.blockBytes = blockBytes;
  }

  /** Begins a partition. */
  public void startPartition() {
    if (count > 0) {
      trie.reset();
    }
    count = 0;
    inBlock = false;
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openLocalTime = DeletionTime.NO_DELETION_TIME;
  }

  /**
   * Records a row or marker (not the static row).
   *
   * @param from its beginning, from the partition's beginning
   * @param to its end
   */
  public void add(Unfiltered unfiltered, long from, long to) throws IOException {
    if (!inBlock) {
      inBlock = true;
      blockStart = from;
      blockTimestamp = openTimestamp;
      blockLocalTime = openLocalTime;
      if (count > 0) {
        // The first block has an empty separator.
        clusterings.encode(unfiltered.clustering(), first);
      }
    }
    if (unfiltered.isMarker()) {
      boolean opens = unfiltered.clustering().kind().opens();
      openTimestamp = opens ? unfiltered.openTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = opens ? unfiltered.openLocalTime() : DeletionTime.NO_DELETION_TIME;
    }
    if (to - blockStart >= blockBytes) {
      endBlock(unfiltered.clustering());
    } else if (count > 0) {
      // A single block is not written, so its last row is not needed.
      lastClustering.copyFrom(unfiltered.clustering());
    }
  }

  /**
   * Returns whether the current partition has blocks, and the next row or marker begins another.
   */
  public boolean isBetweenBlocks() {
    return count > 0 && !inBlock;
  }

  private void endBlock(Clustering end) throws IOException {
    separator.clear();
    if (count > 0) {
      int common = ComparableBytes.commonLength(last, first);
      separator.copyFrom(last, common);
      separator.append(common < last.length() ? last.get(common) + 1 : 0);
    }
    clusterings.encode(end, last);
    addEntry(separator, blockStart, blockTimestamp, blockLocalTime);
    count++;
    inBlock = false;
  }

  private void addEntry(ComparableBytes key, long offset, long timestamp, long localTime)
      throws IOException {
    int bytes = SizedNumbers.length(offset);
    if (bytes > MAX_OFFSET_BYTES) {
      throw new IOException("a partition of " + offset + " bytes, more than the format allows");
    }
    SizedNumbers.write(payload, 0, offset, bytes);
    boolean open = !DeletionTime.isLive(timestamp);
    int length =
        open ? DeletionTimes.write(DELETIONS, payload, bytes, timestamp, localTime) : bytes;
    trie.add(key, bytes | (open ? HAS_DELETION : 0), payload, length);
  }

  /**
   * Ends the partition.
   *
   * @param end offset of its end mark, from its beginning
   * @return whether it has blocks, so that an entry is to be written
   */
  public boolean endPartition(long end) throws IOException {
    if (count > 0 && inBlock) {
      endBlock(lastClustering);
    }
    if (count < MIN_BLOCKS) {
      return false;
    }
    // Whatever is greater than all rows is found to be so: the separator has the length of the last
    // one, unless bytes that cannot be greater make it longer.
    int common = ComparableBytes.commonLength(last, separator);
    separator.copyFrom(last, common);
    int at = common;
    while (at < last.length() && last.get(at) == MAX_BYTE) {
      separator.append(MAX_BYTE);
      at++;
    }
    separator.append(at < last.length() ? last.get(at) + 1 : 0);
    addEntry(separator, end, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
    return true;
  }

  /**
   * Writes the entry of the partition that has ended, which has blocks.
   *
   * @param dataPosition of the partition in the uncompressed data file
   * @param timestamp of its deletion
   * @param localTime of its deletion
   * @return the position of the entry
   */
  public long addPartition(PartitionKey key, long dataPosition, long timestamp, long localTime)
      throws IOException {
    if (count < MIN_BLOCKS) {
      throw new IllegalStateException("a partition of " + count + " index blocks has no entry");
    }
    long root = trie.complete();
    long position = out.position();
    out.writeShort(key.length());
    out.write(key.bytes(), key.offset(), key.length());
    long base = out.position();
    out.writeVint(dataPosition);
    out.writeSignedVint(root - base);
    out.writeVint(count);
    int length = DeletionTimes.write(DELETIONS, deletion, 0, timestamp, localTime);
    out.write(deletion, 0, length);
    return position;
  }

  /** Writes all buffered bytes and makes the file durable. */
  public void finish() throws IOException {
    out.sync();
  }

  /** Closes the file; without {@link #finish} its content is undefined. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
