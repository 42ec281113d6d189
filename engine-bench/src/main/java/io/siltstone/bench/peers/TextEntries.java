package io.siltstone.bench.peers;

import io.siltstone.bench.workload.BookText;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a key-value store: keys of 16 bytes in random order, values of text. Both are computed
 * from the number of the key, so that reads can be checked. Immutable; safe for use by all threads.
 */
public final class TextEntries {
  /** Length in bytes of the shortest value of entries that are not given another. */
  public static final int SHORTEST = 600;

  /** Length in bytes of the longest value of entries that are not given another. */
  public static final int LONGEST = 1_200;

  private static final int KEY_BYTES = 16;
  private static final int DIGITS = 12;
  private static final long KEYS = 1_000_000_000_000L;
  private static final long FACTOR = 61_803_398_877L;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final BookText text = new BookText(1);
  private final int shortest;
  private final int longest;

  /** Creates entries with values of {@value #SHORTEST} to {@value #LONGEST} bytes. */
  public TextEntries() {
    this(SHORTEST, LONGEST);
  }

  /**
   * @param shortest length of the shortest value in bytes
   * @param longest length of the longest value in bytes
   */
  public TextEntries(int shortest, int longest) {
    this.shortest = shortest;
    this.longest = longest;
  }

  /** Returns the key for a number below 100 million: {@code user} and twelve digits. */
  public byte[] key(long number) {
    byte[] key = new byte[KEY_BYTES];
    key[0] = 'u';
    key[1] = 's';
    key[2] = 'e';
    key[3] = 'r';
    // A bijection, because the factor has no divisor in common with ten.
    long digits = number * FACTOR % KEYS;
    for (int i = 0; i < DIGITS; i++) {
      key[KEY_BYTES - 1 - i] = (byte) ('0' + digits % 10);
      digits /= 10;
    }
    return key;
  }

  /** Returns a value for the number of a key; each version is different. */
  public byte[] value(long number, long version) {
    ByteBuffer piece = text.piece(number * GOLDEN + version, shortest, longest);
    byte[] value = new byte[piece.remaining()];
    piece.get(value);
    return value;
  }

  /** Returns whether a value that was read belongs to the number of a key. */
  public boolean isValue(byte @Nullable [] found, long number, long version) {
    return found != null
        && text.piece(number * GOLDEN + version, shortest, longest).equals(ByteBuffer.wrap(found));
  }
}
