package io.siltstone.sstable.bti;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.type.CqlType;
import io.siltstone.type.comparable.ComparableBytes;
import io.siltstone.type.comparable.ComparableType;
import java.util.List;

/**
 * The byte-comparable form of clustering prefixes: a part for each value, and a terminator by which
 * bounds come before or after all rows that begin with their values.
 *
 * <p>Immutable, safe for all threads. Source: Cassandra {@code ClusteringComparator}, {@code
 * ClusteringPrefix.Kind}.
 */
public final class ComparableClusterings {
  private static final int BEFORE = 0x20;
  private static final int AFTER = 0x60;
  private static final int STATIC = 0x18;

  private final ComparableType[] types;
  private final int[] emptyParts;

  /**
   * @param types of the clustering columns; descending columns have reversed types
   */
  public ComparableClusterings(List<CqlType> types) {
    this.types = types.stream().map(ComparableType::of).toArray(ComparableType[]::new);
    this.emptyParts =
        types.stream()
            .mapToInt(
                type ->
                    type.isReversed()
                        ? ComparableBytes.EMPTY_REVERSED_PART
                        : ComparableBytes.EMPTY_PART)
            .toArray();
  }

  /**
   * Makes the bytes those of a prefix.
   *
   * @throws IllegalArgumentException if a value is so corrupt that it has no order
   */
  public void encode(Clustering clustering, ComparableBytes to) {
    to.clear();
    for (int i = 0; i < clustering.size(); i++) {
      int length = clustering.valueLength(i);
      if (length == Clustering.NULL) {
        to.append(ComparableBytes.NULL_PART);
      } else {
        types[i].appendPart(
            clustering.bytes(), clustering.valueOffset(i), length, to, emptyParts[i]);
      }
    }
    to.append(terminator(clustering.kind()));
  }

  private static int terminator(ClusteringKind kind) {
    return switch (kind) {
      case EXCL_END_BOUND, INCL_START_BOUND, EXCL_END_INCL_START_BOUNDARY -> BEFORE;
      case STATIC_CLUSTERING -> STATIC;
      case CLUSTERING -> ComparableBytes.END;
      case INCL_END_EXCL_START_BOUNDARY, INCL_END_BOUND, EXCL_START_BOUND -> AFTER;
    };
  }
}
