package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the live rows of a table: deletions of partitions, ranges, rows and collections hide what
 * is not newer, and expired cells are left out. Rows are printed into an {@link OutputRow}, one at
 * a time, each with the static columns. A partition with only static columns is one row without
 * clustering.
 *
 * <p>Confined to one thread. Source: Cassandra {@code LivenessInfo}, {@code AbstractCell}, {@code
 * DeletionTime#deletes}.
 */
final class OutputRows {
  private final PartitionCursor cursor;
  private final OutputColumns columns;
  private final ValueText values;
  private final long nowSeconds;
  private final CancelFlag stop;
  private final OutputRow row;
  private final ByteSink elements = new ByteSink(256);
  private final Map<RowEncoding, OutputColumns.Places> placesByEncoding = new HashMap<>();

  private @Nullable RowEncoding lastEncoding;
  private OutputColumns.@Nullable Places lastPlaces;

  private boolean inPartition;
  private int partitionValues;
  private boolean staticPending;
  private long rangeTimestamp;

  /**
   * @param nowSeconds time at which rows must be live, in seconds since 1970
   * @param stop ends the reading early, even while no row is live
   */
  OutputRows(
      PartitionCursor cursor,
      OutputColumns columns,
      ValueText values,
      long nowSeconds,
      CancelFlag stop) {
    this.cursor = cursor;
    this.columns = columns;
    this.values = values;
    this.nowSeconds = nowSeconds;
    this.stop = stop;
    this.row = new OutputRow(columns.names().size());
  }

  /** Returns the current row. */
  OutputRow row() {
    return row;
  }

  /**
   * Moves to the next live row.
   *
   * @return false after the last row
   * @throws java.io.InterruptedIOException if the reading is stopped
   */
  boolean next() throws IOException {
    while (true) {
      if (inPartition) {
        row.truncate(partitionValues);
        if (nextInPartition()) {
          return true;
        }
        inPartition = false;
        if (staticPending) {
          staticPending = false;
          row.truncate(partitionValues);
          return true;
        }
      }
      stop.check();
      if (!cursor.nextPartition()) {
        return false;
      }
      beginPartition();
    }
  }

  private void beginPartition() {
    inPartition = true;
    staticPending = false;
    rangeTimestamp = DeletionTime.NO_TIMESTAMP;
    row.truncate(0);
    PartitionKey key = cursor.key();
    if (!columns.hasCompositeKey()) {
      value(0, columns.keyTypes().get(0), key.bytes(), key.offset(), key.length());
    } else {
      int at = key.offset();
      int end = at + key.length();
      for (int i = 0; i < columns.keyTypes().size(); i++) {
        int length = end - at < Short.BYTES ? -1 : BigEndian.getUnsignedShort(key.bytes(), at);
        if (length < 0 || length >= end - at - Short.BYTES) {
          throw new IllegalArgumentException(key + " ends within part " + i);
        }
        value(i, columns.keyTypes().get(i), key.bytes(), at + Short.BYTES, length);
        // A zero byte follows each component of a key.
        at += Short.BYTES + length + 1;
      }
    }
    partitionValues = row.count();
  }

  private void value(int column, CqlType type, byte[] bytes, int offset, int length) {
    values.append(type, bytes, offset, length, row.begin(column));
    row.end(column);
  }

  private boolean nextInPartition() throws IOException {
    while (cursor.nextUnfiltered()) {
      stop.check();
      Unfiltered unfiltered = cursor.unfiltered();
      if (unfiltered.isMarker()) {
        passMarker(unfiltered);
      } else if (unfiltered.isStatic()) {
        staticPending = cells(unfiltered, cursor.deletionTimestamp());
        partitionValues = row.count();
      } else if (isLive(unfiltered)) {
        staticPending = false;
        return true;
      }
    }
    return false;
  }

  private void passMarker(Unfiltered marker) {
    boolean opens =
        switch (marker.clustering().kind()) {
          case INCL_END_BOUND, EXCL_END_BOUND -> false;
          default -> true;
        };
    rangeTimestamp = opens ? marker.openTimestamp() : DeletionTime.NO_TIMESTAMP;
  }

  /** Prints the clustering and the cells of a row, and returns whether the row is live. */
  private boolean isLive(Unfiltered unfiltered) throws IOException {
    long deletion = Math.max(cursor.deletionTimestamp(), rangeTimestamp);
    if (unfiltered.hasDeletion()
        && !(unfiltered.isDeletionShadowable()
            && unfiltered.livenessTimestamp() > unfiltered.deletionTimestamp())) {
      deletion = Math.max(deletion, unfiltered.deletionTimestamp());
    }
    boolean live =
        Liveness.isPrimaryKeyLive(unfiltered, nowSeconds)
            && unfiltered.livenessTimestamp() > deletion;
    Clustering clustering = unfiltered.clustering();
    int firstClustering = columns.keyTypes().size();
    for (int i = 0; i < clustering.size(); i++) {
      if (clustering.valueLength(i) != Clustering.NULL) {
        value(
            firstClustering + i,
            columns.clusteringTypes().get(i),
            clustering.bytes(),
            clustering.valueOffset(i),
            clustering.valueLength(i));
      }
    }
    live |= cells(unfiltered, deletion);
    if (!live) {
      row.truncate(partitionValues);
    }
    return live;
  }

  /** Prints the columns that have live cells, and returns whether there is any. */
  private boolean cells(Unfiltered unfiltered, long deletion) throws IOException {
    boolean any = false;
    boolean isStatic = unfiltered.isStatic();
    OutputColumns.Places places = places(unfiltered.encoding());
    while (unfiltered.nextColumn()) {
      OutputColumns.Place place = places.of(isStatic, unfiltered.columnIndex());
      if (place.index() == OutputColumns.Place.NOWHERE) {
        continue;
      }
      long dead = Math.max(deletion, place.droppedAt());
      CqlType type = place.type();
      if (unfiltered.isComplex()) {
        if (collect(unfiltered, type, Math.max(dead, unfiltered.complexDeletionTimestamp()))) {
          value(place.index(), type.frozen(), elements.bytes(), 0, elements.length());
          any = true;
        }
      } else if (unfiltered.nextCell() && isCellLive(unfiltered, dead)) {
        value(
            place.index(),
            type,
            unfiltered.bytes(),
            unfiltered.valueOffset(),
            unfiltered.valueLength());
        any = true;
      }
    }
    return any;
  }

  /**
   * Returns the places of columns for a row's encoding. Each file has its own; it is mostly the one
   * of the row before.
   */
  private OutputColumns.Places places(RowEncoding encoding) {
    OutputColumns.Places places = lastPlaces;
    if (places == null || encoding != lastEncoding) {
      places = placesByEncoding.computeIfAbsent(encoding, each -> columns.places(each.header()));
      lastEncoding = encoding;
      lastPlaces = places;
    }
    return places;
  }

  private boolean isCellLive(Unfiltered cell, long dead) {
    return cell.cellTimestamp() > dead && Liveness.isCellLive(cell, nowSeconds);
  }

  /**
   * Collects the live cells of a collection or user-defined type into the value that it would be if
   * frozen.
   */
  private boolean collect(Unfiltered unfiltered, CqlType type, long dead) throws IOException {
    elements.clear();
    boolean isUserType = type.kind() == TypeKind.USER;
    if (!isUserType) {
      elements.putInt(0);
    }
    int count = 0;
    int field = 0;
    while (unfiltered.nextCell()) {
      if (!isCellLive(unfiltered, dead)) {
        continue;
      }
      if (isUserType) {
        int path = fieldOf(unfiltered);
        if (path < field || path >= type.elementTypes().size()) {
          throw new IllegalArgumentException(
              "a cell of column '"
                  + unfiltered.column().name()
                  + "' has no path to a field of "
                  + type
                  + " after the first "
                  + field);
        }
        for (; field < path; field++) {
          elements.putInt(-1);
        }
        field++;
      }
      if (type.kind() == TypeKind.SET || type.kind() == TypeKind.MAP) {
        elements.putInt(unfiltered.pathLength());
        elements.put(unfiltered.bytes(), unfiltered.pathOffset(), unfiltered.pathLength());
      }
      if (type.kind() != TypeKind.SET) {
        elements.putInt(unfiltered.valueLength());
        elements.put(unfiltered.bytes(), unfiltered.valueOffset(), unfiltered.valueLength());
      }
      count++;
    }
    if (!isUserType) {
      BigEndian.putInt(elements.bytes(), 0, count);
    }
    return count > 0;
  }

  /**
   * Returns the index of the field of a user-defined type that a cell belongs to, -1 if its path is
   * not valid.
   */
  private static int fieldOf(Unfiltered cell) {
    return cell.pathLength() == Short.BYTES
        ? BigEndian.getShort(cell.bytes(), cell.pathOffset())
        : -1;
  }
}
