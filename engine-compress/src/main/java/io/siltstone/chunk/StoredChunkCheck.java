package io.siltstone.chunk;

import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Reads chunks back after they were written, and compares their checksums with those that were
 * computed in memory before.
 *
 * <p>This happens every {@value #STEP_BYTES} bytes or so, while the kernel still has them in its
 * page cache, and for the rest when the file is complete and synced. Therefore it costs no disk
 * access unless the file was written past the page cache. Used by one thread at a time.
 */
final class StoredChunkCheck {
  static final int STEP_BYTES = 512 << 10;

  /** Bytes that are read by one call. These stay in the processor's cache for their checksums. */
  private static final int READ_BYTES = 64 << 10;

  private static final int STEP_CHUNKS = 1024;

  private final Directory directory;
  private final String name;
  private final boolean checksumsInFile;
  private final CRC32 chunkChecksum = new CRC32();
  private final CRC32 fileChecksum = new CRC32();

  // Chunks that were written and not yet read back, the first of which begins at checkedTo.
  private int[] lengths = new int[2 * STEP_CHUNKS];
  private int[] checksums = new int[2 * STEP_CHUNKS];
  private int count;
  private long pendingBytes;
  private long checkedTo;

  /**
   * Creates a check of one file.
   *
   * @param checksumsInFile whether each chunk has its checksum after it
   */
  StoredChunkCheck(Directory directory, String name, boolean checksumsInFile) {
    this.directory = directory;
    this.name = name;
    this.checksumsInFile = checksumsInFile;
  }

  /**
   * Adds a chunk that is written next.
   *
   * @param storedLength bytes it takes in the file, its checksum included if it is there
   * @param checksum CRC32 of the chunk as stored
   */
  void add(int storedLength, int checksum) {
    if (count == lengths.length) {
      lengths = Arrays.copyOf(lengths, 2 * count);
      checksums = Arrays.copyOf(checksums, 2 * count);
    }
    lengths[count] = storedLength;
    checksums[count] = checksum;
    count++;
    pendingBytes += storedLength;
  }

  /** Returns whether enough was written to be read back. */
  boolean isDue() {
    return pendingBytes >= STEP_BYTES || count >= STEP_CHUNKS;
  }

  /**
   * Reads back the chunks that are wholly in the file.
   *
   * @param complete whether the file is complete, so that all chunks must be in it
   * @param buffer to read into; its content is lost
   */
  void run(boolean complete, ByteBuffer buffer) throws IOException {
    if (count == 0) {
      return;
    }
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      int readable = readable(file.length());
      if (complete && (readable < count || file.length() != checkedTo + pendingBytes)) {
        throw new OutputVerificationException(
            file.path(),
            OutputVerificationException.WHOLE_FILE,
            "a file of " + file.length() + " bytes",
            (checkedTo + pendingBytes) + " bytes");
      }
      read(file, readable, buffer);
    }
  }

  private int readable(long fileLength) {
    long end = checkedTo;
    int chunk = 0;
    while (chunk < count && end + lengths[chunk] <= fileLength) {
      end += lengths[chunk++];
    }
    return chunk;
  }

  private void read(ReadableFile file, int chunks, ByteBuffer buffer) throws IOException {
    long position = checkedTo;
    long end = position;
    for (int i = 0; i < chunks; i++) {
      end += lengths[i];
    }
    int chunk = 0;
    long chunkEnd = position + (chunks == 0 ? 0 : lengths[0]);
    chunkChecksum.reset();
    while (position < end) {
      buffer.clear();
      buffer.limit((int) Math.min(Math.min(READ_BYTES, buffer.capacity()), end - position));
      file.readFully(position, buffer);
      buffer.flip();
      int filled = buffer.limit();
      fileChecksum.update(buffer);
      int at = 0;
      while (at < filled) {
        int part = (int) Math.min(filled - at, chunkEnd - position - at);
        chunkChecksum.update(buffer.limit(at + part).position(at));
        at += part;
        if (position + at == chunkEnd) {
          check(file, chunk, chunkEnd - lengths[chunk]);
          chunk++;
          chunkEnd += chunk < chunks ? lengths[chunk] : 0;
          chunkChecksum.reset();
        }
      }
      position += filled;
    }
    remove(chunks, end);
  }

  private void check(ReadableFile file, int chunk, long position) throws IOException {
    // The checksum is part of the bytes read: the CRC of both is that of the chunk, continued.
    int expected = checksumsInFile ? continued(checksums[chunk]) : checksums[chunk];
    int found = (int) chunkChecksum.getValue();
    if (found != expected) {
      throw new OutputVerificationException(
          file.path(),
          position,
          "a chunk of "
              + lengths[chunk]
              + " stored bytes with checksum 0x"
              + Integer.toHexString(found),
          "0x" + Integer.toHexString(expected) + ", as of the chunk in memory");
    }
  }

  /**
   * Returns the CRC32 of bytes, whose CRC32 is given, followed by that CRC32 as a big-endian int.
   */
  private static int continued(int checksum) {
    int crc = ~checksum;
    for (int shift = 24; shift >= 0; shift -= 8) {
      crc ^= checksum >>> shift & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc >>> 1 ^ (0xedb8_8320 & -(crc & 1));
      }
    }
    return ~crc;
  }

  private void remove(int chunks, long end) {
    System.arraycopy(lengths, chunks, lengths, 0, count - chunks);
    System.arraycopy(checksums, chunks, checksums, 0, count - chunks);
    count -= chunks;
    pendingBytes -= end - checkedTo;
    checkedTo = end;
  }

  /** Returns the CRC32 of all bytes that were read back. */
  long fileChecksum() {
    return fileChecksum.getValue();
  }
}
