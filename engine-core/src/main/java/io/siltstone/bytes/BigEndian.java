package io.siltstone.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fixed-width big-endian numbers in byte arrays; offsets are not aligned. */
public final class BigEndian {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  /** Reads two bytes as a signed number. */
  public static short getShort(byte[] bytes, int offset) {
    return (short) SHORT.get(bytes, offset);
  }

  /** Reads two bytes as an unsigned number. */
  public static int getUnsignedShort(byte[] bytes, int offset) {
    return getShort(bytes, offset) & 0xffff;
  }

  /** Reads four bytes as a signed number. */
  public static int getInt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  /** Reads eight bytes as a signed number. */
  public static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  /** Writes the lower two bytes of {@code value}. */
  public static void putShort(byte[] bytes, int offset, int value) {
    SHORT.set(bytes, offset, (short) value);
  }

  /** Writes four bytes. */
  public static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  /** Writes eight bytes. */
  public static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
