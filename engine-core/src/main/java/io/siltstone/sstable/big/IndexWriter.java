package io.siltstone.sstable.big;

import io.siltstone.bytes.Vint;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.BufferedOutput;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.FormatVersion;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * Writes {@code Index.db}.
 *
 * <pre>
 *   per partition   key        short n, n bytes
 *                   position   vint   of the partition in the uncompressed data file
 *                   size       vint   bytes that follow in this entry, 0 if there are no blocks
 *                   header     vint   bytes of the partition before its first row or marker
 *                   deletion          of the partition, see {@link DeletionTimes}
 *                   count      vint   of blocks, 2 or more
 *                   blocks            see {@link PartitionIndex}
 * </pre>
 *
 * Memory does not grow with a partition. Confined to one thread. Source: Cassandra {@code
 * RowIndexEntry}.
 */
public final class IndexWriter implements Closeable {
  private final BufferedOutput out;
  private final PartitionIndex blocks;
  private final FormatVersion version;
  private final byte[] deletion = new byte[DeletionTimes.MAX_LENGTH];

  /**
   * Creates the file.
   *
   * @param name of the file, which must be free
   * @param blockBytes size of an index block ({@code column_index_size})
   * @param chunkLength of the data file, a power of two; 0 if it has no chunks
   * @param wrapper wraps the file that was created, and takes it over
   */
  public IndexWriter(
      Directory directory,
      String name,
      FormatVersion version,
      int blockBytes,
      int chunkLength,
      WriteIntent intent,
      UnaryOperator<WritableFile> wrapper)
      throws IOException {
    this.version = version;
    this.blocks = new PartitionIndex(directory, name, version, blockBytes, chunkLength);
    this.out = new BufferedOutput(wrapper.apply(directory.create(name, intent)));
  }

  /**
   * Begins a partition.
   *
   * @param dataPosition its position in the uncompressed data file
   */
  public void startPartition(long dataPosition) throws IOException {
    blocks.startPartition(dataPosition);
  }

  /** Records a row or marker (not the static row) and its position in the partition. */
  public void add(Unfiltered unfiltered, long from, long to) throws IOException {
    blocks.add(unfiltered, from, to);
  }

  /**
   * Returns whether the current partition has blocks, and the next row or marker begins another.
   */
  public boolean isBetweenBlocks() {
    return blocks.isBetween();
  }

  /** Ends the partition's blocks; returns whether there are blocks to write. */
  public boolean endBlocks() throws IOException {
    blocks.endPartition();
    return blocks.count() >= 2;
  }

  /**
   * Writes the entry of a partition without blocks. It may be a partition before the current one,
   * and another thread may call this method than the others.
   *
   * @param dataPosition of the partition in the uncompressed data file
   * @return the position of the entry in the index file
   */
  public long addEntry(PartitionKey key, long dataPosition) throws IOException {
    long position = beginEntry(key, dataPosition);
    out.writeByte(0);
    return position;
  }

  private long beginEntry(PartitionKey key, long dataPosition) throws IOException {
    long position = out.position();
    out.writeShort(key.length());
    out.write(key.bytes(), key.offset(), key.length());
    out.writeVint(dataPosition);
    return position;
  }

  /**
   * Writes the entry of the current partition, whose blocks have ended and are to be written.
   *
   * @param dataPosition of the partition in the uncompressed data file
   * @param headerLength length of the partition before its first row or marker
   * @return the position of the entry in the index file
   */
  public long addEntryWithBlocks(
      PartitionKey key, long dataPosition, long headerLength, long timestamp, long localTime)
      throws IOException {
    long position = beginEntry(key, dataPosition);
    int deletionLength = DeletionTimes.write(version, deletion, 0, timestamp, localTime);
    long size =
        Vint.length(headerLength) + deletionLength + Vint.length(blocks.count()) + blocks.length();
    if (size > Integer.MAX_VALUE) {
      throw new IOException(
          "the index of "
              + key
              + " has "
              + size
              + " bytes, the format allows "
              + Integer.MAX_VALUE
              + "; a larger column_index_size makes it smaller");
    }
    out.writeVint(size);
    out.writeVint(headerLength);
    out.write(deletion, 0, deletionLength);
    out.writeVint(blocks.count());
    blocks.copyTo(out);
    return position;
  }

  /** Writes all buffered bytes and makes the file durable. */
  public void finish() throws IOException {
    out.sync();
  }

  /** Closes the file; without {@link #finish} its content is undefined. */
  @Override
  public void close() throws IOException {
    try (out) {
      blocks.close();
    }
  }
}
