package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the partitions of a sorted run, which {@link RunWriter} has written, sequentially. The
 * buffer grows to the largest row. Closes the file.
 */
final class RunCursor implements PartitionCursor {
  private final RowEncoding encoding;
  private final ReadableFile file;
  private final Unfiltered unfiltered;
  private final PartitionKey key = new PartitionKey();
  private byte[] buffer;
  private int filled;
  private int next;
  // The position in the file after the bytes that are in the buffer.
  private long position;
  private boolean isInPartition;
  private long deletionTimestamp;
  private long deletionLocalTime;

  /**
   * @param buffer for at least the head of a partition; allocated before the file is opened, which
   *     would stay open if memory were short
   */
  RunCursor(RowEncoding encoding, byte[] buffer, ReadableFile file) {
    this.encoding = encoding;
    this.buffer = buffer;
    this.file = file;
    this.unfiltered = new Unfiltered(encoding, (index, reason) -> corrupt(reason));
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  @Override
  public boolean nextPartition() throws IOException {
    while (isInPartition) {
      int length = nextLength();
      if (length > 0) {
        require(length);
        next += length;
      }
    }
    if (filled == next && !fill(1)) {
      return false;
    }
    require(RunWriter.KEY_AT);
    int length = BigEndian.getUnsignedShort(buffer, next);
    long token = BigEndian.getLong(buffer, next + RunWriter.TOKEN_AT);
    deletionTimestamp = BigEndian.getLong(buffer, next + RunWriter.DELETION_AT);
    deletionLocalTime = BigEndian.getLong(buffer, next + RunWriter.DELETION_AT + Long.BYTES);
    next += RunWriter.KEY_AT;
    require(length);
    key.copyFrom(buffer, next, length, token);
    next += length;
    isInPartition = true;
    return true;
  }

  /** Reads the length of the next row; 0 at the end of the partition. */
  private int nextLength() throws IOException {
    require(Integer.BYTES);
    int length = BigEndian.getInt(buffer, next);
    next += Integer.BYTES;
    isInPartition = length != 0;
    return length;
  }

  @Override
  public PartitionKey key() {
    return key;
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (!isInPartition) {
      return false;
    }
    int length = nextLength();
    if (length == 0) {
      return false;
    }
    require(length);
    unfiltered.wrap(buffer, next, next + length);
    next += length;
    return true;
  }

  @Override
  public Unfiltered unfiltered() {
    return unfiltered;
  }

  private void require(int length) throws IOException {
    if (length < 0 || (filled - next < length && !fill(length))) {
      throw corrupt("a temporary file ends within a row");
    }
  }

  private CorruptFileException corrupt(String reason) {
    return new CorruptFileException(file.path(), position - filled + next, reason);
  }

  /** Reads until {@code wanted} bytes are in the buffer; returns false if the file ends before. */
  private boolean fill(int wanted) throws IOException {
    int rest = filled - next;
    if (wanted > buffer.length) {
      if (wanted > file.length()) {
        return false;
      }
      buffer = Arrays.copyOfRange(buffer, next, next + wanted);
    } else {
      System.arraycopy(buffer, next, buffer, 0, rest);
    }
    next = 0;
    filled = rest;
    while (filled < wanted) {
      int count = file.read(position, buffer, filled, buffer.length - filled);
      if (count <= 0) {
        return false;
      }
      position += count;
      filled += count;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
