package io.siltstone.cursor;

import io.siltstone.bytes.Vint;

/**
 * Serializes clustering values, one by one, in the form of {@link Clustering}. Reusable, confined
 * to one thread.
 */
final class ClusteringEncoder {
  private static final int VALUES_PER_HEADER = 32;

  private final RowEncoding encoding;
  private byte[] bytes;
  private int length;
  private int count;
  private int headerAt;
  private long header;

  ClusteringEncoder(RowEncoding encoding) {
    this(encoding, 128);
  }

  /** Creates an encoder with a given initial capacity in bytes. */
  ClusteringEncoder(RowEncoding encoding, int capacity) {
    this.encoding = encoding;
    this.bytes = new byte[capacity];
  }

  void reset() {
    length = 0;
    count = 0;
    header = 0;
  }

  int length() {
    return length;
  }

  void value(byte[] from, int offset, int valueLength) {
    if (count % VALUES_PER_HEADER == 0) {
      headerAt = length;
      header = 0;
      bytes = UnfilteredEncoder.grown(bytes, length, 1);
      bytes[length++] = 0;
    }
    int slot = 2 * (count % VALUES_PER_HEADER);
    if (valueLength == Clustering.NULL) {
      setHeader(header | 2L << slot);
    } else if (valueLength == 0) {
      setHeader(header | 1L << slot);
    } else {
      int fixed = encoding.clusteringLength(count);
      if (fixed >= 0 && fixed != valueLength) {
        throw new IllegalArgumentException(
            "clustering value " + count + " has " + valueLength + " bytes, its type has " + fixed);
      }
      bytes = UnfilteredEncoder.grown(bytes, length, (long) Vint.MAX_LENGTH + valueLength);
      if (fixed < 0) {
        length = Vint.write(bytes, length, valueLength);
      }
      System.arraycopy(from, offset, bytes, length, valueLength);
      length += valueLength;
    }
    count++;
  }

  /** Writes the header, which precedes its values; they move if the header grows. */
  private void setHeader(long value) {
    int before = Vint.length(header);
    int after = Vint.length(value);
    if (after > before) {
      bytes = UnfilteredEncoder.grown(bytes, length, after - before);
      System.arraycopy(
          bytes, headerAt + before, bytes, headerAt + after, length - headerAt - before);
      length += after - before;
    }
    Vint.write(bytes, headerAt, value);
    header = value;
  }

  void copy(Clustering other) {
    reset();
    bytes = UnfilteredEncoder.grown(bytes, 0, other.serializedLength());
    length = other.serializedLength();
    count = other.size();
    System.arraycopy(other.bytes(), other.from(), bytes, 0, length);
  }

  /**
   * Returns the array with the values, up to {@link #length()}. The next value may overwrite it.
   */
  byte[] bytes() {
    return bytes;
  }

  int copyTo(byte[] to, int at) {
    System.arraycopy(bytes, 0, to, at, length);
    return at + length;
  }
}
