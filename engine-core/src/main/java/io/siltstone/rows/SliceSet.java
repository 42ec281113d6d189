package io.siltstone.rows;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.rows.ClusteringRange.Bound;
import io.siltstone.schema.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Converts ranges of rows to sets of slices: sorted, not empty, and neither overlapping nor
 * adjacent.
 *
 * <p>A bound of several columns is a union of slices, one per column: {@code (a, b) > (1, 2)} is
 * {@code a = 1 AND b > 2} or {@code a > 1}. Where all columns have the same direction these touch
 * and become one; where directions differ they do not. Immutable, safe for all threads.
 */
final class SliceSet {
  private static final int MAX_VALUE_LENGTH = 0xffff;

  private final List<Column> columns;
  private final RowEncoding encoding;
  private final ClusteringComparator order;

  /** Creates a converter for a table, in an encoding of its rows. */
  SliceSet(List<Column> clusteringColumns, RowEncoding encoding) {
    this.columns = clusteringColumns;
    this.encoding = encoding;
    this.order = new ClusteringComparator(encoding.header().clusteringTypes());
  }

  /** Returns the order of clusterings. */
  ClusteringComparator order() {
    return order;
  }

  /**
   * Returns the rows of several ranges, each once.
   *
   * @throws IllegalArgumentException if one names more columns than there are, or has an invalid
   *     value
   */
  List<Slice> of(List<ClusteringRange> ranges) {
    if (ranges.size() == 1) {
      return of(ranges.get(0));
    }
    List<Slice> all = new ArrayList<>();
    for (ClusteringRange range : ranges) {
      all.addAll(of(range));
    }
    return union(all);
  }

  private List<Slice> of(ClusteringRange range) {
    int size = range.prefix().size();
    int bounds = Math.max(range.lower().values().size(), range.upper().values().size());
    if (size + bounds > columns.size()) {
      throw new IllegalArgumentException(
          range
              + " name "
              + (size + bounds)
              + " clustering columns, the table has "
              + columns.stream().map(Column::name).toList());
    }
    List<byte[]> prefix = encode(0, range.prefix());
    List<Slice> slices = List.of(slice(prefix));
    if (!range.lower().values().isEmpty()) {
      slices = intersection(slices, side(prefix, range.lower(), true));
    }
    if (!range.upper().values().isEmpty()) {
      slices = intersection(slices, side(prefix, range.upper(), false));
    }
    return slices;
  }

  /**
   * Returns the rows from one place in clustering order up to another.
   *
   * @param from values with which the first row begins; none for the beginning of the partition
   * @param before values with which the first row after the slice begins; none for the end
   */
  List<Slice> between(List<Object> from, List<Object> before) {
    if (Math.max(from.size(), before.size()) > columns.size()) {
      throw new IllegalArgumentException(
          "rows from "
              + from
              + " before "
              + before
              + ", the table has the clustering columns "
              + columns.stream().map(Column::name).toList());
    }
    ClusteringKind endKind =
        before.isEmpty() ? ClusteringKind.INCL_END_BOUND : ClusteringKind.EXCL_END_BOUND;
    return union(
        List.of(
            slice(ClusteringKind.INCL_START_BOUND, encode(0, from), endKind, encode(0, before))));
  }

  /** Returns the slices on one side of a bound. */
  private List<Slice> side(List<byte[]> prefix, Bound bound, boolean above) {
    List<byte[]> values = encode(prefix.size(), bound.values());
    List<Slice> slices = new ArrayList<>();
    List<byte[]> equal = new ArrayList<>(prefix);
    for (byte[] value : values) {
      Column column = columns.get(equal.size());
      List<byte[]> here = new ArrayList<>(equal);
      here.add(value);
      // Greater values come first if the column is descending.
      slices.add(
          above != column.isDescending()
              ? slice(ClusteringKind.EXCL_START_BOUND, here, ClusteringKind.INCL_END_BOUND, equal)
              : slice(ClusteringKind.INCL_START_BOUND, equal, ClusteringKind.EXCL_END_BOUND, here));
      equal = here;
    }
    if (bound.inclusive()) {
      slices.add(slice(equal));
    }
    return union(slices);
  }

  private List<byte[]> encode(int from, List<Object> values) {
    List<byte[]> encoded = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      encoded.add(encode(columns.get(from + i), values.get(i)));
    }
    return encoded;
  }

  /**
   * Returns a value of a column of the primary key.
   *
   * @throws IllegalArgumentException if it is invalid; the message names the column
   */
  static byte[] encode(Column column, Object value) {
    byte[] bytes;
    try {
      bytes = column.type().encodeOrCopy(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("column '" + column.name() + "': " + e.getMessage(), e);
    }
    if (bytes.length > MAX_VALUE_LENGTH) {
      throw new IllegalArgumentException(
          "column '"
              + column.name()
              + "': a value of "
              + bytes.length
              + " bytes, allowed "
              + MAX_VALUE_LENGTH);
    }
    return bytes;
  }

  private Slice slice(List<byte[]> prefix) {
    return slice(ClusteringKind.INCL_START_BOUND, prefix, ClusteringKind.INCL_END_BOUND, prefix);
  }

  private Slice slice(
      ClusteringKind startKind, List<byte[]> start, ClusteringKind endKind, List<byte[]> end) {
    return new Slice(
        Clustering.of(startKind, encoding, start), Clustering.of(endKind, encoding, end));
  }

  /** Returns the union of slices: sorts and merges them. */
  private List<Slice> union(List<Slice> slices) {
    List<Slice> sorted = new ArrayList<>();
    slices.stream()
        .filter(slice -> order.compare(slice.start(), slice.end()) < 0)
        .sorted(Comparator.comparing(Slice::start, order))
        .forEach(
            slice -> {
              int last = sorted.size() - 1;
              if (last < 0 || order.compare(sorted.get(last).end(), slice.start()) < 0) {
                sorted.add(slice);
              } else if (order.compare(sorted.get(last).end(), slice.end()) < 0) {
                sorted.set(last, new Slice(sorted.get(last).start(), slice.end()));
              }
            });
    return List.copyOf(sorted);
  }

  /** Returns the intersection of two sets. */
  List<Slice> intersection(List<Slice> left, List<Slice> right) {
    List<Slice> common = new ArrayList<>();
    int l = 0;
    int r = 0;
    while (l < left.size() && r < right.size()) {
      Clustering start = later(left.get(l).start(), right.get(r).start());
      boolean leftEnds = order.compare(left.get(l).end(), right.get(r).end()) <= 0;
      Clustering end = leftEnds ? left.get(l).end() : right.get(r).end();
      if (order.compare(start, end) < 0) {
        common.add(new Slice(start, end));
      }
      if (leftEnds) {
        l++;
      } else {
        r++;
      }
    }
    return List.copyOf(common);
  }

  private Clustering later(Clustering left, Clustering right) {
    return order.compare(left, right) >= 0 ? left : right;
  }

  /** Returns the part of a set after a row, in the given direction. */
  List<Slice> after(List<Slice> slices, Clustering row, boolean reversed) {
    Clustering bound = new Clustering();
    Slice rest;
    if (reversed) {
      bound.copyFrom(row, ClusteringKind.EXCL_END_BOUND);
      rest = new Slice(Clustering.of(ClusteringKind.INCL_START_BOUND, encoding, List.of()), bound);
    } else {
      bound.copyFrom(row, ClusteringKind.EXCL_START_BOUND);
      rest = new Slice(bound, Clustering.of(ClusteringKind.INCL_END_BOUND, encoding, List.of()));
    }
    return intersection(slices, List.of(rest));
  }
}
