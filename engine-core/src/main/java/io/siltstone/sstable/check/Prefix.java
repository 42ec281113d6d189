package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A clustering prefix, of a row or of a range tombstone's bound, as the parser finds it: its values
 * are ranges of the parsed bytes, or of a copy once those bytes are reused.
 *
 * <p>The form is that of Cassandra {@code ClusteringPrefix.Serializer}: before every 32 values a
 * vint with two bits for each, 1 for empty and 2 for null; then the others, after a vint of their
 * length unless the type's is fixed.
 */
final class Prefix {
  /** The code of the kind of a row. */
  static final int ROW = 4;

  private static final byte[] NOTHING = {};
  private static final int VALUES_PER_HEADER = 32;
  private static final int NULL_LENGTH = -1;

  /** Whether a kind, by its code, lies before its values (-1), at them (0) or after (1). */
  private static final int[] SIDE = {-1, -1, -1, 0, 0, 1, 1, 1};

  /** Types of fixed length whose order is that of signed integers. */
  private static final Set<CqlType> INTEGERS =
      Set.of(CqlTypes.INT, CqlTypes.BIGINT, CqlTypes.TIMESTAMP);

  private final CqlType[] types;
  private final int[] fixed;

  /** Whether rows have one value, an integer; and whether its order is reversed. */
  private final boolean isInteger;

  private final boolean isReversed;

  int kind;
  int size;
  private byte[] bytes = NOTHING;
  private int from;
  private int to;
  private final int[] offsets;
  private final int[] lengths;
  private byte[] own = NOTHING;

  /** The value of a row with one integer, by which most rows are compared. */
  private boolean hasNumber;

  private long number;

  /** Creates a prefix without values. */
  Prefix(List<CqlType> types) {
    this.types = types.toArray(CqlType[]::new);
    this.fixed = types.stream().mapToInt(CqlType::fixedLength).toArray();
    this.offsets = new int[this.types.length];
    this.lengths = new int[this.types.length];
    this.isInteger = types.size() == 1 && INTEGERS.contains(types.get(0).unreversed());
    this.isReversed = isInteger && types.get(0).isReversed();
  }

  /** Returns whether a code is that of a bound or boundary of range tombstones. */
  static boolean isMarker(int kind) {
    return kind >= 0 && kind < SIDE.length && SIDE[kind] != 0;
  }

  /** Returns whether a range tombstone ends at a bound of that kind. */
  static boolean closes(int kind) {
    return kind == 0 || kind == 2 || kind == 5 || kind == 6;
  }

  /** Returns whether a range tombstone begins at a bound of that kind. */
  static boolean opens(int kind) {
    return kind == 1 || kind == 2 || kind == 5 || kind == 7;
  }

  /** Returns whether a kind lies before the row with its values (-1), at it (0) or after it (1). */
  static int side(int kind) {
    return SIDE[kind];
  }

  /** Returns whether a value is null. */
  boolean isNull(int index) {
    return lengths[index] == NULL_LENGTH;
  }

  /** Returns the array that has the values. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the index of a value, which is not null, in the array. */
  int offset(int index) {
    return offsets[index];
  }

  /** Returns the length of a value, which is not null. */
  int length(int index) {
    return lengths[index];
  }

  /** Sets it to the clustering of a row in a table without clustering columns. */
  void setEmptyRow() {
    kind = ROW;
    size = 0;
    bytes = NOTHING;
    from = 0;
    to = 0;
    hasNumber = false;
  }

  /**
   * Parses values.
   *
   * @param limit index at or before which numbers must begin
   * @return index after the values; -1 if they reach beyond the limit; -2 if a length is invalid
   */
  int parse(int prefixKind, int count, byte[] source, int start, int limit) {
    kind = prefixKind;
    size = count;
    bytes = source;
    from = start;
    hasNumber = false;
    // Most clusterings have one value of fixed length, for which the loop takes twice as long.
    if (count == 1 && fixed[0] >= 0 && start <= limit && source[start] == 0) {
      offsets[0] = start + 1;
      lengths[0] = fixed[0];
      to = start + 1 + fixed[0];
      if (to > limit) {
        return -1;
      }
      if (isInteger && prefixKind == ROW) {
        hasNumber = true;
        number =
            fixed[0] == Long.BYTES
                ? BigEndian.getLong(source, start + 1)
                : BigEndian.getInt(source, start + 1);
      }
      return to;
    }
    int at = start;
    long header = 0;
    for (int i = 0; i < count; i++) {
      if (i % VALUES_PER_HEADER == 0) {
        if (at > limit) {
          return -1;
        }
        header = StreamParser.vint(source, at);
        at += StreamParser.vintLength(source, at);
      }
      int bits = (int) (header >>> (2 * (i % VALUES_PER_HEADER))) & 3;
      if (bits != 0) {
        offsets[i] = at;
        lengths[i] = bits == 1 ? 0 : NULL_LENGTH;
        continue;
      }
      long length = fixed[i];
      if (length < 0) {
        length = StreamParser.vint(source, at);
        at += StreamParser.vintLength(source, at);
      }
      if (length < 0 || length > Integer.MAX_VALUE / 2) {
        return -2;
      }
      if (length > limit - at) {
        return -1;
      }
      offsets[i] = at;
      lengths[i] = (int) length;
      at += (int) length;
    }
    to = at;
    return at;
  }

  /** Compares two prefixes as Cassandra's {@code ClusteringComparator} does. */
  int compareTo(Prefix other) {
    if (hasNumber && other.hasNumber) {
      return isReversed ? Long.compare(other.number, number) : Long.compare(number, other.number);
    }
    int common = Math.min(size, other.size);
    for (int i = 0; i < common; i++) {
      int order = compareValue(i, other);
      if (order != 0) {
        return order;
      }
    }
    if (size == other.size) {
      return Integer.compare(side(kind), side(other.kind));
    }
    return size < other.size ? SIDE[kind] : -SIDE[other.kind];
  }

  private int compareValue(int index, Prefix other) {
    int length = lengths[index];
    int otherLength = other.lengths[index];
    if (length == NULL_LENGTH || otherLength == NULL_LENGTH) {
      return Boolean.compare(length != NULL_LENGTH, otherLength != NULL_LENGTH);
    }
    return types[index].compare(
        bytes, offsets[index], length, other.bytes, other.offsets[index], otherLength);
  }

  /** Copies the values if they are in an array that is about to be reused. */
  void detachFrom(byte[] going) {
    if (bytes == going) {
      int length = to - from;
      byte[] target = roomFor(length);
      System.arraycopy(bytes, from, target, 0, length);
      moveTo(target);
    }
  }

  /** Makes it a view of the current values of another prefix. */
  void viewOf(Prefix other) {
    kind = other.kind;
    size = other.size;
    bytes = other.bytes;
    from = other.from;
    to = other.to;
    hasNumber = other.hasNumber;
    number = other.number;
    for (int i = 0; i < size; i++) {
      offsets[i] = other.offsets[i];
      lengths[i] = other.lengths[i];
    }
  }

  /** Makes it a copy of another prefix. */
  void copyOf(Prefix other) {
    byte[] target = roomFor(other.to - other.from);
    System.arraycopy(other.bytes, other.from, target, 0, other.to - other.from);
    viewOf(other);
    moveTo(target);
  }

  private byte[] roomFor(int length) {
    if (own.length < length) {
      own = new byte[2 * length];
    }
    return own;
  }

  private void moveTo(byte[] target) {
    for (int i = 0; i < size; i++) {
      offsets[i] -= from;
    }
    to -= from;
    from = 0;
    bytes = target;
  }

  /** Continues a hash with the prefix. */
  long hash(long before) {
    return RunningHash.mixed(RunningHash.mixed(before, kind << 16 | size), bytes, from, to);
  }

  /**
   * Returns the prefix as index blocks and statistics hold it: kind, for bounds a count, values.
   */
  byte[] toByteArray() {
    int head = kind == ROW ? 1 : 3;
    byte[] result = new byte[head + to - from];
    result[0] = (byte) kind;
    if (kind != ROW) {
      BigEndian.putShort(result, 1, size);
    }
    System.arraycopy(bytes, from, result, head, to - from);
    return result;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(Arrays.copyOfRange(bytes, from, to));
  }
}
