package io.siltstone.cursor;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.text.CountText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A clustering prefix in serialized form: a view of bytes that belong to another object, or a copy
 * of its own.
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

  // Cassandra allows 64 KiB in all. A greater length is corrupt, and no memory is allocated for it.
  private static final int MAX_LENGTH = 16 << 20;

  private static final byte[] NOTHING = {};

  private ClusteringKind kind = ClusteringKind.CLUSTERING;
  private byte[] bytes = NOTHING;
  private int from;
  private int to;
  private int size;
  private int[] offsets = new int[4];
  private int[] lengths = new int[4];

  /** Creates an empty prefix, which can then be pointed at bytes. */
  public Clustering() {}

  /** Returns the kind of the prefix. */
  public ClusteringKind kind() {
    return kind;
  }

  /**
   * Returns the number of values: that of the clustering columns for a row, possibly fewer for a
   * bound.
   */
  public int size() {
    return size;
  }

  /** Returns the array that the values lie in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index in {@link #bytes()} of a value's first byte. */
  public int valueOffset(int index) {
    return offsets[index];
  }

  /** Returns the number of bytes of a value; 0 if it is empty, {@link #NULL} if it is null. */
  public int valueLength(int index) {
    return lengths[index];
  }

  /** Returns the index in {@link #bytes()} where the serialized values begin. */
  public int from() {
    return from;
  }

  /** Returns the index in {@link #bytes()} after the serialized values. */
  public int to() {
    return to;
  }

  /**
   * Points the view at serialized values.
   *
   * @param kind kind of the prefix
   * @param size number of values
   * @param encoding has the lengths of the types
   * @param limit index after the last byte that may be read
   * @return index after the values; if they reach beyond {@code limit}, a negative number whose
   *     absolute value is the least number of bytes needed from {@code from} on, and {@code size}
   *     and {@code kind} are undefined
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
        // A length that overflows is corrupt: require more bytes than any file has, which fails.
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
   * Points the view at a prefix that begins with its kind, as in index blocks: the code of the
   * kind, the number of values as a short (not for rows), the values.
   *
   * @return index after the prefix
   * @throws IllegalArgumentException if the bytes from {@code from} to {@code limit} are no prefix
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
                + CountText.of(count, "value")
                + ", the table has "
                + CountText.of(encoding.clusteringColumns(), "column"));
      }
    }
    long behind = wrap(prefixKind, count, encoding, bytes, at, limit);
    if (behind < 0) {
      throw new IllegalArgumentException("a clustering value reaches beyond the end");
    }
    return (int) behind;
  }

  /** Returns the number of bytes that {@link #writePrefix} writes. */
  public int prefixLength() {
    return 1 + (kind == ClusteringKind.CLUSTERING ? 0 : Short.BYTES) + serializedLength();
  }

  /**
   * Writes the prefix as {@link #wrapPrefix} reads it.
   *
   * @return index after the prefix
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
   * Returns a new prefix of the given values, with an array of its own.
   *
   * @param kind kind of the prefix; a row has as many values as the table has clustering columns
   * @param values serialized, in the columns' order; a null is a null value
   */
  public static Clustering of(
      ClusteringKind kind, RowEncoding encoding, List<? extends byte @Nullable []> values) {
    int columns = encoding.clusteringColumns();
    if (values.size() > columns || (!kind.isMarker() && values.size() != columns)) {
      throw new IllegalArgumentException(
          CountText.of(values.size(), "clustering value")
              + ", the table has "
              + CountText.of(columns, "column"));
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

  /** Points the view at no values. */
  void wrapEmpty(ClusteringKind kind) {
    this.kind = kind;
    size = 0;
    bytes = NOTHING;
    from = 0;
    to = 0;
  }

  /** Copies another prefix into this object's own array, which is reused. */
  public void copyFrom(Clustering other) {
    copyFrom(other, other.kind);
  }

  /** Copies another prefix as {@link #copyFrom(Clustering)} does, with another kind. */
  public void copyFrom(Clustering other, ClusteringKind as) {
    int length = other.to - other.from;
    byte[] target = owned && bytes.length >= length ? bytes : new byte[Math.max(64, length * 2)];
    // The rows of tables without clustering columns have nothing to copy.
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

  // Whether the array belongs to this object. An object that holds a copy keeps its array: wrap()
  // is never called on it.
  private boolean owned;

  /** Returns the serialized length in bytes of the values. */
  public int serializedLength() {
    return to - from;
  }

  /** Returns a copy of the value; empty for null. It allocates, so it is not for hot paths. */
  public byte[] value(int index) {
    return lengths[index] <= 0
        ? NOTHING
        : Arrays.copyOfRange(bytes, offsets[index], offsets[index] + lengths[index]);
  }
}
