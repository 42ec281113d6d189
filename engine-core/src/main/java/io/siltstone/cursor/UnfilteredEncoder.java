package io.siltstone.cursor;

import static io.siltstone.cursor.UnfilteredFormat.CELL_HAS_EMPTY_VALUE;
import static io.siltstone.cursor.UnfilteredFormat.CELL_IS_DELETED;
import static io.siltstone.cursor.UnfilteredFormat.CELL_IS_EXPIRING;
import static io.siltstone.cursor.UnfilteredFormat.CELL_USE_ROW_TIMESTAMP;
import static io.siltstone.cursor.UnfilteredFormat.CELL_USE_ROW_TTL;
import static io.siltstone.cursor.UnfilteredFormat.EXTENSION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_ALL_COLUMNS;
import static io.siltstone.cursor.UnfilteredFormat.HAS_COMPLEX_DELETION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_DELETION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_SHADOWABLE_DELETION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_TIMESTAMP;
import static io.siltstone.cursor.UnfilteredFormat.HAS_TTL;
import static io.siltstone.cursor.UnfilteredFormat.IS_MARKER;
import static io.siltstone.cursor.UnfilteredFormat.IS_STATIC;

import io.siltstone.bytes.Vint;
import java.util.Arrays;

/**
 * Serializes rows and markers, one at a time, into an array of its own, which an {@link Unfiltered}
 * can be pointed at.
 *
 * <p>Use, in this order: {@link #beginRow} or {@link #beginStaticRow}; {@link #clusteringValue} per
 * clustering column (or {@link #clustering}); {@link #liveness} and {@link #deletion} if there are;
 * per column in the encoding's order {@link #column}, {@link #complexDeletion} and {@link #cell}s
 * in path order; {@link #finish}. Markers: {@link #marker}.
 *
 * <p>Reusable, confined to one thread; allocates nothing once its arrays have grown to the largest
 * row. The byte form is in {@link UnfilteredFormat}.
 */
public final class UnfilteredEncoder {
  // The arrays grow with the rows; each shard of each table may have an encoder.
  private static final int COLUMN_SLOTS = 4;
  private static final int FIRST_BYTES = 256;

  private final RowEncoding encoding;
  private final ClusteringEncoder clustering;

  private boolean isStatic;
  private RowEncoding.Columns columns;
  private long livenessTimestamp;
  private int livenessTtl;
  private long livenessExpirationTime;
  private long deletionTimestamp;
  private long deletionLocalTime;
  private boolean deletionShadowable;

  // The cells in the order of their columns. The headers of the columns are known only at the end
  // of the row.
  private byte[] cells = new byte[FIRST_BYTES];
  private int cellsLength;
  private int columnCount;
  private int[] columnIndexes = new int[COLUMN_SLOTS];
  private int[] columnFrom = new int[COLUMN_SLOTS];
  private int[] columnCells = new int[COLUMN_SLOTS];
  private long[] complexTimestamps = new long[COLUMN_SLOTS];
  private long[] complexLocalTimes = new long[COLUMN_SLOTS];
  private boolean anyComplexDeletion;

  private byte[] out = new byte[FIRST_BYTES];
  private final EncodedUnfiltered encoded = new EncodedUnfiltered();

  /** Creates an encoder for rows in the given encoding. */
  public UnfilteredEncoder(RowEncoding encoding) {
    this.encoding = encoding;
    this.columns = encoding.columns(false);
    this.clustering = new ClusteringEncoder(encoding);
  }

  /** Returns the encoding of the rows written. */
  public RowEncoding encoding() {
    return encoding;
  }

  /**
   * Returns the unfiltered that was finished last. It is always the same object, which is empty
   * from the beginning of an unfiltered to its end.
   */
  public EncodedUnfiltered encoded() {
    return encoded;
  }

  /** Returns the size in bytes of the buffers, which grow to the largest row. */
  public int heldBytes() {
    return cells.length + out.length;
  }

  /** Begins a row; its clustering values follow. */
  public void beginRow() {
    begin(false);
  }

  /** Begins a static row. */
  public void beginStaticRow() {
    begin(true);
  }

  private void begin(boolean isStatic) {
    this.isStatic = isStatic;
    columns = encoding.columns(isStatic);
    clustering.reset();
    livenessTimestamp = DeletionTime.NO_TIMESTAMP;
    livenessTtl = DeletionTime.NO_TTL;
    livenessExpirationTime = DeletionTime.NO_DELETION_TIME;
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    deletionShadowable = false;
    cellsLength = 0;
    columnCount = 0;
    anyComplexDeletion = false;
    encoded.clear();
  }

  /**
   * Adds the next clustering value. A length of 0 is an empty value, {@link Clustering#NULL} as the
   * length a null.
   */
  public void clusteringValue(byte[] bytes, int offset, int length) {
    clustering.value(bytes, offset, length);
  }

  /** Copies all clustering values of another prefix. */
  public void clustering(Clustering other) {
    clustering.copy(other);
  }

  /**
   * Sets the primary key liveness. {@code ttl} and {@code expirationTime} as in {@link Unfiltered}.
   */
  public void liveness(long timestamp, int ttl, long expirationTime) {
    livenessTimestamp = timestamp;
    livenessTtl = ttl;
    livenessExpirationTime = expirationTime;
  }

  /** Sets the row's deletion. */
  public void deletion(long timestamp, long localDeletionTime, boolean shadowable) {
    deletionTimestamp = timestamp;
    deletionLocalTime = localDeletionTime;
    deletionShadowable = shadowable;
  }

  /**
   * Begins a column.
   *
   * @param index among the encoding's columns of this kind of row; greater than the one before
   */
  public void column(int index) {
    if (index >= columns.count || (columnCount > 0 && index <= columnIndexes[columnCount - 1])) {
      throw new IllegalArgumentException(
          "column " + index + " of " + columns.count + " is out of order or range");
    }
    if (columnCount == columnIndexes.length) {
      int slots = 2 * columnCount;
      columnIndexes = Arrays.copyOf(columnIndexes, slots);
      columnFrom = Arrays.copyOf(columnFrom, slots);
      columnCells = Arrays.copyOf(columnCells, slots);
      complexTimestamps = Arrays.copyOf(complexTimestamps, slots);
      complexLocalTimes = Arrays.copyOf(complexLocalTimes, slots);
    }
    columnIndexes[columnCount] = index;
    columnFrom[columnCount] = cellsLength;
    columnCells[columnCount] = 0;
    complexTimestamps[columnCount] = DeletionTime.NO_TIMESTAMP;
    complexLocalTimes[columnCount] = DeletionTime.NO_DELETION_TIME;
    columnCount++;
  }

  /** Sets the deletion of the present complex column. */
  public void complexDeletion(long timestamp, long localDeletionTime) {
    complexTimestamps[columnCount - 1] = timestamp;
    complexLocalTimes[columnCount - 1] = localDeletionTime;
    anyComplexDeletion |= !DeletionTime.isLive(timestamp);
  }

  /**
   * Adds a cell to the present column.
   *
   * @param timestamp in microseconds
   * @param ttl in seconds, {@link DeletionTime#NO_TTL} without
   * @param localDeletionTime as in {@link Unfiltered#cellLocalDeletionTime()}
   * @param pathBytes the path of a cell in a complex column; ignored in simple ones
   */
  public void cell(
      long timestamp,
      int ttl,
      long localDeletionTime,
      byte[] pathBytes,
      int pathOffset,
      int pathLength,
      byte[] valueBytes,
      int valueOffset,
      int valueLength) {
    int column = columnCount - 1;
    int index = columnIndexes[column];
    boolean complex = columns.complex[index];
    int fixed = columns.cellLengths[index];
    if (fixed >= 0 && valueLength != fixed && valueLength != 0) {
      throw new IllegalArgumentException(
          "value of "
              + valueLength
              + " bytes in column "
              + encoding.header().columns(isStatic).get(index).name()
              + ", whose values have "
              + fixed);
    }
    columnCells[column]++;
    boolean expiring = ttl != DeletionTime.NO_TTL;
    boolean deleted = !expiring && localDeletionTime != DeletionTime.NO_DELETION_TIME;
    boolean hasLiveness = livenessTimestamp != DeletionTime.NO_TIMESTAMP;
    boolean rowTimestamp = hasLiveness && timestamp == livenessTimestamp;
    boolean rowTtl =
        expiring
            && hasLiveness
            && ttl == livenessTtl
            && localDeletionTime == livenessExpirationTime;
    int flags =
        (valueLength == 0 ? CELL_HAS_EMPTY_VALUE : 0)
            | (deleted ? CELL_IS_DELETED : 0)
            | (expiring ? CELL_IS_EXPIRING : 0)
            | (rowTimestamp ? CELL_USE_ROW_TIMESTAMP : 0)
            | (rowTtl ? CELL_USE_ROW_TTL : 0);
    // Besides path and value there are at most the flags and five numbers.
    cells = grown(cells, cellsLength, 1 + 5L * Vint.MAX_LENGTH + pathLength + valueLength);
    byte[] to = cells;
    int at = cellsLength;
    to[at++] = (byte) flags;
    if (!rowTimestamp) {
      at = Vint.write(to, at, timestamp - encoding.minTimestamp());
    }
    if ((deleted || expiring) && !rowTtl) {
      at = writeLocalDeletionTime(to, at, localDeletionTime);
    }
    if (expiring && !rowTtl) {
      at = Vint.write(to, at, ttl - encoding.minTtl());
    }
    if (complex) {
      at = Vint.write(to, at, pathLength);
      System.arraycopy(pathBytes, pathOffset, to, at, pathLength);
      at += pathLength;
    }
    if (valueLength > 0) {
      if (fixed < 0) {
        at = Vint.write(to, at, valueLength);
      }
      System.arraycopy(valueBytes, valueOffset, to, at, valueLength);
      at += valueLength;
    }
    cellsLength = at;
  }

  /** Copies the present cell of another row, with its path and value. */
  public void copyCell(Unfiltered row) {
    cell(
        row.cellTimestamp(),
        row.cellTtl(),
        row.cellLocalDeletionTime(),
        row.bytes(),
        row.pathOffset(),
        row.pathLength(),
        row.bytes(),
        row.valueOffset(),
        row.valueLength());
  }

  /** Returns whether the row begun has neither liveness nor deletion nor column so far. */
  public boolean isEmpty() {
    return DeletionTime.isLive(livenessTimestamp)
        && DeletionTime.isLive(deletionTimestamp)
        && columnCount == 0;
  }

  /**
   * Completes the row.
   *
   * @param previousSize what to write as bytes from the unfiltered before
   * @return its bytes, valid until the next unfiltered is begun
   */
  public EncodedUnfiltered finish(long previousSize) {
    boolean hasTimestamp = !DeletionTime.isLive(livenessTimestamp);
    boolean hasTtl = hasTimestamp && livenessTtl != DeletionTime.NO_TTL;
    boolean hasDeletion = !DeletionTime.isLive(deletionTimestamp);
    int extended =
        (isStatic ? IS_STATIC : 0)
            | (hasDeletion && deletionShadowable ? HAS_SHADOWABLE_DELETION : 0);
    int flags =
        (hasTimestamp ? HAS_TIMESTAMP : 0)
            | (hasTtl ? HAS_TTL : 0)
            | (hasDeletion ? HAS_DELETION : 0)
            | (columnCount == columns.count ? HAS_ALL_COLUMNS : 0)
            | (anyComplexDeletion ? HAS_COMPLEX_DELETION : 0)
            | (extended != 0 ? EXTENSION : 0);
    long numbers = 8L + columns.count + 3L * columnCount;
    long atMost = 16 + clustering.length() + numbers * Vint.MAX_LENGTH + cellsLength;
    // The body is first written to the end of the buffer, because its size precedes it.
    int bodyRoom = 2 + clustering.length() + 2 * Vint.MAX_LENGTH;
    out = grown(out, 0, bodyRoom + atMost);
    int bodyFrom = bodyRoom;
    int at = bodyFrom;
    if (hasTimestamp) {
      at = Vint.write(out, at, livenessTimestamp - encoding.minTimestamp());
      if (hasTtl) {
        at = Vint.write(out, at, livenessTtl - encoding.minTtl());
        at = writeLocalDeletionTime(out, at, livenessExpirationTime);
      }
    }
    if (hasDeletion) {
      at = writeDeletion(out, at, deletionTimestamp, deletionLocalTime);
    }
    if (columnCount != columns.count) {
      at = ColumnSubset.write(out, at, columnIndexes, columnCount, columns.count);
    }
    if (columns.hasComplex) {
      return assemble(flags, extended, previousSize, bodyFrom, writeComplexCells(at), 0);
    }
    return assemble(flags, extended, previousSize, bodyFrom, at, cellsLength);
  }

  /**
   * Puts the parts of a row together.
   *
   * @param bodyFrom where its body begins in the buffer; it ends at {@code bodyTo}
   * @param cellBytes of the cells that follow, which are not in the buffer yet
   */
  private EncodedUnfiltered assemble(
      int flags, int extended, long previousSize, int bodyFrom, int bodyTo, int cellBytes) {
    int at = 0;
    out[at++] = (byte) flags;
    if ((flags & EXTENSION) != 0) {
      out[at++] = (byte) extended;
    }
    if (!isStatic) {
      at = clustering.copyTo(out, at);
    }
    int body = bodyTo - bodyFrom;
    at = Vint.write(out, at, body + (long) cellBytes + Vint.length(previousSize));
    at = Vint.write(out, at, previousSize);
    System.arraycopy(out, bodyFrom, out, at, body);
    at += body;
    System.arraycopy(cells, 0, out, at, cellBytes);
    return encoded.set(out, at + cellBytes);
  }

  private int writeComplexCells(int to) {
    int at = to;
    for (int i = 0; i < columnCount; i++) {
      if (columns.complex[columnIndexes[i]]) {
        if (anyComplexDeletion) {
          at = writeDeletion(out, at, complexTimestamps[i], complexLocalTimes[i]);
        }
        at = Vint.write(out, at, columnCells[i]);
      }
      int behind = i + 1 < columnCount ? columnFrom[i + 1] : cellsLength;
      int bytes = behind - columnFrom[i];
      System.arraycopy(cells, columnFrom[i], out, at, bytes);
      at += bytes;
    }
    return at;
  }

  /**
   * Writes a whole marker.
   *
   * @param bound place and kind of the marker
   * @param timestamp of the range it ends, or begins if it is a start bound
   * @param openTimestamp of the range that begins; used for boundaries only
   * @return its bytes, valid until the next unfiltered is begun
   */
  public EncodedUnfiltered marker(
      Clustering bound,
      long timestamp,
      long localDeletionTime,
      long openTimestamp,
      long openLocalTime,
      long previousSize) {
    encoded.clear();
    clustering.copy(bound);
    out = grown(out, 0, 4L + clustering.length() + 8L * Vint.MAX_LENGTH);
    int bodyRoom = 4 + clustering.length() + 2 * Vint.MAX_LENGTH;
    int bodyTo = writeDeletion(out, bodyRoom, timestamp, localDeletionTime);
    if (bound.kind().isBoundary()) {
      bodyTo = writeDeletion(out, bodyTo, openTimestamp, openLocalTime);
    }
    int at = 0;
    out[at++] = IS_MARKER;
    out[at++] = bound.kind().code();
    out[at++] = (byte) (bound.size() >> 8);
    out[at++] = (byte) bound.size();
    at = clustering.copyTo(out, at);
    int body = bodyTo - bodyRoom;
    at = Vint.write(out, at, body + Vint.length(previousSize));
    at = Vint.write(out, at, previousSize);
    System.arraycopy(out, bodyRoom, out, at, body);
    return encoded.set(out, at + body);
  }

  /**
   * Writes a row or marker of another encoding in this one.
   *
   * @param other with its body read; its walk over the columns is used up
   * @param columnMap this encoding's index for each of the other's columns of that kind of row, -1
   *     to leave one out
   * @return its bytes, valid until the next unfiltered is begun
   */
  public EncodedUnfiltered transcode(Unfiltered other, int[] columnMap, long previousSize)
      throws java.io.IOException {
    if (other.isMarker()) {
      return marker(
          other.clustering(),
          other.deletionTimestamp(),
          other.deletionLocalTime(),
          other.openTimestamp(),
          other.openLocalTime(),
          previousSize);
    }
    begin(other.isStatic());
    if (!isStatic) {
      clustering(other.clustering());
    }
    if (other.hasLiveness()) {
      liveness(other.livenessTimestamp(), other.livenessTtl(), other.livenessExpirationTime());
    }
    if (other.hasDeletion()) {
      deletion(other.deletionTimestamp(), other.deletionLocalTime(), other.isDeletionShadowable());
    }
    other.rewind();
    while (other.nextColumn()) {
      int index = columnMap[other.columnIndex()];
      if (index < 0) {
        continue;
      }
      column(index);
      if (other.isComplex() && !DeletionTime.isLive(other.complexDeletionTimestamp())) {
        complexDeletion(other.complexDeletionTimestamp(), other.complexDeletionLocalTime());
      }
      while (other.nextCell()) {
        copyCell(other);
      }
    }
    return finish(previousSize);
  }

  private int writeDeletion(byte[] to, int at, long timestamp, long localDeletionTime) {
    if (localDeletionTime - encoding.minLocalDeletionTime() > Integer.MAX_VALUE
        && localDeletionTime != DeletionTime.INVALID_DELETION_TIME
        && !DeletionTime.isLive(timestamp)) {
      throw new UnwritableException(
          "local deletion time "
              + localDeletionTime
              + " cannot be written in a table whose least is "
              + encoding.minLocalDeletionTime()
              + ": the format holds a difference of at most "
              + Integer.MAX_VALUE
              + " s");
    }
    return writeLocalDeletionTime(
        to, Vint.write(to, at, timestamp - encoding.minTimestamp()), localDeletionTime);
  }

  private int writeLocalDeletionTime(byte[] to, int at, long localDeletionTime) {
    // An invalid time, for example of a TTL that overflowed (CASSANDRA-14092), is kept as it is.
    if (localDeletionTime != DeletionTime.INVALID_DELETION_TIME) {
      encoding.checkDeletionTime(localDeletionTime);
    }
    // The difference wraps around in 32 bits and is sign-extended, as in Cassandra.
    int delta = (int) (localDeletionTime - encoding.minLocalDeletionTime());
    return Vint.write(to, at, delta);
  }

  static byte[] grown(byte[] array, int used, long more) {
    long needed = used + more;
    if (needed <= array.length) {
      return array;
    }
    if (needed > Integer.MAX_VALUE - 8) {
      throw new UnwritableException(
          "row of more than " + needed + " bytes, allowed " + (Integer.MAX_VALUE - 8));
    }
    return Arrays.copyOf(
        array, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * array.length)));
  }
}
