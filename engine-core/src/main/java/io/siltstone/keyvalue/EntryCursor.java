package io.siltstone.keyvalue;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over entries in the order of their keys, which moves forward and backward. It stands at
 * no entry at first.
 *
 * <p>The entry that it shows is valid until the next move. Confined to one thread at a time, closed
 * by its opener; to close it during a step of another thread, begin {@link #closing} first, which
 * ends that step.
 */
public abstract class EntryCursor implements Closeable {
  final CancelSignal cancelSignal;

  boolean valid;
  private byte[] keyArray = {};
  private int keyOffset;
  private int keyLength;
  private byte[] valueArray = {};
  private int valueOffset;
  private int valueLength;

  /**
   * @param cancelSignal ends moves once it has begun
   */
  EntryCursor(CancelSignal cancelSignal) {
    this.cancelSignal = cancelSignal;
  }

  /** Returns the signal that the closing thread begins; safe for all threads. */
  public final CancelSignal closing() {
    return cancelSignal;
  }

  /** Returns whether the cursor stands at an entry. */
  public final boolean isValid() {
    return valid;
  }

  /** Returns the array that contains the key. */
  public final byte[] keyArray() {
    return keyArray;
  }

  /** Returns the index in {@link #keyArray()} of the key's first byte. */
  public final int keyOffset() {
    return keyOffset;
  }

  /** Returns the length of the key in bytes. */
  public final int keyLength() {
    return keyLength;
  }

  /** Returns the array that contains the value. */
  public final byte[] valueArray() {
    return valueArray;
  }

  /** Returns the index in {@link #valueArray()} of the value's first byte. */
  public final int valueOffset() {
    return valueOffset;
  }

  /** Returns the length of the value in bytes. */
  public final int valueLength() {
    return valueLength;
  }

  /** Returns a copy of the key. */
  public final byte[] copyOfKey() {
    return Arrays.copyOfRange(keyArray, keyOffset, keyOffset + keyLength);
  }

  /** Returns a copy of the value. */
  public final byte[] copyOfValue() {
    return Arrays.copyOfRange(valueArray, valueOffset, valueOffset + valueLength);
  }

  /** Compares the key with another one, as unsigned bytes. */
  final int compareKey(byte[] other) {
    return Arrays.compareUnsigned(
        keyArray, keyOffset, keyOffset + keyLength, other, 0, other.length);
  }

  /** Shows a key; {@link #showValue} follows. */
  final void showKey(byte[] array, int offset, int length) {
    keyArray = array;
    keyOffset = offset;
    keyLength = length;
  }

  /** Shows the value of the key, so that the cursor stands at an entry. */
  final void showValue(byte[] array, int offset, int length) {
    valueArray = array;
    valueOffset = offset;
    valueLength = length;
    valid = true;
  }

  final void requireValid() {
    if (!valid) {
      throw new IllegalStateException("stands at no entry: seek one first");
    }
  }

  /** Moves to the first entry. */
  public abstract void seekToFirst() throws IOException;

  /** Moves to the last entry. */
  public abstract void seekToLast() throws IOException;

  /**
   * Moves to the first entry whose key is not less than the given one, which is a {@linkplain
   * KeyBounds#requireBound bound}.
   */
  public abstract void seek(byte[] key) throws IOException;

  /**
   * Moves to the last entry whose key is not greater than the given one, which is a {@linkplain
   * KeyBounds#requireBound bound}.
   */
  public abstract void seekForPrev(byte[] key) throws IOException;

  /** Moves to the next entry. The cursor must stand at one. */
  public abstract void next() throws IOException;

  /** Moves to the previous entry. The cursor must stand at one. */
  public abstract void previous() throws IOException;

  /**
   * Returns a key that the cursor has reached: that of its entry, or a recent one that it has
   * passed over; null if there is none.
   */
  public abstract @Nullable PartitionKey reached();

  /** Counts an iteration that ended early: by its timeout, or cancelled by its user. */
  public abstract void ended(boolean isTimeout);
}
