package io.siltstone.sstable.metadata;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two bounds between which all rows and range tombstones of an SSTable lie, in every partition.
 *
 * <pre>
 *   oa:      types    vint count, then each type's name
 *            start    bound
 *            end      bound
 *   bound:   kind     byte
 *            size     short
 *            values   as in {@link Clustering}
 *   na, nb:  start    int count, then each value after a short of its length; inclusive
 *            end      likewise
 * </pre>
 *
 * Immutable, safe for all threads. Source: Cassandra {@code StatsMetadata}, {@code Slice}.
 */
public final class CoveredClustering {
  private static final int VALUES_PER_HEADER = 32;
  private static final byte[] EMPTY_VALUE = {};

  private final List<CqlType> types;
  private final Bound start;
  private final Bound end;

  private CoveredClustering(List<CqlType> types, Bound start, Bound end) {
    this.types = List.copyOf(types);
    this.start = start;
    this.end = end;
  }

  /** Returns the unbounded range, for which nothing is excluded. */
  public static CoveredClustering all(List<CqlType> types) {
    return new CoveredClustering(
        types,
        new Bound(ClusteringKind.INCL_START_BOUND, new byte[0][]),
        new Bound(ClusteringKind.INCL_END_BOUND, new byte[0][]));
  }

  /**
   * Returns a copy of two prefixes.
   *
   * @param types of the clustering columns
   * @param least a row or a start bound
   * @param greatest a row or an end bound
   */
  static CoveredClustering of(List<CqlType> types, Clustering least, Clustering greatest) {
    return new CoveredClustering(
        types,
        Bound.of(least, ClusteringKind.INCL_START_BOUND),
        Bound.of(greatest, ClusteringKind.INCL_END_BOUND));
  }

  /** Returns the types of the clustering columns. */
  public List<CqlType> types() {
    return types;
  }

  /** Returns the kind of the start bound, after which all rows and tombstones lie. */
  public ClusteringKind startKind() {
    return start.kind;
  }

  /** Returns the number of values of the start, which may be less than the number of columns. */
  public int startSize() {
    return start.values.length;
  }

  /** Returns a copy of a value of the start; null for null. */
  public byte @Nullable [] startValue(int index) {
    return start.value(index);
  }

  /** Returns the kind of the end bound, before which all rows and tombstones lie. */
  public ClusteringKind endKind() {
    return end.kind;
  }

  /** Returns the number of values of the end, which may be less than the number of columns. */
  public int endSize() {
    return end.values.length;
  }

  /** Returns a copy of a value of the end; null for null. */
  public byte @Nullable [] endValue(int index) {
    return end.value(index);
  }

  /**
   * Returns whether a row with this clustering may be in the SSTable or covered by a range
   * tombstone in it; false is certain. Allocates nothing.
   */
  public boolean mightContain(Clustering row) {
    return mightIntersect(row, row);
  }

  /**
   * Returns whether the SSTable may have a row or tombstone between these prefixes; false is
   * certain. Allocates nothing.
   *
   * @param from a row or a start bound
   * @param to a row or an end bound
   */
  public boolean mightIntersect(Clustering from, Clustering to) {
    return start.compareTo(to, types) <= 0 && end.compareTo(from, types) >= 0;
  }

  static CoveredClustering read(MetadataInput in) throws IOException {
    List<CqlType> types = in.types();
    int at = in.offset();
    Bound start = Bound.read(in, types);
    Bound end = Bound.read(in, types);
    if (!start.kind.opens()
        || start.kind.isBoundary()
        || !end.kind.closes()
        || end.kind.isBoundary()) {
      throw in.corrupt(
          at,
          "covered clustering from "
              + start.kind
              + " to "
              + end.kind
              + ", allowed a start bound and an end bound");
    }
    return new CoveredClustering(types, start, end);
  }

  void write(MetadataOutput out) {
    out.types(types);
    start.write(out, types);
    end.write(out, types);
  }

  /** Reads the form of versions that have least and greatest values only. */
  static CoveredClustering readValues(MetadataInput in, List<CqlType> types)
      throws CorruptSSTableException {
    Bound start = new Bound(ClusteringKind.INCL_START_BOUND, readList(in, types));
    return new CoveredClustering(
        types, start, new Bound(ClusteringKind.INCL_END_BOUND, readList(in, types)));
  }

  private static byte[][] readList(MetadataInput in, List<CqlType> types)
      throws CorruptSSTableException {
    int at = in.offset();
    int count = in.int32();
    if (count < 0 || count > types.size()) {
      throw in.corrupt(at, count + " clustering values, allowed 0 to " + types.size());
    }
    byte[][] values = new byte[count][];
    for (int i = 0; i < count; i++) {
      values[i] = in.bytes(in.uint16());
    }
    return values;
  }

  void writeValues(MetadataOutput out) {
    writeList(out, start);
    writeList(out, end);
  }

  private static void writeList(MetadataOutput out, Bound bound) {
    int count = 0;
    while (count < bound.values.length && bound.values[count] != null) {
      count++;
    }
    out.int32(count);
    for (int i = 0; i < count; i++) {
      byte[] value = bound.present(i);
      out.uint16(value.length);
      out.bytes(value);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CoveredClustering covered
        && types.equals(covered.types)
        && start.sameAs(covered.start)
        && end.sameAs(covered.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.deepHashCode(start.values) + Arrays.deepHashCode(end.values);
  }

  /** Returns a row or bound as text, with values in hexadecimal. */
  public static String text(Clustering prefix) {
    return Bound.of(prefix, ClusteringKind.CLUSTERING).toString();
  }

  /** Returns both bounds as text, with values in hexadecimal. */
  @Override
  public String toString() {
    return "CoveredClustering[" + start + " to " + end + "]";
  }

  private static final class Bound {
    final ClusteringKind kind;
    final byte[] @Nullable [] values;

    Bound(ClusteringKind kind, byte[] @Nullable [] values) {
      this.kind = kind;
      this.values = values;
    }

    static Bound of(Clustering prefix, ClusteringKind ifRow) {
      byte[] @Nullable [] values = new byte[prefix.size()][];
      for (int i = 0; i < values.length; i++) {
        values[i] = prefix.valueLength(i) == Clustering.NULL ? null : prefix.value(i);
      }
      return new Bound(prefix.kind() == ClusteringKind.CLUSTERING ? ifRow : prefix.kind(), values);
    }

    byte[] present(int index) {
      byte[] value = values[index];
      return value == null ? EMPTY_VALUE : value;
    }

    byte @Nullable [] value(int index) {
      byte[] value = values[index];
      return value == null ? null : value.clone();
    }

    int compareTo(Clustering prefix, List<CqlType> types) {
      int common = Math.min(values.length, prefix.size());
      for (int i = 0; i < common; i++) {
        byte[] value = values[i];
        int length = prefix.valueLength(i);
        int order;
        if (value == null || length == Clustering.NULL) {
          order = Integer.compare(value == null ? 0 : 1, length == Clustering.NULL ? 0 : 1);
        } else {
          order =
              types
                  .get(i)
                  .compare(value, 0, value.length, prefix.bytes(), prefix.valueOffset(i), length);
        }
        if (order != 0) {
          return order;
        }
      }
      int side = kind.comparedToClustering();
      int otherSide = prefix.kind().comparedToClustering();
      if (values.length == prefix.size()) {
        return Integer.compare(side, otherSide);
      }
      return values.length < prefix.size() ? side : -otherSide;
    }

    static Bound read(MetadataInput in, List<CqlType> types) throws CorruptSSTableException {
      int at = in.offset();
      int code = in.int8();
      int size = in.uint16();
      if (!ClusteringKind.isCode(code) || size > types.size()) {
        throw in.corrupt(
            at,
            "clustering bound of kind "
                + code
                + " with "
                + size
                + " values, allowed kind 0 to 7 with 0 to "
                + types.size());
      }
      byte[] @Nullable [] values = new byte[size][];
      long header = 0;
      for (int i = 0; i < size; i++) {
        if (i % VALUES_PER_HEADER == 0) {
          header = in.vint();
        }
        long bits = header >>> (2 * i);
        if ((bits & 2) != 0) {
          values[i] = null;
        } else if ((bits & 1) != 0) {
          values[i] = EMPTY_VALUE;
        } else {
          int fixed = types.get(i).fixedLength();
          values[i] = fixed < 0 ? in.bytesWithVintLength() : in.bytes(fixed);
        }
      }
      return new Bound(ClusteringKind.ofCode(code), values);
    }

    void write(MetadataOutput out, List<CqlType> types) {
      out.int8(kind.code());
      out.uint16(values.length);
      for (int i = 0; i < values.length; i++) {
        if (i % VALUES_PER_HEADER == 0) {
          out.vint(header(i));
        }
        byte[] value = present(i);
        if (value.length > 0) {
          if (types.get(i).fixedLength() < 0) {
            out.vint(value.length);
          }
          out.bytes(value);
        }
      }
    }

    private long header(int from) {
      long header = 0;
      for (int i = from; i < Math.min(values.length, from + VALUES_PER_HEADER); i++) {
        if (values[i] == null) {
          header |= 2L << (2 * i);
        } else if (present(i).length == 0) {
          header |= 1L << (2 * i);
        }
      }
      return header;
    }

    boolean sameAs(Bound other) {
      return kind == other.kind && Arrays.deepEquals(values, other.values);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(kind.name()).append('(');
      for (int i = 0; i < values.length; i++) {
        byte[] value = values[i];
        text.append(i == 0 ? "" : ", ");
        text.append(value == null ? "null" : "0x" + HexFormat.of().formatHex(value));
      }
      return text.append(')').toString();
    }
  }
}
