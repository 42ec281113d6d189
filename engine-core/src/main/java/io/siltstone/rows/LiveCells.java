package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the live cells of one row at a time, and counts tombstones and expired cells.
 *
 * <p>A row is live by its primary key liveness or any live cell, also of a column that was not
 * selected (CASSANDRA-6588). Rows come in the encodings of their files; columns are found by name,
 * once per encoding. Confined to one thread; allocates nothing per row.
 */
final class LiveCells {
  private final QueryFactory table;
  private final ResultColumns columns;
  private final long nowSeconds;
  private final Map<RowEncoding, ColumnMap> maps = new HashMap<>();

  private @Nullable RowEncoding mappedEncoding;
  private @Nullable ColumnMap mapped;
  private long tombstones;
  private long expired;

  LiveCells(Query query, long nowSeconds) {
    this.table = query.table();
    this.columns = query.columns();
    this.nowSeconds = nowSeconds;
  }

  /**
   * Extracts the selected cells that are live.
   *
   * @return whether the row is live
   */
  boolean take(Unfiltered row, ValueBlockBuilder into) throws IOException {
    boolean isStatic = row.isStatic();
    ColumnMap map = map(row.encoding());
    int[] indexes = map.indexes(isStatic);
    long[] droppedAt = map.droppedAt(isStatic);
    int[] slots = columns.slots(isStatic);
    if (row.hasDeletion()) {
      tombstones++;
    }
    boolean live = false;
    if (row.hasLiveness()) {
      live = Liveness.isPrimaryKeyLive(row, nowSeconds);
      expired += live ? 0 : 1;
    }
    while (row.nextColumn()) {
      int index = indexes[row.columnIndex()];
      if (index == ColumnMap.LEFT_OUT) {
        continue;
      }
      long dropped = droppedAt[row.columnIndex()];
      int slot = slots[index];
      if (row.isComplex()) {
        live |= takeParts(row, dropped, slot, type(isStatic, index), into);
      } else if (row.nextCell() && isLive(row, dropped)) {
        live = true;
        if (slot != ResultColumns.NOT_SELECTED) {
          into.cell(
              slot,
              row.cellTimestamp(),
              row.cellLocalDeletionTime(),
              row.bytes(),
              row.valueOffset(),
              row.valueLength());
        }
      }
    }
    return live;
  }

  private CqlType type(boolean isStatic, int index) {
    TableSchema schema = table.schema();
    return (isStatic ? schema.staticColumns() : schema.regularColumns()).get(index).type();
  }

  /** Returns the rows of a cursor mostly have the encoding of the one before. */
  private ColumnMap map(RowEncoding encoding) {
    ColumnMap map = mapped;
    if (encoding != mappedEncoding || map == null) {
      map = maps.computeIfAbsent(encoding, table::map);
      mappedEncoding = encoding;
      mapped = map;
    }
    return map;
  }

  private boolean isLive(Unfiltered cell, long droppedAt) {
    if (cell.cellTimestamp() <= droppedAt && droppedAt != DeletionTime.NO_TIMESTAMP) {
      return false;
    }
    if (Liveness.isCellLive(cell, nowSeconds)) {
      return true;
    }
    if (cell.isCellTombstone()) {
      tombstones++;
    } else {
      expired++;
    }
    return false;
  }

  /** Extracts a collection or user type as a value of the frozen type. */
  private boolean takeParts(
      Unfiltered row, long droppedAt, int slot, CqlType type, ValueBlockBuilder into)
      throws IOException {
    if (!DeletionTime.isLive(row.complexDeletionTimestamp())) {
      tombstones++;
    }
    boolean wanted = slot != ResultColumns.NOT_SELECTED;
    if (wanted) {
      into.beginParts();
      if (type.kind() != TypeKind.USER) {
        into.beginCount();
      }
    }
    int count = 0;
    int field = 0;
    long timestamp = Long.MIN_VALUE;
    long expires = DeletionTime.NO_DELETION_TIME;
    while (row.nextCell()) {
      if (!isLive(row, droppedAt)) {
        continue;
      }
      count++;
      if (wanted) {
        timestamp = Math.max(timestamp, row.cellTimestamp());
        expires = Math.min(expires, row.cellLocalDeletionTime());
        if (type.kind() == TypeKind.USER) {
          field = takeField(row, field, type, into);
        } else {
          takeElement(row, type.kind(), into);
        }
      }
    }
    if (wanted) {
      if (count == 0) {
        into.dropParts();
      } else {
        if (type.kind() != TypeKind.USER) {
          into.setCount(count);
        }
        for (int i = field; type.kind() == TypeKind.USER && i < type.elementTypes().size(); i++) {
          into.nullPart();
        }
        into.endParts(slot, timestamp, expires);
      }
    }
    return count > 0;
  }

  private static void takeElement(Unfiltered cell, TypeKind kind, ValueBlockBuilder into) {
    if (kind != TypeKind.LIST) {
      into.part(cell.bytes(), cell.pathOffset(), cell.pathLength());
    }
    if (kind != TypeKind.SET) {
      into.part(cell.bytes(), cell.valueOffset(), cell.valueLength());
    }
  }

  /**
   * Extracts a field, with nulls for missing fields before it; returns the number of the next one.
   */
  private static int takeField(Unfiltered cell, int next, CqlType type, ValueBlockBuilder into)
      throws IOException {
    int field = cell.pathLength() == Short.BYTES ? path(cell) : -1;
    if (field < next || field >= type.elementTypes().size()) {
      throw new IOException(
          "a cell of column '"
              + cell.column().name()
              + "' has no path to a field of "
              + type
              + " after the first "
              + next);
    }
    for (int i = next; i < field; i++) {
      into.nullPart();
    }
    into.part(cell.bytes(), cell.valueOffset(), cell.valueLength());
    return field + 1;
  }

  private static int path(Unfiltered cell) {
    return BigEndian.getShort(cell.bytes(), cell.pathOffset());
  }

  /** Counts a range tombstone's bound, or a partition's deletion. */
  void passTombstone() {
    tombstones++;
  }

  /** Returns the number of deletions and deleted cells so far. */
  long tombstones() {
    return tombstones;
  }

  /** Returns the cells and row livenesses so far whose time to live had passed. */
  long expired() {
    return expired;
  }
}
