package io.siltstone.sstable.data;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadableFile;
import java.io.Closeable;
import java.io.IOException;

/** The bytes of a file by position, fetched in pieces of a suitable length. */
public interface ByteSource extends Closeable {

  /** Returns the full path of the file, for messages. */
  String path();

  /** Returns the number of bytes. */
  long length();

  /**
   * Copies bytes from {@code position} on: at least 1, and as many as the source has at hand.
   *
   * @return bytes copied, or -1 at or after the end
   */
  int read(long position, byte[] dst, int offset, int length) throws IOException;

  /** Returns the maximum number of bytes that a call copies. */
  int unit();

  /**
   * Says where the next reads will end: a hint, see {@link ChunkSource#expectEnd}.
   *
   * @param end asked for when it is needed
   * @param isCertain whether reading will go on until there
   */
  default void expectEnd(ExpectedEnd end, boolean isCertain) {
    // Only chunks can be decompressed in part.
  }

  /**
   * Releases the array that was read into last, before the source is unused for an unknown time.
   */
  default void releaseBuffers() {
    // Most sources keep no array.
  }

  /**
   * Returns the number of which positions should be multiples: whole pieces from there on need no
   * intermediate copy.
   */
  default int alignment() {
    return 1;
  }

  /**
   * Returns the length of a piece for a reader that steps back: a piece ends where the data that it
   * already has begins, so that nothing is fetched twice. Otherwise as {@link #alignment}.
   */
  default int pieceLength() {
    return alignment();
  }

  /**
   * Returns the uncompressed bytes of a file in chunks, a chunk at a time. Closing the result
   * closes the source.
   */
  static ByteSource of(ChunkSource chunks) {
    return new ByteSource() {
      @Override
      public String path() {
        return chunks.path();
      }

      @Override
      public long length() {
        return chunks.length();
      }

      @Override
      public int read(long position, byte[] dst, int offset, int length) throws IOException {
        return chunks.read(position, dst, offset, length);
      }

      @Override
      public int unit() {
        return chunks.chunkLength();
      }

      @Override
      public int alignment() {
        return chunks.chunkLength();
      }

      @Override
      public void expectEnd(ExpectedEnd end, boolean isCertain) {
        chunks.expectEnd(end, isCertain);
      }

      @Override
      public void releaseBuffers() {
        chunks.releaseBuffers();
      }

      @Override
      public void close() throws IOException {
        chunks.close();
      }
    };
  }

  /**
   * Returns the uncompressed bytes of a file whose chunks are cached. Only the requested part of a
   * chunk is copied: some bytes to begin with, and twice as much each time while reading continues.
   * Closing the result closes the source.
   *
   * @param first number of bytes to begin with, 1 to 64 KiB
   */
  static ByteSource ofCached(ChunkSource chunks, int first) {
    return new GrowingParts(chunks, first);
  }

  /** Returns the bytes of a plain file, without counting its reads. */
  static ByteSource of(ReadableFile file, int unit) {
    return of(file, unit, new FileReads());
  }

  /**
   * Returns the bytes of a plain file.
   *
   * @param file of alignment 1; stays open when the source is closed
   * @param unit maximum number of bytes read at a time
   * @param reads counts the reads
   */
  static ByteSource of(ReadableFile file, int unit, FileReads reads) {
    return new ByteSource() {
      @Override
      public String path() {
        return file.path();
      }

      @Override
      public long length() {
        return file.length();
      }

      @Override
      public int read(long position, byte[] dst, int offset, int length) throws IOException {
        if (position >= file.length()) {
          return -1;
        }
        int wanted = (int) Math.min(Math.min(unit, length), file.length() - position);
        int count = file.read(position, dst, offset, wanted);
        reads.add(count);
        if (count < wanted) {
          throw new CorruptFileException(
              file.path(), position + count, "file ends before " + file.length());
        }
        return count;
      }

      @Override
      public int unit() {
        return unit;
      }

      @Override
      public void close() {
        // The file belongs to the caller that opened it.
      }
    };
  }
}
