package io.siltstone.cursor;

import static io.siltstone.cursor.UnfilteredFormat.CELL_FLAGS;
import static io.siltstone.cursor.UnfilteredFormat.CELL_HAS_EMPTY_VALUE;
import static io.siltstone.cursor.UnfilteredFormat.CELL_IS_DELETED;
import static io.siltstone.cursor.UnfilteredFormat.CELL_IS_EXPIRING;
import static io.siltstone.cursor.UnfilteredFormat.CELL_USE_ROW_TIMESTAMP;
import static io.siltstone.cursor.UnfilteredFormat.CELL_USE_ROW_TTL;
import static io.siltstone.cursor.UnfilteredFormat.END_OF_PARTITION;
import static io.siltstone.cursor.UnfilteredFormat.EXTENSION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_ALL_COLUMNS;
import static io.siltstone.cursor.UnfilteredFormat.HAS_COMPLEX_DELETION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_DELETION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_SHADOWABLE_DELETION;
import static io.siltstone.cursor.UnfilteredFormat.HAS_TIMESTAMP;
import static io.siltstone.cursor.UnfilteredFormat.HAS_TTL;
import static io.siltstone.cursor.UnfilteredFormat.IS_MARKER;
import static io.siltstone.cursor.UnfilteredFormat.IS_STATIC;
import static io.siltstone.cursor.UnfilteredFormat.LARGE_COLUMN_COUNT;

import io.siltstone.bytes.Vint;
import java.io.IOException;

/**
 * A row, a static row or a range-tombstone marker in serialized form: a flyweight that is pointed
 * at bytes and reads them where they lie.
 *
 * <p>Use: {@link #wrap} points it at an unfiltered and reads what comes before the cells. For a
 * row, {@link #nextColumn()} and {@link #nextCell()} then walk the cells, once, forward; {@link
 * #rewind()} begins again:
 *
 * <pre>
 *   while (row.nextColumn()) {
 *     while (row.nextCell()) { ... row.columnIndex(), row.cellTimestamp(), row.valueOffset() ... }
 *   }
 * </pre>
 *
 * <p>It is valid until its owner moves on; callers must not keep it. Confined to one thread.
 * Allocates nothing once its arrays have grown to the table's number of columns. The byte form is
 * in {@link UnfilteredFormat}. Every length is checked against the end of the unfiltered: corrupt
 * bytes cause an exception of the {@link ByteOrigin}, and nothing beyond the end is read.
 */
public final class Unfiltered {
  private static final byte[] NOTHING = {};

  // A negative int takes nine bytes as a vint, an unsigned one at most five.
  private static final int WRAPPED_LENGTH_MISSING = 4;

  private final RowEncoding encoding;
  private final ByteOrigin origin;
  private Clustering clustering = new Clustering();
  // The clustering before the last call of turnClustering().
  private Clustering clusteringBefore = new Clustering();

  private byte[] bytes = NOTHING;
  private int from;
  private int end;
  private int flags;
  private int extendedFlags;
  private int sizeAt;
  private boolean sizeShort;
  private int bodyFrom;
  private long previousSize;

  // In a row: liveness and deletion. In a marker: the deletion that ends and the one that begins.
  private long livenessTimestamp;
  private int livenessTtl;
  private long livenessExpirationTime;
  private long deletionTimestamp;
  private long deletionLocalTime;
  private long openTimestamp;
  private long openLocalTime;

  // The columns present: a bit set if there are fewer than 64 columns, else a list.
  private RowEncoding.Columns columns;
  private long presentBits;
  private int[] presentList = {};
  private int presentCount;
  private int cellsFrom;

  // The position of the walk over the cells.
  private int at;
  private int columnsSeen;
  private long bitsLeft;
  private int columnIndex;
  private boolean complex;
  private long complexDeletionTimestamp;
  private long complexDeletionLocalTime;
  private int cellCount;
  private int cellsLeft;
  private int cellFlags;
  private long cellTimestamp;
  private int cellTtl;
  private long cellLocalDeletionTime;
  private int pathOffset;
  private int pathLength;
  private int valueOffset;
  private int valueLength;

  /**
   * @param encoding that the bytes are written in
   * @param origin that makes the exceptions
   */
  public Unfiltered(RowEncoding encoding, ByteOrigin origin) {
    this.encoding = encoding;
    this.origin = origin;
    this.columns = encoding.columns(false);
  }

  /**
   * Returns whether the byte is the end of a partition rather than the beginning of an unfiltered.
   */
  public static boolean isEndOfPartition(byte flags) {
    return (flags & END_OF_PARTITION) != 0;
  }

  /** Releases the bytes; call {@link #wrap} or {@link #wrapHead} before any other method. */
  public void release() {
    bytes = NOTHING;
    clustering.wrapEmpty(ClusteringKind.CLUSTERING);
  }

  /**
   * Points the flyweight at the unfiltered that begins at {@code from}, and reads its flags,
   * clustering and sizes, which suffice to compare it or to skip it.
   *
   * @param limit index after the last byte there is
   * @return the length of the unfiltered in bytes, which may reach beyond {@code limit}; if not
   *     even its beginning is available, a negative number whose absolute value is the least number
   *     of bytes needed from {@code from} on
   */
  public long wrapHead(byte[] bytes, int from, int limit) throws IOException {
    this.bytes = bytes;
    this.from = from;
    int next = from;
    if (next >= limit) {
      return -1;
    }
    flags = bytes[next++] & 0xff;
    extendedFlags = 0;
    if ((flags & EXTENSION) != 0) {
      if (next >= limit) {
        return -2;
      }
      extendedFlags = bytes[next++] & 0xff;
    }
    checkFlags();
    long behind = wrapClustering(bytes, next, limit);
    if (behind < 0) {
      return behind == Long.MIN_VALUE ? Long.MIN_VALUE : behind - (next - from);
    }
    next = (int) behind;
    if (!Vint.isWhole(bytes, next, limit)) {
      return -(next - from + (long) Vint.MAX_LENGTH);
    }
    sizeAt = next;
    long size = Vint.read(bytes, next);
    next += Vint.lengthFrom(bytes[next]);
    bodyFrom = next;
    // A size that exceeds an array cannot be read; a negative one is corrupt.
    if (size < 1 || size > Integer.MAX_VALUE - 8L) {
      throw origin.corrupt(
          next, "size " + size + " of a row or marker, allowed 1 to " + (Integer.MAX_VALUE - 8));
    }
    long length = next - from + size;
    sizeShort = false;
    if (isMarker()) {
      length = markerLength(length, limit);
    }
    end = (int) Math.min(Integer.MAX_VALUE, from + length);
    return length;
  }

  /**
   * Returns the true length of a marker whose size field gives {@code length}; if more bytes are
   * needed, the same as {@link #wrapHead}. For a deletion time that wraps around in 32 bits,
   * Cassandra 5.0 counts four bytes less than it writes, and it ignores the size when it reads
   * markers. A deletion time before the base takes nine bytes, too, all of which are counted.
   */
  private long markerLength(long length, int limit) {
    int numbers = clustering.kind().isBoundary() ? 5 : 3;
    int next = bodyFrom;
    int missing = 0;
    for (int i = 0; i < numbers; i++) {
      if (next - from >= length + missing) {
        return length;
      }
      if (next >= limit) {
        return from - next - 1L;
      }
      int bytesOfNumber = Vint.lengthFrom(bytes[next]);
      // The first number is the previous size; timestamps and deletion times follow in turn.
      if (i > 0 && i % 2 == 0 && bytesOfNumber == Vint.MAX_LENGTH) {
        missing += WRAPPED_LENGTH_MISSING;
      }
      next += bytesOfNumber;
    }
    long uncounted = next - from - length;
    sizeShort = uncounted > 0 && uncounted <= missing && uncounted % WRAPPED_LENGTH_MISSING == 0;
    return sizeShort ? next - from : length;
  }

  private void checkFlags() throws IOException {
    if ((flags & END_OF_PARTITION) != 0) {
      throw origin.corrupt(
          from, "flags 0x" + Integer.toHexString(flags) + " mark an end of partition");
    }
    if ((extendedFlags & ~(IS_STATIC | HAS_SHADOWABLE_DELETION)) != 0) {
      throw origin.corrupt(
          from + 1, "extended flags 0x" + Integer.toHexString(extendedFlags) + ", allowed 0 to 3");
    }
    if (isMarker() && flags != IS_MARKER) {
      throw origin.corrupt(
          from, "flags 0x" + Integer.toHexString(flags) + " of a marker, allowed 0x2");
    }
    if ((flags & HAS_TTL) != 0 && (flags & HAS_TIMESTAMP) == 0) {
      throw origin.corrupt(
          from, "flags 0x" + Integer.toHexString(flags) + " have a TTL without a timestamp");
    }
  }

  /**
   * Returns the index after the clustering; if bytes are missing, the negative number of bytes
   * needed from {@code at} on.
   */
  private long wrapClustering(byte[] bytes, int at, int limit) throws IOException {
    if (!isMarker()) {
      if (isStatic()) {
        clustering.wrapEmpty(ClusteringKind.STATIC_CLUSTERING);
        return at;
      }
      return clustering.wrap(
          ClusteringKind.CLUSTERING, encoding.clusteringColumns(), encoding, bytes, at, limit);
    }
    if (limit - at < 3) {
      return -3;
    }
    int code = bytes[at];
    if (!ClusteringKind.isCode(code) || !ClusteringKind.ofCode(code).isMarker()) {
      throw origin.corrupt(at, "clustering kind " + code + " of a marker, allowed 0 to 2, 5 to 7");
    }
    int size = (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
    if (size > encoding.clusteringColumns()) {
      throw origin.corrupt(
          at + 1,
          size + " clustering values, the table has " + encoding.clusteringColumns() + " columns");
    }
    long behind =
        clustering.wrap(ClusteringKind.ofCode(code), size, encoding, bytes, at + 3, limit);
    return behind >= 0 || behind == Long.MIN_VALUE ? behind : behind - 3;
  }

  /**
   * Reads the fields before the cells. {@link #wrapHead} must have been called, and the whole
   * unfiltered must be available.
   */
  public void readBody() throws IOException {
    at = bodyFrom;
    previousSize = unsigned();
    if (isMarker()) {
      readMarker();
    } else {
      readRow();
    }
  }

  /**
   * Points the flyweight at a complete unfiltered that ends at {@code limit}: {@link #wrapHead} and
   * {@link #readBody} in one.
   */
  public void wrap(byte[] bytes, int from, int limit) throws IOException {
    long length = wrapHead(bytes, from, limit);
    if (length != limit - from) {
      throw origin.corrupt(
          from, "a row or marker of " + length + " bytes where there are " + (limit - from));
    }
    readBody();
  }

  private void readMarker() throws IOException {
    deletionTimestamp = timestamp();
    deletionLocalTime = deletionTime(deletionTimestamp);
    if (clustering.kind().isBoundary()) {
      openTimestamp = timestamp();
      openLocalTime = deletionTime(openTimestamp);
    } else {
      openTimestamp = deletionTimestamp;
      openLocalTime = deletionLocalTime;
    }
    if (at != end) {
      throw origin.corrupt(at, (end - at) + " bytes after a marker's deletion");
    }
    presentCount = 0;
  }

  private void readRow() throws IOException {
    livenessTimestamp = DeletionTime.NO_TIMESTAMP;
    livenessTtl = DeletionTime.NO_TTL;
    livenessExpirationTime = DeletionTime.NO_DELETION_TIME;
    if ((flags & HAS_TIMESTAMP) != 0) {
      livenessTimestamp = timestamp();
      if ((flags & HAS_TTL) != 0) {
        livenessTtl = ttl();
        livenessExpirationTime = checkExpiration(localDeletionTime(), livenessTtl);
      }
    }
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    if ((flags & HAS_DELETION) != 0) {
      deletionTimestamp = timestamp();
      deletionLocalTime = deletionTime(deletionTimestamp);
    }
    columns = encoding.columns(isStatic());
    readPresentColumns();
    cellsFrom = at;
    rewind();
  }

  private void readPresentColumns() throws IOException {
    int count = columns.count;
    boolean large = count >= LARGE_COLUMN_COUNT;
    long encoded = (flags & HAS_ALL_COLUMNS) != 0 ? 0 : unsigned();
    if (encoded == 0) {
      presentCount = count;
      if (large) {
        ensurePresentList(count);
        for (int i = 0; i < count; i++) {
          presentList[i] = i;
        }
      } else {
        presentBits = (1L << count) - 1;
      }
    } else if (large) {
      readLargeSubset(encoded, count);
    } else {
      long all = (1L << count) - 1;
      if ((encoded & ~all) != 0) {
        throw origin.corrupt(
            at, "missing columns 0x" + Long.toHexString(encoded) + " of " + count + " columns");
      }
      presentBits = all & ~encoded;
      presentCount = Long.bitCount(presentBits);
    }
  }

  private void readLargeSubset(long missing, int count) throws IOException {
    if (missing < 0 || missing > count) {
      throw origin.corrupt(at, missing + " missing columns of " + count);
    }
    presentCount = count - (int) missing;
    ensurePresentList(count);
    if (presentCount < count / 2) {
      int previous = -1;
      for (int i = 0; i < presentCount; i++) {
        previous = columnIndexAfter(previous, count);
        presentList[i] = previous;
      }
      return;
    }
    int present = 0;
    int previous = -1;
    for (int i = 0; i < missing; i++) {
      int next = columnIndexAfter(previous, count);
      for (int column = previous + 1; column < next; column++) {
        presentList[present++] = column;
      }
      previous = next;
    }
    for (int column = previous + 1; column < count; column++) {
      presentList[present++] = column;
    }
  }

  private int columnIndexAfter(int previous, int count) throws IOException {
    long index = unsigned();
    if (index <= previous || index >= count) {
      throw origin.corrupt(
          at,
          "column index " + index + ", allowed more than " + previous + " and less than " + count);
    }
    return (int) index;
  }

  private void ensurePresentList(int count) {
    if (presentList.length < count) {
      presentList = new int[count];
    }
  }

  /** Returns the encoding of the bytes. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** Returns the array that everything lies in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index in {@link #bytes()} where it begins. */
  public int from() {
    return from;
  }

  /** Returns the index in {@link #bytes()} after it. */
  public int end() {
    return end;
  }

  /** Returns the index in {@link #bytes()} of the field {@code size}. */
  public int sizeAt() {
    return sizeAt;
  }

  /** Returns whether the size that is written is less than the true one. */
  public boolean isSizeShort() {
    return sizeShort;
  }

  /** Returns the index in {@link #bytes()} of the field {@code previous}. */
  int bodyFrom() {
    return bodyFrom;
  }

  /**
   * Returns the index in {@link #bytes()} after the field {@code previous}: what follows is
   * content.
   */
  public int contentFrom() {
    return bodyFrom + Vint.lengthFrom(bytes[bodyFrom]);
  }

  /** Returns whether it is a range-tombstone marker rather than a row. */
  public boolean isMarker() {
    return (flags & IS_MARKER) != 0;
  }

  /** Returns whether it is the static row. */
  public boolean isStatic() {
    return (extendedFlags & IS_STATIC) != 0;
  }

  /** Returns whether it is an empty row: one without liveness, deletion and columns. */
  public boolean isEmpty() {
    return (flags & (IS_MARKER | HAS_TIMESTAMP | HAS_DELETION)) == 0 && presentCount == 0;
  }

  /**
   * Returns whether it is a row without content, although it may have columns: collections with
   * neither a deletion nor cells, which adding no elements leaves. Cassandra skips such rows when
   * it reads. Rewinds the walk over the columns.
   */
  public boolean isWithoutContent() throws IOException {
    if ((flags & (IS_MARKER | HAS_TIMESTAMP | HAS_DELETION)) != 0) {
      return false;
    }
    boolean hasContent = false;
    while (!hasContent && nextColumn()) {
      hasContent = !complex || !DeletionTime.isLive(complexDeletionTimestamp) || cellsLeft > 0;
    }
    rewind();
    return !hasContent;
  }

  /**
   * Keeps the present clustering as {@link #clusteringBefore()}, without a copy; {@link #wrapHead}
   * must follow.
   */
  public void turnClustering() {
    Clustering free = clusteringBefore;
    clusteringBefore = clustering;
    clustering = free;
  }

  /**
   * Returns the clustering that was the present one at the last {@link #turnClustering()}; valid as
   * long as the bytes that it points to are not moved.
   */
  public Clustering clusteringBefore() {
    return clusteringBefore;
  }

  /** Returns the clustering: the place in the partition. */
  public Clustering clustering() {
    return clustering;
  }

  /** Returns the size of the previous unfiltered in bytes, as written in the file. */
  public long previousSize() {
    return previousSize;
  }

  /**
   * Reads the size of the previous unfiltered where only the head of this one is available.
   *
   * @param limit index after the last byte there is
   * @return the size, or -1 if bytes are missing
   */
  public long readPreviousSize(int limit) {
    return Vint.isWhole(bytes, bodyFrom, limit) ? Vint.read(bytes, bodyFrom) : -1;
  }

  /**
   * Returns whether the row has a primary key liveness: it was inserted rather than only updated.
   */
  public boolean hasLiveness() {
    return (flags & HAS_TIMESTAMP) != 0;
  }

  /**
   * Returns the timestamp of the primary key liveness in microseconds, {@link
   * DeletionTime#NO_TIMESTAMP} without.
   */
  public long livenessTimestamp() {
    return livenessTimestamp;
  }

  /**
   * Returns the TTL of the primary key liveness in seconds, {@link DeletionTime#NO_TTL} without.
   */
  public int livenessTtl() {
    return livenessTtl;
  }

  /**
   * Returns when the primary key liveness expires, in seconds since 1970; {@link
   * DeletionTime#NO_DELETION_TIME} if never.
   */
  public long livenessExpirationTime() {
    return livenessExpirationTime;
  }

  /** Returns whether the row was deleted; what is newer than the deletion lives on. */
  public boolean hasDeletion() {
    return (flags & HAS_DELETION) != 0;
  }

  /**
   * Returns whether the row's deletion yields to a newer liveness (materialized views of Cassandra
   * 3).
   */
  public boolean isDeletionShadowable() {
    return (extendedFlags & HAS_SHADOWABLE_DELETION) != 0;
  }

  /**
   * Returns the timestamp of the row's deletion, or of the range that a marker ends (of the one it
   * begins if it ends none).
   */
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  /** Returns the local deletion time that belongs to {@link #deletionTimestamp()}. */
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  /** Returns the timestamp of the range that a marker begins. */
  public long openTimestamp() {
    return openTimestamp;
  }

  /** Returns the local deletion time that belongs to {@link #openTimestamp()}. */
  public long openLocalTime() {
    return openLocalTime;
  }

  /** Returns whether the complex columns of this row carry a deletion (which may say "none"). */
  boolean hasComplexDeletions() {
    return (flags & HAS_COMPLEX_DELETION) != 0;
  }

  /** Returns whether there are complex columns in its table, so that it may have some. */
  boolean mayHaveComplexColumns() {
    return columns.hasComplex;
  }

  /** Begins the walk over the columns anew. */
  public void rewind() {
    at = cellsFrom;
    columnsSeen = 0;
    bitsLeft = presentBits;
    cellsLeft = 0;
  }

  /**
   * Moves to the next column, skipping the remaining cells of the present one.
   *
   * @return false after the last
   */
  public boolean nextColumn() throws IOException {
    while (cellsLeft > 0) {
      nextCell();
    }
    if (columnsSeen == presentCount) {
      if (at != end) {
        throw origin.corrupt(at, (end - at) + " bytes after the last cell of a row");
      }
      return false;
    }
    if (columns.count < LARGE_COLUMN_COUNT) {
      columnIndex = Long.numberOfTrailingZeros(bitsLeft);
      bitsLeft &= bitsLeft - 1;
    } else {
      columnIndex = presentList[columnsSeen];
    }
    columnsSeen++;
    complex = columns.complex[columnIndex];
    if (!complex) {
      cellCount = 1;
    } else {
      readComplexColumn();
    }
    cellsLeft = cellCount;
    return true;
  }

  private void readComplexColumn() throws IOException {
    complexDeletionTimestamp = DeletionTime.NO_TIMESTAMP;
    complexDeletionLocalTime = DeletionTime.NO_DELETION_TIME;
    if ((flags & HAS_COMPLEX_DELETION) != 0) {
      complexDeletionTimestamp = timestamp();
      complexDeletionLocalTime = deletionTime(complexDeletionTimestamp);
    }
    long count = unsigned();
    // A cell takes two bytes at least: its flags and the length of its path.
    if (count < 0 || count > (end - at) / 2) {
      throw origin.corrupt(at, count + " cells of a complex column in " + (end - at) + " bytes");
    }
    cellCount = (int) count;
  }

  /** Returns the index of the present column among the header's columns of this kind of row. */
  public int columnIndex() {
    return columnIndex;
  }

  /** Returns the present column. */
  public HeaderColumn column() {
    return encoding.header().columns(isStatic()).get(columnIndex);
  }

  /** Returns whether the present column is complex. */
  public boolean isComplex() {
    return complex;
  }

  /** Returns the cells of the present column: 1 if it is simple. */
  public int cellCount() {
    return cellCount;
  }

  /**
   * Returns the timestamp of the deletion of all older cells of the present complex column, or
   * {@code NO_TIMESTAMP}.
   */
  public long complexDeletionTimestamp() {
    return complexDeletionTimestamp;
  }

  /** Returns the local deletion time that belongs to {@link #complexDeletionTimestamp()}. */
  public long complexDeletionLocalTime() {
    return complexDeletionLocalTime;
  }

  /**
   * Moves to the next cell of the present column.
   *
   * @return false after the last
   */
  public boolean nextCell() throws IOException {
    if (cellsLeft == 0) {
      return false;
    }
    cellsLeft--;
    if (at >= end) {
      throw origin.corrupt(at, "row ends before its last cell");
    }
    cellFlags = bytes[at++] & 0xff;
    if ((cellFlags & ~CELL_FLAGS) != 0) {
      throw origin.corrupt(
          at - 1, "cell flags 0x" + Integer.toHexString(cellFlags) + ", allowed 0 to 0x1f");
    }
    boolean deleted = (cellFlags & CELL_IS_DELETED) != 0;
    boolean expiring = (cellFlags & CELL_IS_EXPIRING) != 0;
    cellTimestamp = (cellFlags & CELL_USE_ROW_TIMESTAMP) != 0 ? livenessTimestamp : timestamp();
    if ((cellFlags & CELL_USE_ROW_TTL) != 0) {
      cellLocalDeletionTime = livenessExpirationTime;
      cellTtl = livenessTtl;
    } else if (deleted || expiring) {
      cellLocalDeletionTime = localDeletionTime();
      cellTtl = expiring ? ttl() : DeletionTime.NO_TTL;
      cellLocalDeletionTime = checkExpiration(cellLocalDeletionTime, cellTtl);
    } else {
      cellLocalDeletionTime = DeletionTime.NO_DELETION_TIME;
      cellTtl = DeletionTime.NO_TTL;
    }
    if (complex) {
      pathLength = length();
      pathOffset = at;
      at += pathLength;
    } else {
      pathLength = 0;
      pathOffset = at;
    }
    if ((cellFlags & CELL_HAS_EMPTY_VALUE) != 0) {
      valueLength = 0;
      valueOffset = at;
      return true;
    }
    int fixed = columns.cellLengths[columnIndex];
    valueLength = fixed < 0 ? length() : fixed;
    valueOffset = at;
    if (valueLength > end - at) {
      throw origin.corrupt(
          at, "a cell's value of " + valueLength + " bytes, " + (end - at) + " left in the row");
    }
    at += valueLength;
    return true;
  }

  /** Returns the timestamp of the present cell in microseconds. */
  public long cellTimestamp() {
    return cellTimestamp;
  }

  /**
   * Returns the TTL of the present cell in seconds, {@link DeletionTime#NO_TTL} if it does not
   * expire.
   */
  public int cellTtl() {
    return cellTtl;
  }

  /**
   * Returns when the present cell expires, or was deleted, in seconds since 1970; {@link
   * DeletionTime#NO_DELETION_TIME} if neither.
   */
  public long cellLocalDeletionTime() {
    return cellLocalDeletionTime;
  }

  /** Returns whether the present cell is a tombstone. */
  public boolean isCellTombstone() {
    return cellLocalDeletionTime != DeletionTime.NO_DELETION_TIME && cellTtl == DeletionTime.NO_TTL;
  }

  /** Returns whether the present cell has a TTL; it may have passed. */
  public boolean isCellExpiring() {
    return cellTtl != DeletionTime.NO_TTL;
  }

  /** Returns the index in {@link #bytes()} of the present cell's path. */
  public int pathOffset() {
    return pathOffset;
  }

  /** Returns the number of bytes of the present cell's path; 0 in simple columns. */
  public int pathLength() {
    return pathLength;
  }

  /** Returns the index in {@link #bytes()} of the present cell's value. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Returns the number of bytes of the present cell's value; 0 for a tombstone. */
  public int valueLength() {
    return valueLength;
  }

  /** Returns the exception for content that the reader finds invalid; it names the place. */
  IOException corrupt(String reason) {
    return origin.corrupt(from, reason);
  }

  private long unsigned() throws IOException {
    if (!Vint.isWhole(bytes, at, end)) {
      throw origin.corrupt(at, "row or marker ends within a number");
    }
    byte first = bytes[at];
    if (first >= 0) {
      at++;
      return first;
    }
    long value = Vint.read(bytes, at);
    at += Vint.lengthFrom(first);
    return value;
  }

  private int length() throws IOException {
    long length = unsigned();
    if (length < 0 || length > end - at) {
      throw origin.corrupt(at, "length " + length + ", " + (end - at) + " bytes left in the row");
    }
    return (int) length;
  }

  private long timestamp() throws IOException {
    return unsigned() + encoding.minTimestamp();
  }

  private int ttl() throws IOException {
    long ttl = int32("TTL") + (long) encoding.minTtl();
    if (ttl < 0 || ttl > Integer.MAX_VALUE) {
      throw origin.corrupt(at, "TTL " + ttl + ", allowed 0 to " + Integer.MAX_VALUE);
    }
    return (int) ttl;
  }

  /**
   * Reads the local deletion time of a deletion. Unlike that of a cell, one that wrapped around is
   * invalid in any version.
   */
  private long deletionTime(long timestamp) throws IOException {
    long time = int32("local deletion time") + encoding.minLocalDeletionTime();
    if (isTime(time)) {
      return time;
    }
    return DeletionTime.isLive(timestamp)
        ? DeletionTime.NO_DELETION_TIME
        : DeletionTime.INVALID_DELETION_TIME;
  }

  /** Reads the local deletion time of a cell or liveness. */
  private long localDeletionTime() throws IOException {
    long time = int32("local deletion time") + encoding.minLocalDeletionTime();
    if (isTime(time)) {
      return time;
    }
    // The delta wrapped around in 32 bits.
    long unsigned = DeletionTime.fromUnsigned((int) time);
    return unsigned == DeletionTime.NO_DELETION_TIME || encoding.hasUnsignedDeletionTimes()
        ? unsigned
        : DeletionTime.INVALID_DELETION_TIME;
  }

  /**
   * Returns whether a sum is a valid time. Format versions with signed 32-bit times have none after
   * 2038: there such a sum stems from a time and a base that both wrapped around (CASSANDRA-14092).
   * Cassandra 5.0.9 takes it for a time, which could not be written again in those versions.
   */
  private boolean isTime(long time) {
    return time >= 0 && (time <= Integer.MAX_VALUE || encoding.hasUnsignedDeletionTimes());
  }

  private int int32(String what) throws IOException {
    long value = unsigned();
    if ((int) value != value) {
      throw origin.corrupt(at, what + " delta " + value + " does not fit 32 bits");
    }
    return (int) value;
  }

  /**
   * Returns the expiration time, or an invalid one if it is less than the TTL: this would mean a
   * write before 1970, which Cassandra takes for corrupt, too.
   */
  private static long checkExpiration(long time, int ttl) {
    return time >= ttl || ttl == DeletionTime.EXPIRED_LIVENESS_TTL
        ? time
        : DeletionTime.INVALID_DELETION_TIME;
  }
}
