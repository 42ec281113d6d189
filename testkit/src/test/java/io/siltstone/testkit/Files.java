package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Writes and reads whole files. */
final class Files {
  private Files() {}

  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static void write(Directory directory, String name, byte[] content, boolean sync)
      throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(content));
      if (sync) {
        file.sync();
      }
    }
  }

  static void append(Directory directory, String name, byte[] content) throws IOException {
    try (WritableFile file = directory.append(name)) {
      file.write(ByteBuffer.wrap(content));
    }
  }

  static byte[] read(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.read(0, bytes, 0, bytes.length);
      return bytes;
    }
  }
}
