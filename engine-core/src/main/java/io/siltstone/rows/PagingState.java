package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A place in the result of a query, from which the query can be continued later, after a restart,
 * or in another process.
 *
 * <pre>
 *   version      byte   1
 *   place        byte   0 the beginning, 1 after a row, 2 after a partition
 *   query        int    {@link Query}'s restrictions and order, to know it again
 *   rowsLeft     long   of the query's limit, Long.MAX_VALUE without
 *   inPartition  int    rows of the partition so far
 *   key          short length, bytes
 *   clustering   the rest: a prefix as {@link io.siltstone.cursor.Clustering} writes it; after a row only
 *   checksum     int    CRC32C of all before
 * </pre>
 *
 * A token identifies the place by its keys. So it stays valid whatever is written in the meantime,
 * even if the row is deleted. It can be used with any query of the same table, restrictions and
 * order; columns and limits may differ. It contains the values of the keys unencrypted. Immutable,
 * safe for use by any number of threads.
 */
public final class PagingState {
  private static final byte VERSION = 1;
  private static final int QUERY_AT = 2;
  private static final int ROWS_LEFT_AT = QUERY_AT + Integer.BYTES;
  private static final int IN_PARTITION_AT = ROWS_LEFT_AT + Long.BYTES;
  private static final int KEY_AT = IN_PARTITION_AT + Integer.BYTES;
  private static final int MIN_LENGTH = KEY_AT + Short.BYTES + Integer.BYTES;
  private static final byte[] NOTHING = {};

  private final byte[] bytes;
  private final Place place;

  /** The kinds of places. */
  enum Place {
    BEGINNING(0),
    BEHIND_ROW(1),
    BEHIND_PARTITION(2);

    private final byte code;

    Place(int code) {
      this.code = (byte) code;
    }

    private static @Nullable Place ofCode(byte code) {
      for (Place place : values()) {
        if (place.code == code) {
          return place;
        }
      }
      return null;
    }
  }

  private PagingState(Place place, byte[] bytes) {
    this.place = place;
    this.bytes = bytes;
  }

  static PagingState of(
      Place place, int query, long rowsLeft, int inPartition, byte[] key, byte[] clustering) {
    byte[] bytes = new byte[MIN_LENGTH + key.length + clustering.length];
    bytes[0] = VERSION;
    bytes[1] = place.code;
    BigEndian.putInt(bytes, QUERY_AT, query);
    BigEndian.putLong(bytes, ROWS_LEFT_AT, rowsLeft);
    BigEndian.putInt(bytes, IN_PARTITION_AT, inPartition);
    BigEndian.putShort(bytes, KEY_AT, key.length);
    int at = KEY_AT + Short.BYTES;
    System.arraycopy(key, 0, bytes, at, key.length);
    System.arraycopy(clustering, 0, bytes, at + key.length, clustering.length);
    BigEndian.putInt(bytes, bytes.length - Integer.BYTES, checksum(bytes));
    return new PagingState(place, bytes);
  }

  static PagingState ofBeginning(int query, long rowsLeft) {
    return of(Place.BEGINNING, query, rowsLeft, 0, NOTHING, NOTHING);
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - Integer.BYTES);
    return (int) crc.getValue();
  }

  /**
   * Returns the token that {@link #toBytes} has serialized.
   *
   * @throws IllegalArgumentException if this is no token, a damaged one, or one of another version
   */
  public static PagingState ofBytes(byte[] token) {
    if (token.length < MIN_LENGTH) {
      throw new IllegalArgumentException(
          "no page token: " + token.length + " bytes, allowed at least " + MIN_LENGTH);
    }
    if (token[0] != VERSION) {
      throw new IllegalArgumentException(
          "page token of version " + token[0] + ", allowed " + VERSION);
    }
    if (BigEndian.getInt(token, token.length - Integer.BYTES) != checksum(token)) {
      throw new IllegalArgumentException("page token is damaged: its checksum is not that stored");
    }
    Place place = Place.ofCode(token[1]);
    boolean sensible =
        BigEndian.getUnsignedShort(token, KEY_AT) <= token.length - MIN_LENGTH
            && BigEndian.getLong(token, ROWS_LEFT_AT) >= 0
            && BigEndian.getInt(token, IN_PARTITION_AT) >= 0;
    if (place == null || !sensible) {
      throw new IllegalArgumentException(
          "page token makes no sense: 0x" + HexFormat.of().formatHex(token));
    }
    return new PagingState(place, token.clone());
  }

  /**
   * Returns the token that {@link #toString} has returned.
   *
   * @throws IllegalArgumentException if this is no token, a damaged one, or one of another version
   */
  public static PagingState parse(String token) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("no page token: not Base64: " + e.getMessage(), e);
    }
    return ofBytes(bytes);
  }

  /** Returns the serialized token: about 30 bytes and those of the keys. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  Place place() {
    return place;
  }

  int query() {
    return BigEndian.getInt(bytes, QUERY_AT);
  }

  long rowsLeft() {
    return BigEndian.getLong(bytes, ROWS_LEFT_AT);
  }

  int inPartition() {
    return BigEndian.getInt(bytes, IN_PARTITION_AT);
  }

  byte[] key() {
    int at = KEY_AT + Short.BYTES;
    return Arrays.copyOfRange(bytes, at, at + BigEndian.getUnsignedShort(bytes, KEY_AT));
  }

  byte[] clustering() {
    int at = KEY_AT + Short.BYTES + BigEndian.getUnsignedShort(bytes, KEY_AT);
    return Arrays.copyOfRange(bytes, at, bytes.length - Integer.BYTES);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PagingState that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the serialized token in URL-safe Base64, without padding. */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
