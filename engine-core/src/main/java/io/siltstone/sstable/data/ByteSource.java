package io.siltstone.sstable.data;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadableFile;
import java.io.Closeable;
import java.io.IOException;

/** The bytes of a file by position, fetched in the pieces that suit the file. */
public interface ByteSource extends Closeable {

  /** Full path of the file, for messages. */
  String path();

  /** Bytes there are. */
  long length();

  /**
   * Copies bytes from {@code position} on, as many as suits, at least 1.
   *
   * @return bytes copied, or -1 at or behind the end
   */
  int read(long position, byte[] dst, int offset, int length) throws IOException;

  /** How many bytes a call copies at most. */
  int unit();

  /** Lets go of the array that was read into last, for a rest of unknown length. */
  default void rest() {
    // Most keep none.
  }

  /** What positions are best multiples of: whole pieces from there on need no copy between. */
  default int alignment() {
    return 1;
  }

  /**
   * As {@link #alignment}, for who comes back from behind, where a piece has an end of what comes
   * next: it is not to be fetched again for that.
   */
  default int pieceLength() {
    return alignment();
  }

  /**
   * The uncompressed bytes of a file in chunks, a chunk at a time. Closing it closes the source.
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
      public void rest() {
        chunks.rest();
      }

      @Override
      public void close() throws IOException {
        chunks.close();
      }
    };
  }

  /**
   * The uncompressed bytes of a file whose chunks are cached: of a chunk only the part that is
   * asked for is copied, some bytes to begin with, and twice as much each time as long as one reads
   * on. Closing it closes the source.
   *
   * @param first bytes to begin with, 1 to 64 KiB
   */
  static ByteSource ofCached(ChunkSource chunks, int first) {
    return new GrowingParts(chunks, first);
  }

  /** A source whose reads are not reported. */
  static ByteSource of(ReadableFile file, int unit) {
    return of(file, unit, new FileReads());
  }

  /**
   * The bytes of a plain file.
   *
   * @param file of alignment 1; stays open when the source is closed
   * @param unit most bytes read at a time
   * @param reads that its reads are counted in
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
        // The file is its opener's.
      }
    };
  }
}
