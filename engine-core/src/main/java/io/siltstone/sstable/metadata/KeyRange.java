package io.siltstone.sstable.metadata;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The first and last partition key of an SSTable, serialized. Immutable, safe for use by all
 * threads.
 */
public final class KeyRange {
  private final byte[] first;
  private final byte[] last;

  /** Copies the keys. */
  public KeyRange(byte[] first, byte[] last) {
    this.first = first.clone();
    this.last = last.clone();
  }

  /** Returns a copy of the first key in partition order. */
  public byte[] first() {
    return first.clone();
  }

  /** Returns a copy of the last key in partition order. */
  public byte[] last() {
    return last.clone();
  }

  void write(MetadataOutput out) {
    out.bytesWithVintLength(first);
    out.bytesWithVintLength(last);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyRange range
        && Arrays.equals(first, range.first)
        && Arrays.equals(last, range.last);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(first) + Arrays.hashCode(last);
  }

  /** Returns the keys in hexadecimal. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "KeyRange[0x" + hex.formatHex(first) + " to 0x" + hex.formatHex(last) + "]";
  }
}
