package io.siltstone.sstable.metadata;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UnknownTypeException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Reads numbers and strings from a range of a statistics file that is held in memory. Missing or
 * impossible values are a {@link CorruptSSTableException} with the offset; a length is checked
 * before memory is allocated for it. Confined to one thread.
 */
final class MetadataInput {
  private final String path;
  private final byte[] bytes;
  private final int limit;
  private int at;

  MetadataInput(String path, byte[] bytes, int from, int limit) {
    this.path = path;
    this.bytes = bytes;
    this.at = from;
    this.limit = limit;
  }

  int remaining() {
    return limit - at;
  }

  /** Returns the offset of the next byte in the file. */
  int offset() {
    return at;
  }

  CorruptSSTableException corrupt(int offset, String reason) {
    return new CorruptSSTableException(path, Component.STATISTICS, offset, reason);
  }

  private int take(long count, String what) throws CorruptSSTableException {
    if (count < 0 || count > limit - at) {
      throw corrupt(at, what + " of " + count + " bytes, " + (limit - at) + " are left");
    }
    int start = at;
    at += (int) count;
    return start;
  }

  byte int8() throws CorruptSSTableException {
    return bytes[take(1, "byte")];
  }

  boolean bool() throws CorruptSSTableException {
    return int8() != 0;
  }

  int uint16() throws CorruptSSTableException {
    return BigEndian.getUnsignedShort(bytes, take(2, "short"));
  }

  int int32() throws CorruptSSTableException {
    return BigEndian.getInt(bytes, take(4, "int"));
  }

  long int64() throws CorruptSSTableException {
    return BigEndian.getLong(bytes, take(8, "long"));
  }

  double float64() throws CorruptSSTableException {
    return Double.longBitsToDouble(int64());
  }

  /** Reads numbers into an array, in place of as many calls of {@link #int64}. */
  void int64s(long[] into) throws CorruptSSTableException {
    int start = take((long) Long.BYTES * into.length, "numbers");
    ByteBuffer.wrap(bytes, start, Long.BYTES * into.length).asLongBuffer().get(into);
  }

  UUID uuid() throws CorruptSSTableException {
    long high = int64();
    return new UUID(high, int64());
  }

  long vint() throws CorruptSSTableException {
    int start = take(1, "vint");
    take(Vint.lengthFrom(bytes[start]) - 1L, "rest of a vint");
    return Vint.read(bytes, start);
  }

  /** Reads a vint that holds an int; negative ones take nine bytes. */
  int vint32() throws CorruptSSTableException {
    int start = at;
    long value = vint();
    if (value != (int) value) {
      throw corrupt(start, "vint " + value + ", allowed 32 bits");
    }
    return (int) value;
  }

  /**
   * Reads the number of elements that follow.
   *
   * @param least minimum number of bytes of each element
   */
  int count(long value, int least, String what) throws CorruptSSTableException {
    if (value < 0 || value > remaining() / least) {
      throw corrupt(
          at,
          value
              + " "
              + what
              + ", allowed 0 to "
              + remaining() / least
              + " in the bytes that follow");
    }
    return (int) value;
  }

  byte[] bytes(long length) throws CorruptSSTableException {
    int start = take(length, "value");
    return Arrays.copyOfRange(bytes, start, at);
  }

  byte[] bytesWithVintLength() throws CorruptSSTableException {
    return bytes(vint());
  }

  /** Reads a string as {@code DataOutput.writeUTF} writes it. */
  String modifiedUtf8() throws CorruptSSTableException {
    int start = at;
    int length = uint16();
    take(length, "string");
    try {
      return new DataInputStream(new ByteArrayInputStream(bytes, start, 2 + length)).readUTF();
    } catch (IOException e) {
      throw corrupt(start, "string that is not modified UTF-8: " + e.getMessage());
    }
  }

  /** Reads UTF-8 after a vint of its length. */
  String utf8() throws CorruptSSTableException {
    int start = at;
    byte[] text = bytesWithVintLength();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      throw corrupt(start, "string of " + text.length + " bytes that is not UTF-8");
    }
  }

  CqlType type() throws IOException {
    int start = at;
    String name = utf8();
    try {
      return CqlTypes.parse(name);
    } catch (UnknownTypeException e) {
      throw new UnsupportedSSTableException(
          path + ": has a type that is not supported: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw corrupt(start, "type '" + name + "' cannot be read: " + e.getMessage());
    }
  }

  List<CqlType> types() throws IOException {
    int count = count(vint(), 1, "types");
    List<CqlType> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      types.add(type());
    }
    return types;
  }
}
