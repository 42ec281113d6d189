package io.siltstone.sstable.data;

import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the columns of one encoding are in another, by name. Immutable, safe for all threads. */
final class ColumnMap {
  private final int[] staticIndexes;
  private final int[] regularIndexes;

  /**
   * @throws IllegalArgumentException if a column is missing in {@code target}, or complex in one
   *     and not in the other
   */
  ColumnMap(RowEncoding source, RowEncoding target) {
    if (!source.header().clusteringTypes().equals(target.header().clusteringTypes())) {
      throw new IllegalArgumentException(
          "clustering columns of types "
              + source.header().clusteringTypes()
              + " cannot be written as "
              + target.header().clusteringTypes());
    }
    staticIndexes = indexes(source.header().staticColumns(), target.header().staticColumns());
    regularIndexes = indexes(source.header().regularColumns(), target.header().regularColumns());
  }

  private static int[] indexes(List<HeaderColumn> from, List<HeaderColumn> to) {
    Map<String, Integer> targets = new HashMap<>();
    for (int i = 0; i < to.size(); i++) {
      targets.put(to.get(i).name(), i);
    }
    int[] indexes = new int[from.size()];
    for (int i = 0; i < indexes.length; i++) {
      HeaderColumn column = from.get(i);
      Integer target = targets.get(column.name());
      if (target == null
          || to.get(target).type().isMultiCell() != column.type().isMultiCell()
          || to.get(target).type().fixedLength() != column.type().fixedLength()) {
        throw new IllegalArgumentException(
            "column '"
                + column.name()
                + "' of type "
                + column.type()
                + (target == null
                    ? " is not in the table to be written"
                    : " cannot be written as " + to.get(target).type()));
      }
      indexes[i] = target;
    }
    return indexes;
  }

  int[] indexes(boolean isStatic) {
    return isStatic ? staticIndexes : regularIndexes;
  }
}
