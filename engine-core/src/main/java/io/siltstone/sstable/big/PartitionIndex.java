package io.siltstone.sstable.big;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.sstable.data.BufferedOutput;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.FormatVersion;
import java.io.Closeable;
import java.io.IOException;

/**
 * The index blocks of the partition being written ("promoted index").
 *
 * <pre>
 *   per block   first    clustering prefix, with its kind
 *               last     clustering prefix, with its kind
 *               offset   vint          from the partition's beginning
 *               width    signed vint   bytes, less 64 KiB
 *               open     byte          1 if a range tombstone is open at the end of the block, and then
 *               deletion               of that range, see {@link DeletionTimes}
 *   per block   int                    where it begins, from the first one's beginning
 * </pre>
 *
 * A block ends with the first row or marker that makes it as long as the given size; or, if less
 * than half a chunk is missing, with the one that crosses a chunk boundary. Thus blocks tend to
 * begin where chunks do, and a row is found by reading one chunk rather than the two that a block
 * across their boundary needs. The last block, if it is shorter, has the partition's end mark in
 * it. Source: Cassandra {@code IndexInfo.Serializer}, {@code BigFormatPartitionWriter}, whose
 * blocks end by their size alone; its readers accept blocks of any length.
 */
final class PartitionIndex implements Closeable {
  /** The number from which widths are written as differences. */
  static final int WIDTH_BASE = 64 * 1024;

  private static final int BLOCKS_IN_MEMORY = 64 * 1024;
  private static final int OFFSETS_IN_MEMORY = 8 * 1024;

  private final FormatVersion version;
  private final int blockBytes;
  private final int leastBytes;
  private final int chunkBits;
  private final SpillBuffer blocks;
  private final SpillBuffer offsets;
  private final byte[] offset = new byte[Integer.BYTES];
  private byte[] scratch = new byte[256];

  private final Clustering first = new Clustering();
  private final Clustering last = new Clustering();
  private long position;
  private boolean inBlock;
  private long blockStart;
  private long blockEnd;
  private long openTimestamp;
  private long openLocalTime;
  private int count;

  /**
   * @param name of the index file while it is written; the names of spilled blocks begin with it
   * @param blockBytes size of a block ({@code column_index_size})
   * @param chunkLength of the data file, a power of two; 0 if it has no chunks
   */
  PartitionIndex(
      Directory directory, String name, FormatVersion version, int blockBytes, int chunkLength) {
    this.version = version;
    this.blockBytes = blockBytes;
    this.leastBytes = blockBytes - Math.min(chunkLength, blockBytes) / 2;
    // Without chunks, everything is in the first.
    this.chunkBits = chunkLength == 0 ? Long.SIZE - 1 : Integer.numberOfTrailingZeros(chunkLength);
    this.blocks = new SpillBuffer(directory, spillName(name, "blocks"), BLOCKS_IN_MEMORY);
    this.offsets = new SpillBuffer(directory, spillName(name, "offsets"), OFFSETS_IN_MEMORY);
  }

  private static String spillName(String name, String what) {
    // The suffix of temporary files must stay last, so that a restart after a crash recognizes
    // them.
    return name.endsWith(".tmp")
        ? name.substring(0, name.length() - 4) + "." + what + ".tmp"
        : name + "." + what + ".tmp";
  }

  /**
   * Begins a partition.
   *
   * @param dataPosition its position in the uncompressed data file
   */
  void startPartition(long dataPosition) throws IOException {
    position = dataPosition;
    blocks.reset();
    offsets.reset();
    count = 0;
    inBlock = false;
    openTimestamp = DeletionTime.NO_TIMESTAMP;
  }

  /**
   * Records a row or marker.
   *
   * @param from its beginning, from the partition's beginning
   * @param to its end
   */
  void add(Unfiltered unfiltered, long from, long to) throws IOException {
    if (!inBlock) {
      inBlock = true;
      first.copyFrom(unfiltered.clustering());
      blockStart = from;
    }
    blockEnd = to;
    if (unfiltered.isMarker()) {
      boolean opens = unfiltered.clustering().kind().opens();
      openTimestamp = opens ? unfiltered.openTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = unfiltered.openLocalTime();
    }
    long length = to - blockStart;
    if (length >= blockBytes || (length >= leastBytes && chunkOf(from) != chunkOf(to))) {
      endBlock(unfiltered.clustering());
    } else if (count > 0) {
      // A single first block is not written, so its last row is not needed.
      last.copyFrom(unfiltered.clustering());
    }
  }

  private long chunkOf(long offset) {
    return (position + offset) >>> chunkBits;
  }

  private void endBlock(Clustering end) throws IOException {
    if (blocks.length() > Integer.MAX_VALUE) {
      throw new IOException(
          "a partition of "
              + count
              + " index blocks: their bytes exceed what the format can point to; a larger"
              + " column_index_size makes fewer");
    }
    BigEndian.putInt(offset, 0, (int) blocks.length());
    offsets.write(offset, 0, Integer.BYTES);
    int atMost =
        first.prefixLength()
            + end.prefixLength()
            + 2 * Vint.MAX_LENGTH
            + 1
            + DeletionTimes.MAX_LENGTH;
    if (scratch.length < atMost) {
      scratch = new byte[2 * atMost];
    }
    int at = end.writePrefix(scratch, first.writePrefix(scratch, 0));
    at = Vint.write(scratch, at, blockStart);
    at = Vint.writeSigned(scratch, at, blockEnd - blockStart - WIDTH_BASE);
    boolean open = !DeletionTime.isLive(openTimestamp);
    scratch[at++] = (byte) (open ? 1 : 0);
    if (open) {
      at = DeletionTimes.write(version, scratch, at, openTimestamp, openLocalTime);
    }
    blocks.write(scratch, 0, at);
    count++;
    inBlock = false;
  }

  void endPartition() throws IOException {
    if (inBlock && count == 0) {
      // There is a single block: see count().
      count = 1;
    } else if (inBlock) {
      // A last block that is not full includes the partition's end mark in its width.
      blockEnd++;
      endBlock(last);
    }
  }

  /** Returns whether a block has ended and none has begun. */
  boolean isBetween() {
    return count > 0 && !inBlock;
  }

  /** Returns the number of blocks of the partition. A single block is not written. */
  int count() {
    return count;
  }

  /** Returns the number of bytes that {@link #copyTo} writes. */
  long length() {
    return blocks.length() + offsets.length();
  }

  void copyTo(BufferedOutput out) throws IOException {
    blocks.copyTo(out);
    offsets.copyTo(out);
  }

  @Override
  public void close() throws IOException {
    try (blocks) {
      offsets.close();
    }
  }
}
