package io.siltstone.bench.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Access to the kernel's page cache. */
public final class PageCache {
  private static final int PIECE_BYTES = 64 * 1024;
  private static final int FILL_BYTES = 1 << 20;
  private static final long MAP_BYTES = 1L << 30;

  private PageCache() {}

  /**
   * Drops all clean pages of the machine.
   *
   * @return false if the user may not
   */
  public static boolean drop(Kernel kernel) {
    try {
      kernel.write("/proc/sys/vm/drop_caches", "1\n");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Reads a file once from its start to its end, so that the page cache holds as much of it as the
   * limit of memory lets it.
   */
  public static void fill(Path file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(FILL_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        // The bytes are not used.
      }
    }
  }

  /** Returns how many bytes of a file are cached, in steps of 64 KiB, without reading it. */
  public static long residentBytes(Path file) throws IOException {
    long resident = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size();
      for (long from = 0; from < length; from += MAP_BYTES) {
        MappedByteBuffer map =
            channel.map(FileChannel.MapMode.READ_ONLY, from, Math.min(MAP_BYTES, length - from));
        for (int at = 0; at < map.capacity(); at += PIECE_BYTES) {
          MappedByteBuffer piece = map.slice(at, Math.min(PIECE_BYTES, map.capacity() - at));
          resident += piece.isLoaded() ? piece.capacity() : 0;
        }
      }
    }
    return resident;
  }
}
