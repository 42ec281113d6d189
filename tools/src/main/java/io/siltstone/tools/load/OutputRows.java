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
 * What of a table is alive: deletions of the partition, of ranges, rows and collections hide what
 * is not newer, and what has expired is gone. Rows are printed into an {@link OutputRow}, one at a
 * time, static columns with each. A partition of static columns only is one row without clustering.
 *
 * <p>Confined to one thread. Source: Cassandra {@code LivenessInfo}, {@code AbstractCell}, {@code
 * DeletionTime#deletes}.
 */
final class OutputRows {
  private final PartitionCursor cursor;
  private final OutputColumns columns;
  private final ValueText values;
  private final long nowSeconds;
  private final Stop stop;
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
   * @param nowSeconds at which rows must be alive, in seconds since 1970
   * @param stop has it end before its time, be anything alive or not
   */
  OutputRows(
      PartitionCursor cursor, OutputColumns columns, ValueText values, long nowSeconds, Stop stop) {
    this.cursor = cursor;
    this.columns = columns;
    this.values = values;
    this.nowSeconds = nowSeconds;
    this.stop = stop;
    this.row = new OutputRow(columns.names().size());
  }

  /** The present row. */
  OutputRow row() {
    return row;
  }

  /**
   * Moves to the next live row.
   *
   * @return false behind the last
   * @throws java.io.InterruptedIOException if it is to end before
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
        // Behind each part is a byte that is zero in keys.
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

  /** Prints the row's clustering and cells; whether it is alive. */
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

  /** Prints the columns that have live cells; whether there is any. */
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

  /** Rows come in the encodings of their files; mostly in that of the one before. */
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

  /** Gathers the live cells of a collection or user type as the value it would be if frozen. */
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
                  + " behind the first "
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

  /** Number of the field of a user type that a cell is of, -1 if its path is none. */
  private static int fieldOf(Unfiltered cell) {
    return cell.pathLength() == Short.BYTES
        ? BigEndian.getShort(cell.bytes(), cell.pathOffset())
        : -1;
  }
}
