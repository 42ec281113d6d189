package io.siltstone.cursor;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A clustering prefix in serialized form, as a view of somebody else's bytes or of its own copy.
 *
 * <pre>
 *   per 32 values:  vint   two bits a value from the lowest on: empty, null
 *                   each value that is neither: its bytes, before them a vint of their length unless the type's is fixed
 * </pre>
 *
 * Mutable and reusable: pointing it at other bytes allocates nothing once its arrays have grown to
 * the table's number of clustering columns. Confined to one thread. Source: Cassandra {@code
 * ClusteringPrefix.Serializer}.
 */
public final class Clustering {
  /** {@link #valueLength} of a null. */
  public static final int NULL = -1;

  private static final int VALUES_PER_HEADER = 32;

  // Cassandra takes 64 KiB in all. More than this is damage, and nothing to allocate memory for.
  private static final int MAX_LENGTH = 16 << 20;

  private static final byte[] NOTHING = {};

  private ClusteringKind kind = ClusteringKind.CLUSTERING;
  private byte[] bytes = NOTHING;
  private int from;
  private int to;
  private int size;
  private int[] offsets = new int[4];
  private int[] lengths = new int[4];

  /** An empty prefix, to be pointed somewhere. */
  public Clustering() {}

  /** What it is. */
  public ClusteringKind kind() {
    return kind;
  }

  /** How many values it has: all clustering columns for a row, or fewer for a bound. */
  public int size() {
    return size;
  }

  /** The array that the values lie in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Index in {@link #bytes()} of a value's first byte. */
  public int valueOffset(int index) {
    return offsets[index];
  }

  /** Bytes of a value; 0 if it is empty, {@link #NULL} if it is null. */
  public int valueLength(int index) {
    return lengths[index];
  }

  /** Index in {@link #bytes()} where the serialized values begin. */
  public int from() {
    return from;
  }

  /** Index in {@link #bytes()} behind the serialized values. */
  public int to() {
    return to;
  }

  /**
   * Points it at serialized values.
   *
   * @param kind what they are
   * @param size how many there are
   * @param encoding tells the types' lengths
   * @param limit index behind the last byte that may be looked at
   * @return index behind the values; or a negative number if they reach beyond {@code limit}, whose
   *     absolute is the least count of bytes from {@code from} on that must be there; {@code size}
   *     and {@code kind} are then undefined
   */
  long wrap(
      ClusteringKind kind, int size, RowEncoding encoding, byte[] bytes, int from, int limit) {
    if (offsets.length < size) {
      offsets = new int[size];
      lengths = new int[size];
    }
    this.kind = kind;
    this.size = size;
    this.bytes = bytes;
    this.from = from;
    int at = from;
    long header = 0;
    for (int i = 0; i < size; i++) {
      if (i % VALUES_PER_HEADER == 0) {
        if (!Vint.isWhole(bytes, at, limit)) {
          return -(at - from + (long) Vint.MAX_LENGTH);
        }
        header = Vint.read(bytes, at);
        at += Vint.lengthFrom(bytes[at]);
      }
      int bits = (int) (header >>> (2 * i)) & 3;
      if (bits != 0) {
        offsets[i] = at;
        lengths[i] = (bits & 2) != 0 ? NULL : 0;
        continue;
      }
      long length = encoding.clusteringLength(i);
      if (length < 0) {
        if (!Vint.isWhole(bytes, at, limit)) {
          return -(at - from + (long) Vint.MAX_LENGTH);
        }
        length = Vint.read(bytes, at);
        at += Vint.lengthFrom(bytes[at]);
      }
      if (length > MAX_LENGTH) {
        return Long.MIN_VALUE;
      }
      if (length < 0 || length > limit - at) {
        long needed = at - from + length;
        // A length that overflows is no length: ask for more than any file has, so that it is
        // refused.
        return length < 0 || needed < 0 ? Long.MIN_VALUE : -needed;
      }
      offsets[i] = at;
      lengths[i] = (int) length;
      at += (int) length;
    }
    to = at;
    return at;
  }

  /**
   * Points it at a prefix that begins with its kind, as index blocks have it: the kind's code, for
   * all but rows the count of values as a short, the values.
   *
   * @return index behind it
   * @throws IllegalArgumentException if the bytes from {@code from} to {@code limit} do not hold
   *     one
   */
  public int wrapPrefix(RowEncoding encoding, byte[] bytes, int from, int limit) {
    if (from >= limit || !ClusteringKind.isCode(bytes[from])) {
      throw new IllegalArgumentException(
          from >= limit ? "ends before a clustering" : "clustering kind " + bytes[from]);
    }
    ClusteringKind prefixKind = ClusteringKind.ofCode(bytes[from]);
    int at = from + 1;
    int count = encoding.clusteringColumns();
    if (prefixKind != ClusteringKind.CLUSTERING) {
      if (limit - at < Short.BYTES) {
        throw new IllegalArgumentException("ends within a clustering");
      }
      count = BigEndian.getUnsignedShort(bytes, at);
      at += Short.BYTES;
      if (!prefixKind.isMarker() || count > encoding.clusteringColumns()) {
        throw new IllegalArgumentException(
            "clustering of kind "
                + prefixKind
                + " with "
                + count
                + " values, the table has "
                + encoding.clusteringColumns()
                + " columns");
      }
    }
    long behind = wrap(prefixKind, count, encoding, bytes, at, limit);
    if (behind < 0) {
      throw new IllegalArgumentException("a clustering value reaches behind the end");
    }
    return (int) behind;
  }

  /** Bytes that {@link #writePrefix} takes. */
  public int prefixLength() {
    return 1 + (kind == ClusteringKind.CLUSTERING ? 0 : Short.BYTES) + serializedLength();
  }

  /**
   * Writes it as {@link #wrapPrefix} reads it.
   *
   * @return index behind it
   */
  public int writePrefix(byte[] target, int offset) {
    int at = offset;
    target[at++] = kind.code();
    if (kind != ClusteringKind.CLUSTERING) {
      BigEndian.putShort(target, at, size);
      at += Short.BYTES;
    }
    System.arraycopy(bytes, from, target, at, to - from);
    return at + to - from;
  }

  /**
   * A prefix of the given values, to be kept.
   *
   * @param kind what it is; a row has as many values as the table has clustering columns
   * @param values serialized, in the columns' order; a null is a null value
   */
  public static Clustering of(
      ClusteringKind kind, RowEncoding encoding, List<? extends byte @Nullable []> values) {
    int columns = encoding.clusteringColumns();
    if (values.size() > columns || (!kind.isMarker() && values.size() != columns)) {
      throw new IllegalArgumentException(
          values.size() + " clustering values, the table has " + columns + " columns");
    }
    long most = 0;
    for (byte[] value : values) {
      most += 2L * Vint.MAX_LENGTH + (value == null ? 0 : value.length);
    }
    ClusteringEncoder encoder = new ClusteringEncoder(encoding, (int) Math.min(most, 1 << 20));
    for (byte[] value : values) {
      if (value == null) {
        encoder.value(NOTHING, 0, NULL);
      } else {
        encoder.value(value, 0, value.length);
      }
    }
    Clustering clustering = new Clustering();
    clustering.wrap(kind, values.size(), encoding, encoder.bytes(), 0, encoder.length());
    return clustering;
  }

  /** Points it at no values. */
  void wrapEmpty(ClusteringKind kind) {
    this.kind = kind;
    size = 0;
    bytes = NOTHING;
    from = 0;
    to = 0;
  }

  /** Makes it an independent copy of another, reusing its own array. */
  public void copyFrom(Clustering other) {
    copyFrom(other, other.kind);
  }

  /** As {@link #copyFrom(Clustering)}, as a prefix of another kind. */
  public void copyFrom(Clustering other, ClusteringKind as) {
    int length = other.to - other.from;
    byte[] target = owned && bytes.length >= length ? bytes : new byte[Math.max(64, length * 2)];
    // Tables without clustering columns have nothing to copy in any row.
    if (length > 0) {
      System.arraycopy(other.bytes, other.from, target, 0, length);
    }
    if (offsets.length < other.size) {
      offsets = new int[other.size];
      lengths = new int[other.size];
    }
    for (int i = 0; i < other.size; i++) {
      offsets[i] = other.offsets[i] - other.from;
      lengths[i] = other.lengths[i];
    }
    bytes = target;
    owned = true;
    kind = as;
    size = other.size;
    from = 0;
    to = length;
  }

  // Whether the array is this object's own. A view that becomes a copy once stays with its array
  // until it is pointed
  // elsewhere; wrap() is never called on an object that is used for copies.
  private boolean owned;

  /** Serialized length in bytes of the values. */
  public int serializedLength() {
    return to - from;
  }

  /** The value as an array of its own; empty for null. For places that are not hot. */
  public byte[] value(int index) {
    return lengths[index] <= 0
        ? NOTHING
        : Arrays.copyOfRange(bytes, offsets[index], offsets[index] + lengths[index]);
  }
}
