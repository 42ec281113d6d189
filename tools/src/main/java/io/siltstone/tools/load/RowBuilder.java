package io.siltstone.tools.load;

import io.siltstone.BulkWriter;
import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.ColumnKind;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.Arrays;

/**
 * Collects the values of one input row, and passes it to the bulk writer as a row and a static row
 * in their serialized form.
 *
 * <p>Use: {@link #begin}; {@link #beginValue} and {@link #endValue}, or {@link #setNull}, for each
 * given column; {@link #finish}. Allocates nothing per row. Confined to one thread.
 */
final class RowBuilder {
  /** Greatest length of all clustering values of a row together, as in Cassandra. */
  private static final int MAX_CLUSTERING_BYTES = 0xffff;

  private static final byte ABSENT = 0;
  private static final byte NULL = 1;
  private static final byte VALUE = 2;
  private static final byte[] NOTHING = {};

  private final InputColumns columns;
  private final Partitioner partitioner;
  private final CellTimes times;
  private final BulkWriter writer;
  private final UnfilteredEncoder encoder;
  private final PartitionUpdate update;
  private final PartitionKey partition = new PartitionKey();
  private final RepeatableListPaths paths;
  private final long[] hash = new long[2];

  private final byte[] states;
  private final int[] from;
  private final int[] to;
  private final ByteSink values = new ByteSink(1024);
  private final ByteSink key = new ByteSink(64);
  private final ByteSink lastStatic = new ByteSink(64);
  private final byte[] fieldPath = new byte[Short.BYTES];

  RowBuilder(
      InputColumns columns,
      RowEncoding encoding,
      Partitioner partitioner,
      CellTimes times,
      BulkWriter writer) {
    this.columns = columns;
    this.partitioner = partitioner;
    this.times = times;
    this.writer = writer;
    this.encoder = new UnfilteredEncoder(encoding);
    this.update = new PartitionUpdate(encoding);
    this.paths = new RepeatableListPaths(times.timestampMicros());
    this.states = new byte[columns.count()];
    this.from = new int[columns.count()];
    this.to = new int[columns.count()];
  }

  /** Returns the columns of the table. */
  InputColumns columns() {
    return columns;
  }

  /** Begins a row. */
  void begin() {
    Arrays.fill(states, ABSENT);
    values.clear();
  }

  /**
   * Begins the value of a column; the caller appends its bytes to the returned sink.
   *
   * @throws IllegalArgumentException if the column was given already
   */
  ByteSink beginValue(int column) {
    checkAbsent(column);
    from[column] = values.length();
    return values;
  }

  /** Ends the current value. */
  void endValue(int column) {
    states[column] = VALUE;
    to[column] = values.length();
  }

  /** Sets a column to null, which deletes its previous value. */
  void setNull(int column) {
    checkAbsent(column);
    states[column] = NULL;
  }

  private void checkAbsent(int column) {
    if (states[column] != ABSENT) {
      throw new IllegalArgumentException("is given twice in one row");
    }
  }

  /**
   * Passes the row to the bulk writer.
   *
   * @throws BadRowException if it has no valid primary key, or is too long
   */
  void finish() throws IOException {
    makeKey();
    boolean hasStatic = anyPresent(ColumnKind.STATIC);
    boolean hasRow = !isStaticOnly(hasStatic);
    update.begin(partition);
    try {
      if (hasStatic) {
        encodeStatic();
        addStatic();
      }
      if (hasRow) {
        encodeRow();
        update.add(encoder);
      }
    } catch (IllegalArgumentException e) {
      throw new BadRowException(String.valueOf(e.getMessage()));
    }
    if (!update.isEmpty()) {
      writer.add(update);
    }
  }

  private void makeKey() {
    int count = columns.count(ColumnKind.PARTITION_KEY);
    key.clear();
    for (int i = 0; i < count; i++) {
      checkPresent(i);
      int length = to[i] - from[i];
      if (length > PartitionKey.MAX_LENGTH) {
        throw keyTooLong(i, length);
      }
      if (count == 1) {
        if (length == 0) {
          throw new BadRowException(
              "column '"
                  + columns.get(i).name()
                  + "': the partition key is empty, which is not allowed");
        }
        key.put(values.bytes(), from[i], length);
      } else {
        key.putShort(length);
        key.put(values.bytes(), from[i], length);
        key.put(0);
      }
    }
    if (key.length() > PartitionKey.MAX_LENGTH) {
      throw keyTooLong(0, key.length());
    }
    long token = partitioner.token(key.bytes(), 0, key.length(), hash);
    partition.wrap(key.bytes(), 0, key.length(), token);
  }

  private BadRowException keyTooLong(int column, int length) {
    return new BadRowException(
        "column '"
            + columns.get(column).name()
            + "': a partition key of "
            + length
            + " bytes, allowed "
            + PartitionKey.MAX_LENGTH);
  }

  private void checkPresent(int column) {
    if (states[column] != VALUE) {
      throw new BadRowException(
          "column '"
              + columns.get(column).name()
              + "' of the primary key is "
              + (states[column] == NULL ? "null" : "missing"));
    }
  }

  private boolean anyPresent(ColumnKind kind) {
    int first = columns.first(kind);
    int behind = first + columns.count(kind);
    for (int i = first; i < behind; i++) {
      if (states[i] != ABSENT) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether only the partition and its static columns are given. Checks the clustering. */
  private boolean isStaticOnly(boolean hasStatic) {
    int count = columns.count(ColumnKind.CLUSTERING);
    int first = columns.first(ColumnKind.CLUSTERING);
    if (hasStatic && count > 0 && !anyPresent(ColumnKind.CLUSTERING)) {
      if (anyPresent(ColumnKind.REGULAR)) {
        checkPresent(first);
      }
      return true;
    }
    long bytes = 0;
    for (int i = first; i < first + count; i++) {
      checkPresent(i);
      bytes += to[i] - from[i];
    }
    if (bytes > MAX_CLUSTERING_BYTES) {
      throw new BadRowException(
          "clustering of " + bytes + " bytes, allowed " + MAX_CLUSTERING_BYTES);
    }
    return false;
  }

  private void encodeRow() {
    encoder.beginRow();
    int first = columns.first(ColumnKind.CLUSTERING);
    int count = columns.count(ColumnKind.CLUSTERING);
    for (int i = first; i < first + count; i++) {
      encoder.clusteringValue(values.bytes(), from[i], to[i] - from[i]);
    }
    encoder.liveness(times.timestampMicros(), times.ttlSeconds(), times.expirationSeconds());
    encodeCells(ColumnKind.REGULAR);
    encoder.finish(0);
  }

  private void encodeStatic() {
    encoder.beginStaticRow();
    encodeCells(ColumnKind.STATIC);
    encoder.finish(0);
  }

  private void encodeCells(ColumnKind kind) {
    int first = columns.first(kind);
    int count = columns.count(kind);
    for (int i = 0; i < count; i++) {
      int column = first + i;
      if (states[column] == ABSENT) {
        continue;
      }
      encoder.column(i);
      CqlType type = columns.get(column).type();
      if (type.isMultiCell()) {
        encoder.complexDeletion(times.overwrittenMicros(), times.nowSeconds());
        if (states[column] == VALUE) {
          encodeElements(type, from[column], to[column]);
        }
      } else if (states[column] == NULL) {
        encoder.cell(
            times.timestampMicros(),
            DeletionTime.NO_TTL,
            times.nowSeconds(),
            NOTHING,
            0,
            0,
            NOTHING,
            0,
            0);
      } else {
        cell(NOTHING, 0, 0, from[column], to[column] - from[column]);
      }
    }
  }

  private void cell(byte[] path, int pathFrom, int pathLength, int valueFrom, int valueLength) {
    encoder.cell(
        times.timestampMicros(),
        times.ttlSeconds(),
        times.expirationSeconds(),
        path,
        pathFrom,
        pathLength,
        values.bytes(),
        valueFrom,
        valueLength);
  }

  /**
   * Encodes the elements of a collection or user-defined type, which lie there as if it were
   * frozen, as cells.
   */
  private void encodeElements(CqlType type, int start, int end) {
    byte[] bytes = values.bytes();
    switch (type.kind()) {
      case LIST -> {
        paths.begin();
        for (int at = start + Integer.BYTES; at < end; ) {
          int length = BigEndian.getInt(bytes, at);
          cell(paths.next(), 0, RepeatableListPaths.LENGTH, at + Integer.BYTES, length);
          at += Integer.BYTES + length;
        }
      }
      case SET -> {
        for (int at = start + Integer.BYTES; at < end; ) {
          int length = BigEndian.getInt(bytes, at);
          cell(bytes, at + Integer.BYTES, length, 0, 0);
          at += Integer.BYTES + length;
        }
      }
      case MAP -> {
        for (int at = start + Integer.BYTES; at < end; ) {
          int pathLength = BigEndian.getInt(bytes, at);
          int valueAt = at + Integer.BYTES + pathLength;
          int length = BigEndian.getInt(bytes, valueAt);
          cell(bytes, at + Integer.BYTES, pathLength, valueAt + Integer.BYTES, length);
          at = valueAt + Integer.BYTES + length;
        }
      }
      case USER -> {
        int field = 0;
        for (int at = start; at < end; field++) {
          int length = BigEndian.getInt(bytes, at);
          if (length >= 0) {
            BigEndian.putShort(fieldPath, 0, field);
            cell(fieldPath, 0, fieldPath.length, at + Integer.BYTES, length);
          }
          at += Integer.BYTES + Math.max(length, 0);
        }
      }
      default -> throw new IllegalStateException(type.cqlName() + " has no cells");
    }
  }

  private void addStatic() {
    byte[] row = encoder.encoded().bytes();
    int rowLength = encoder.encoded().length();
    if (isSameStatic(row, rowLength)) {
      return;
    }
    update.add(encoder);
    lastStatic.clear();
    lastStatic.put(key.bytes(), 0, key.length());
    lastStatic.put(row, 0, rowLength);
  }

  /**
   * Returns whether the static row repeats the previous one, as in most rows of a partition: then
   * it need not be sorted again.
   */
  private boolean isSameStatic(byte[] row, int rowLength) {
    byte[] last = lastStatic.bytes();
    int keyLength = key.length();
    return lastStatic.length() == keyLength + rowLength
        && Arrays.equals(last, 0, keyLength, key.bytes(), 0, keyLength)
        && Arrays.equals(last, keyLength, keyLength + rowLength, row, 0, rowLength);
  }
}
