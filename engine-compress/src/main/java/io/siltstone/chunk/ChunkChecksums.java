package io.siltstone.chunk;

import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Checksums of the chunks of an uncompressed file. They take one int per chunk of 64 KiB, which is
 * 64 MiB for a terabyte.
 */
final class ChunkChecksums {
  private int[] values = new int[64];
  private int count;

  void add(int value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = value;
  }

  void write(Directory directory, String name, int chunkLength) throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      ByteBuffer buffer = ByteBuffer.allocate(64 * 1024).putInt(chunkLength);
      for (int i = 0; i < count; i++) {
        if (buffer.remaining() < Integer.BYTES) {
          file.write(buffer.flip());
          buffer.clear();
        }
        buffer.putInt(values[i]);
      }
      file.write(buffer.flip());
      file.sync();
    }
  }
}
