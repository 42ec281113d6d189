package io.siltstone.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Little-endian numbers in byte arrays, as Cassandra's hashes read them; offsets are not aligned.
 */
public final class LittleEndian {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SIGNS = 0x8080_8080_8080_8080L;

  private LittleEndian() {}

  /** Reads eight bytes as a signed number. */
  public static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  /**
   * Reads up to eight bytes, each sign-extended over all bits above it, combined by exclusive or,
   * as Cassandra's hashes read the bytes after the last whole block.
   *
   * @param length 1 to 8
   */
  public static long getSignedBytes(byte[] bytes, int offset, int length) {
    if (bytes.length - offset >= Long.BYTES) {
      long value = getLong(bytes, offset) & -1L >>> (Long.SIZE - Byte.SIZE * length);
      if ((value & SIGNS) == 0) {
        return value;
      }
    }
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value ^= (long) bytes[offset + i] << (8 * i);
    }
    return value;
  }
}
