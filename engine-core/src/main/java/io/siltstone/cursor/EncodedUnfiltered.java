package io.siltstone.cursor;

import java.io.IOException;

/**
 * The serialized row or marker that an {@link UnfilteredEncoder} has finished: the array together
 * with the length of what lies in it.
 *
 * <p>The encoder replaces its array when a row needs a larger one. Therefore it hands out array and
 * length only together, and only after the row is complete: a caller cannot keep the array of
 * before. Valid until the encoder begins the next row or marker; from then until that one is
 * finished every call throws an {@link IllegalStateException}. Confined to the encoder's thread.
 */
public final class EncodedUnfiltered {
  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;
  private int length;

  EncodedUnfiltered() {}

  /** Sets what was finished; returns itself. */
  EncodedUnfiltered set(byte[] array, int count) {
    bytes = array;
    length = count;
    return this;
  }

  /** Forgets the bytes, because another row or marker is begun. */
  void clear() {
    bytes = NOTHING;
    length = 0;
  }

  /** Returns the array that contains the serialized form, from index 0 on. */
  public byte[] bytes() {
    requireFinished();
    return bytes;
  }

  /** Returns the length of the serialized form in bytes. */
  public int length() {
    requireFinished();
    return length;
  }

  /** Points a flyweight of the same encoding at the bytes. */
  public void wrapWith(Unfiltered target) throws IOException {
    requireFinished();
    target.wrap(bytes, 0, length);
  }

  private void requireFinished() {
    if (length == 0) {
      throw new IllegalStateException("no row or marker has been finished");
    }
  }
}
