package io.siltstone.compress;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Calls a library that takes either two direct buffers or two arrays with any combination of both.
 * Safe for use by all threads.
 */
final class ArrayCodec {
  /** One direction of the library: compression or decompression. */
  interface Operation {
    /**
     * Converts the remaining bytes of a direct buffer to the room of another; positions do not
     * change.
     */
    int direct(ByteBuffer src, ByteBuffer dst) throws IOException;

    /** Converts bytes of an array to another array. */
    int arrays(byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException;
  }

  private final ScratchArrays scratch = new ScratchArrays();

  int run(Operation operation, ByteBuffer src, ByteBuffer dst) throws IOException {
    int length =
        src.isDirect() && dst.isDirect()
            ? operation.direct(src, dst)
            : viaArrays(operation, src, dst);
    if (length < 0 || length > dst.remaining()) {
      throw new IOException("codec gave " + length + " bytes, allowed 0 to " + dst.remaining());
    }
    src.position(src.limit());
    dst.position(dst.position() + length);
    return length;
  }

  private int viaArrays(Operation operation, ByteBuffer src, ByteBuffer dst) throws IOException {
    byte[] from = src.hasArray() ? src.array() : scratch.take(src.remaining());
    byte[] to = dst.hasArray() ? dst.array() : scratch.take(dst.remaining());
    try {
      int fromAt = src.hasArray() ? src.arrayOffset() + src.position() : 0;
      int toAt = dst.hasArray() ? dst.arrayOffset() + dst.position() : 0;
      if (!src.hasArray()) {
        src.get(src.position(), from, 0, src.remaining());
      }
      int length = operation.arrays(from, fromAt, src.remaining(), to, toAt, dst.remaining());
      if (!dst.hasArray() && length > 0) {
        dst.put(dst.position(), to, 0, length);
      }
      return length;
    } finally {
      if (!src.hasArray()) {
        scratch.giveBack(from);
      }
      if (!dst.hasArray()) {
        scratch.giveBack(to);
      }
    }
  }
}
