package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.util.List;

/**
 * The serialization header of an SSTable: the types, columns and delta bases that are needed to
 * read its rows. Each SSTable has its own, in {@code Statistics.db}.
 *
 * <p>Immutable, safe for all threads. Source: Cassandra {@code SerializationHeader}.
 *
 * @param keyType type of the partition key; a composite if it has several columns
 * @param clusteringTypes types of the clustering columns, reversed ones as such
 * @param staticColumns in the order of their cells
 * @param regularColumns in the order of their cells
 * @param stats delta bases
 */
public record SerializationHeader(
    CqlType keyType,
    List<CqlType> clusteringTypes,
    List<HeaderColumn> staticColumns,
    List<HeaderColumn> regularColumns,
    EncodingStats stats) {

  /** Copies the lists. */
  public SerializationHeader {
    clusteringTypes = List.copyOf(clusteringTypes);
    staticColumns = List.copyOf(staticColumns);
    regularColumns = List.copyOf(regularColumns);
  }

  /** Returns whether each partition has a static row, empty or not. */
  public boolean hasStatic() {
    return !staticColumns.isEmpty();
  }

  /** Returns the columns of static or of regular rows. */
  public List<HeaderColumn> columns(boolean isStatic) {
    return isStatic ? staticColumns : regularColumns;
  }

  /** Returns a copy with other delta bases. */
  public SerializationHeader withStats(EncodingStats other) {
    return new SerializationHeader(keyType, clusteringTypes, staticColumns, regularColumns, other);
  }
}
