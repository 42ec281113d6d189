package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.WritableFile;
import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes partitions to the file of a sorted run, one after the other. Closes the file.
 *
 * <pre>
 *   per partition
 *     keyLength   short   unsigned
 *     token       long
 *     deletion    2 long  timestamp, local deletion time
 *     key
 *     per row or marker
 *       length    int     more than 0
 *       bytes             as in Data.db
 *     end         int     0
 * </pre>
 */
final class RunWriter implements Closeable {
  static final int TOKEN_AT = Short.BYTES;
  static final int DELETION_AT = TOKEN_AT + Long.BYTES;
  static final int KEY_AT = DELETION_AT + 2 * Long.BYTES;

  private final WritableFile file;
  private final ByteBuffer buffer;
  private final byte[] bytes;

  /**
   * @param bytes the buffer, for at least the head of a partition; allocated before the file is
   *     created, which would stay open if memory were short
   */
  RunWriter(byte[] bytes, WritableFile file) {
    this.bytes = bytes;
    this.buffer = ByteBuffer.wrap(bytes);
    this.file = file;
  }

  /**
   * Writes all partitions of a cursor.
   *
   * @param keys receives the keys; null for none
   * @param progress is called for each partition
   */
  void writeAll(PartitionCursor cursor, @Nullable KeyCardinality keys, Progress progress)
      throws IOException {
    while (cursor.nextPartition()) {
      if (keys != null) {
        keys.add(cursor.key());
      }
      progress.step();
      write(cursor);
    }
    flush();
  }

  private void write(PartitionCursor partition) throws IOException {
    PartitionKey key = partition.key();
    int at = reserve(KEY_AT);
    BigEndian.putShort(bytes, at, key.length());
    BigEndian.putLong(bytes, at + TOKEN_AT, key.token());
    BigEndian.putLong(bytes, at + DELETION_AT, partition.deletionTimestamp());
    BigEndian.putLong(bytes, at + DELETION_AT + Long.BYTES, partition.deletionLocalTime());
    write(key.bytes(), key.offset(), key.length());
    if (partition instanceof ArenaCursor rows) {
      while (rows.nextRow()) {
        writeRow(rows.rowBytes(), rows.rowFrom(), rows.rowTo());
      }
    } else {
      while (partition.nextUnfiltered()) {
        Unfiltered unfiltered = partition.unfiltered();
        writeRow(unfiltered.bytes(), unfiltered.from(), unfiltered.end());
      }
    }
    BigEndian.putInt(bytes, reserve(Integer.BYTES), 0);
  }

  private void writeRow(byte[] row, int from, int to) throws IOException {
    BigEndian.putInt(bytes, reserve(Integer.BYTES), to - from);
    write(row, from, to - from);
  }

  /** Reserves bytes of the buffer; returns the index of the first. */
  private int reserve(int length) throws IOException {
    if (length > buffer.remaining()) {
      flush();
    }
    int at = buffer.position();
    buffer.position(at + length);
    return at;
  }

  private void write(byte[] from, int offset, int length) throws IOException {
    if (length > buffer.remaining()) {
      flush();
      if (length > buffer.capacity()) {
        file.write(ByteBuffer.wrap(from, offset, length));
        return;
      }
    }
    buffer.put(from, offset, length);
  }

  private void flush() throws IOException {
    buffer.flip();
    file.write(buffer);
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
