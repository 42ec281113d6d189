package io.siltstone.sstable.metadata;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Collects one component of a statistics file in memory. Confined to one thread. */
final class MetadataOutput {
  private byte[] bytes = new byte[8192];
  private int length;

  private int grow(int count) {
    if (count > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), bytes.length * 2));
    }
    int start = length;
    length += count;
    return start;
  }

  void int8(int value) {
    int start = grow(1);
    bytes[start] = (byte) value;
  }

  void bool(boolean value) {
    int8(value ? 1 : 0);
  }

  void uint16(int value) {
    int start = grow(2);
    BigEndian.putShort(bytes, start, value);
  }

  void int32(int value) {
    int start = grow(4);
    BigEndian.putInt(bytes, start, value);
  }

  void int64(long value) {
    int start = grow(8);
    BigEndian.putLong(bytes, start, value);
  }

  void float64(double value) {
    int64(Double.doubleToRawLongBits(value));
  }

  void uuid(UUID value) {
    int64(value.getMostSignificantBits());
    int64(value.getLeastSignificantBits());
  }

  void vint(long value) {
    int start = grow(Vint.length(value));
    Vint.write(bytes, start, value);
  }

  void bytes(byte[] value) {
    int start = grow(value.length);
    System.arraycopy(value, 0, bytes, start, value.length);
  }

  void bytesWithVintLength(byte[] value) {
    vint(value.length);
    bytes(value);
  }

  void modifiedUtf8(String value) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      new DataOutputStream(text).writeUTF(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    bytes(text.toByteArray());
  }

  void utf8(String value) {
    bytesWithVintLength(value.getBytes(StandardCharsets.UTF_8));
  }

  void type(CqlType type) {
    utf8(type.className());
  }

  void types(List<CqlType> types) {
    vint(types.size());
    types.forEach(this::type);
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }
}
