package io.siltstone.compress;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A process that says whether it can decompress a part of a chunk, and has tried. */
final class PrefixProbe {
  private PrefixProbe() {}

  @SuppressWarnings("SystemOut") // Its parent reads it.
  public static void main(String[] args) throws IOException {
    Lz4Compressor lz4 = Lz4Compressor.fast();
    byte[] data = new byte[1000];
    ByteBuffer chunk = ByteBuffer.allocateDirect(lz4.maxCompressedLength(data.length));
    lz4.compress(ByteBuffer.wrap(data), chunk);
    Compressor.PrefixDecompressor prefixes = lz4.prefixDecompressor();
    if (prefixes != null) {
      int unused = prefixes.decompress(chunk.flip(), new byte[1000], 10, 1000);
    }
    System.out.println("prefix " + (prefixes != null));
  }
}
