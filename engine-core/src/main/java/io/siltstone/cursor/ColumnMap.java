package io.siltstone.cursor;

import io.siltstone.schema.DroppedColumn;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Maps the columns of one encoding to those of another by name, and says which columns and which
 * cells of dropped columns are left out.
 *
 * <p>Immutable, safe for all threads.
 */
public final class ColumnMap {
  /** Index of a column that the target does not have. */
  public static final int LEFT_OUT = -1;

  private final Columns staticColumns;
  private final Columns regularColumns;

  private ColumnMap(Columns staticColumns, Columns regularColumns) {
    this.staticColumns = staticColumns;
    this.regularColumns = regularColumns;
  }

  /**
   * Returns a map for copies, which leaves nothing out.
   *
   * @throws IllegalArgumentException if a column is missing in {@code target}, or its values are
   *     written differently there
   */
  public static ColumnMap whole(RowEncoding source, RowEncoding target) {
    checkClusterings(source, target);
    ColumnMap map =
        new ColumnMap(
            new Columns(source, target, true, Map.of()),
            new Columns(source, target, false, Map.of()));
    map.staticColumns.requireWhole();
    map.regularColumns.requireWhole();
    return map;
  }

  /**
   * Returns a map to the present columns of a table. Columns that the table does not have are left
   * out, and so are cells that are older than the drop of their column.
   *
   * @throws IllegalArgumentException if the clustering columns differ, or the values of a column
   *     cannot be written in the table's column and the column was never dropped
   */
  public static ColumnMap of(RowEncoding source, TableEncoding target) {
    checkClusterings(source, target.rows());
    Map<String, Long> dropped = new HashMap<>();
    for (DroppedColumn column : target.droppedColumns()) {
      dropped.put(column.column().name(), column.droppedAtMicros());
    }
    return new ColumnMap(
        new Columns(source, target.rows(), true, dropped),
        new Columns(source, target.rows(), false, dropped));
  }

  private static void checkClusterings(RowEncoding source, RowEncoding target) {
    List<CqlType> from = source.header().clusteringTypes();
    List<CqlType> to = target.header().clusteringTypes();
    boolean same = from.size() == to.size();
    for (int i = 0; same && i < from.size(); i++) {
      // A type may have grown since (a user type by a field); the form of its values may not
      // differ.
      same =
          from.get(i).isReversed() == to.get(i).isReversed()
              && from.get(i).fixedLength() == to.get(i).fixedLength();
    }
    if (!same) {
      throw new IllegalArgumentException(
          "clustering columns of types " + from + " cannot be written as " + to);
    }
  }

  /**
   * Returns the target's index for each of the source's columns of that kind of row, {@link
   * #LEFT_OUT} for one that is left out. Callers must not change the array.
   */
  public int[] indexes(boolean isStatic) {
    return columns(isStatic).indexes;
  }

  /**
   * Returns for each of the source's columns of that kind of row the time of its drop in
   * microseconds: cells and deletions up to this timestamp are left out. It is {@link
   * DeletionTime#NO_TIMESTAMP} if the column was never dropped. Callers must not change the array.
   */
  public long[] droppedAt(boolean isStatic) {
    return columns(isStatic).droppedAt;
  }

  /**
   * Returns whether a column of that kind of row was dropped, so that cells of it may be left out.
   */
  public boolean hasDropped(boolean isStatic) {
    return columns(isStatic).hasDropped;
  }

  /**
   * Returns whether each of the source's columns can be copied to the target: no column is left
   * out.
   */
  public boolean isWhole() {
    return staticColumns.problems.isEmpty() && regularColumns.problems.isEmpty();
  }

  private Columns columns(boolean isStatic) {
    return isStatic ? staticColumns : regularColumns;
  }

  /** The columns of one kind of row. */
  private static final class Columns {
    private final int[] indexes;
    private final long[] droppedAt;
    private final boolean hasDropped;
    // The reasons why columns cannot be copied as they are.
    private final List<String> problems = new ArrayList<>();

    Columns(RowEncoding source, RowEncoding target, boolean isStatic, Map<String, Long> dropped) {
      List<HeaderColumn> from = source.header().columns(isStatic);
      List<HeaderColumn> to = target.header().columns(isStatic);
      Map<String, Integer> targets = new HashMap<>();
      for (int i = 0; i < to.size(); i++) {
        targets.put(to.get(i).name(), i);
      }
      indexes = new int[from.size()];
      droppedAt = new long[from.size()];
      boolean anyDropped = false;
      for (int i = 0; i < indexes.length; i++) {
        HeaderColumn column = from.get(i);
        Long until = dropped.get(column.name());
        droppedAt[i] = until == null ? DeletionTime.NO_TIMESTAMP : until;
        Integer index = targets.get(column.name());
        if (index == null) {
          problems.add("column " + column.name() + " is not in the table to be written");
          indexes[i] = LEFT_OUT;
        } else if (isWritable(column, to.get(index))) {
          indexes[i] = index;
          anyDropped |= until != null;
        } else if (until == null) {
          throw new IllegalArgumentException(problems.get(problems.size() - 1));
        } else {
          // This is a dropped column of the same name.
          indexes[i] = LEFT_OUT;
        }
      }
      hasDropped = anyDropped;
    }

    /**
     * Returns whether cells can be rewritten for a column of another type; a length may be added.
     */
    private boolean isWritable(HeaderColumn column, HeaderColumn target) {
      CqlType from = column.type();
      CqlType to = target.type();
      boolean sameKind = from.isMultiCell() == to.isMultiCell();
      if (!sameKind || from.fixedLength() != to.fixedLength()) {
        problems.add(
            "column " + column.name() + " of type " + from + " cannot be written as " + to);
      }
      return sameKind
          && (to.fixedLength() == CqlType.VARIABLE_LENGTH
              || to.fixedLength() == from.fixedLength());
    }

    void requireWhole() {
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", problems));
      }
    }
  }
}
