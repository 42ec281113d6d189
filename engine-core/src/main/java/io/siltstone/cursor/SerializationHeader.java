package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.util.List;

/**
 * What one must know to read serialized rows: types, columns and delta bases. Each SSTable carries
 * its own, in {@code Statistics.db}.
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

  /** Whether each partition has a static row, empty or not. */
  public boolean hasStatic() {
    return !staticColumns.isEmpty();
  }

  /** The columns of static or of regular rows. */
  public List<HeaderColumn> columns(boolean isStatic) {
    return isStatic ? staticColumns : regularColumns;
  }

  /** With other delta bases. */
  public SerializationHeader withStats(EncodingStats other) {
    return new SerializationHeader(keyType, clusteringTypes, staticColumns, regularColumns, other);
  }
}
