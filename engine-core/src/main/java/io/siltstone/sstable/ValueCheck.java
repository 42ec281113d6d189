package io.siltstone.sstable;

import io.siltstone.cursor.CellPathOrder;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;

/** Checks each value against its type, and the order of cells; counts the cells. */
final class ValueCheck {
  private final SSTable table;
  private final DataCursor data;
  private final List<CqlType> clusteringTypes;
  private final CellPathOrder cellPathOrder = new CellPathOrder();
  private long partition;
  private long cells;

  ValueCheck(SSTable table, DataCursor data) {
    this.table = table;
    this.data = data;
    this.clusteringTypes = table.header().clusteringTypes();
  }

  long cells() {
    return cells;
  }

  /** Checks the key of the current partition, and begins with its rows. */
  void verifyKey(long number) throws IOException {
    partition = number;
    PartitionKey key = data.key();
    validate(
        table.header().keyType(),
        "partition key",
        key.bytes(),
        key.offset(),
        key.length(),
        data.partitionPosition());
  }

  /** Checks the clustering of the current row or marker. */
  void verifyClustering() throws IOException {
    Clustering clustering = data.unfiltered().clustering();
    for (int i = 0; i < clustering.size(); i++) {
      if (clustering.valueLength(i) != Clustering.NULL) {
        validate(
            clusteringTypes.get(i),
            "clustering column " + i,
            clustering.bytes(),
            clustering.valueOffset(i),
            clustering.valueLength(i));
      }
    }
  }

  /** Checks the cells of the current row; consumes its iteration over the columns. */
  void verifyCells() throws IOException {
    Unfiltered row = data.unfiltered();
    while (row.nextColumn()) {
      HeaderColumn column = row.column();
      cellPathOrder.begin();
      while (row.nextCell()) {
        cells++;
        verifyCell(row, column);
      }
    }
  }

  private void verifyCell(Unfiltered row, HeaderColumn column) throws IOException {
    CqlType type = column.type();
    if (row.isComplex()) {
      int offset = row.pathOffset();
      int length = row.pathLength();
      validate(type.pathType(), column.name(), row.bytes(), offset, length);
      cellPathOrder.check(row);
      type = type.cellType(row.bytes(), offset, length);
    }
    if (!row.isCellTombstone()) {
      validate(type, column.name(), row.bytes(), row.valueOffset(), row.valueLength());
    }
  }

  private void validate(CqlType type, String what, byte[] bytes, int offset, int length)
      throws IOException {
    validate(type, what, bytes, offset, length, data.unfilteredPosition());
  }

  private void validate(
      CqlType type, String what, byte[] bytes, int offset, int length, long position)
      throws IOException {
    try {
      type.validate(bytes, offset, length);
    } catch (IllegalArgumentException e) {
      throw table.dataCorrupt(
          position, what + " of partition " + partition + " is no " + type + ": " + e.getMessage());
    }
  }
}
