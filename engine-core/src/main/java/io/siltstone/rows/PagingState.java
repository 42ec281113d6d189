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
 * A paging state identifies the place by its keys. So it stays valid whatever is written in the
 * meantime, even if the row is deleted. It can be used with any query of the same table,
 * restrictions and order; columns, limits and the page size may differ, see {@link Query#after}. It
 * contains the values of the keys unencrypted. Immutable, safe for use by any number of threads.
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
    AFTER_ROW(1),
    AFTER_PARTITION(2);

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
   * Returns the paging state that {@link #toBytes} has serialized.
   *
   * @throws IllegalArgumentException if this is no state, a damaged one, or one of another version
   */
  public static PagingState ofBytes(byte[] state) {
    if (state.length < MIN_LENGTH) {
      throw new IllegalArgumentException(
          "no paging state: " + state.length + " bytes, allowed " + MIN_LENGTH + " or more");
    }
    if (state[0] != VERSION) {
      throw new IllegalArgumentException(
          "paging state of version " + state[0] + ", allowed " + VERSION);
    }
    if (BigEndian.getInt(state, state.length - Integer.BYTES) != checksum(state)) {
      throw new IllegalArgumentException(
          "paging state is damaged: its checksum is not that stored");
    }
    Place place = Place.ofCode(state[1]);
    boolean sensible =
        BigEndian.getUnsignedShort(state, KEY_AT) <= state.length - MIN_LENGTH
            && BigEndian.getLong(state, ROWS_LEFT_AT) >= 0
            && BigEndian.getInt(state, IN_PARTITION_AT) >= 0;
    if (place == null || !sensible) {
      throw new IllegalArgumentException(
          "paging state makes no sense: 0x" + HexFormat.of().formatHex(state));
    }
    return new PagingState(place, state.clone());
  }

  /**
   * Returns the paging state that {@link #toString} has returned.
   *
   * @throws IllegalArgumentException if this is no state, a damaged one, or one of another version
   */
  public static PagingState parse(String state) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(state);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("no paging state: not Base64: " + e.getMessage(), e);
    }
    return ofBytes(bytes);
  }

  /** Returns the serialized paging state: about 30 bytes and those of the keys. */
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

  /** Returns the serialized paging state in URL-safe Base64, without padding. */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
