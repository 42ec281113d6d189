package io.siltstone.sstable.check;

import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;

/**
 * Parses the bodies of rows: the cells of each column that a row has, with their timestamps,
 * deletion and expiration times, paths and values, up to the end of the row according to its size.
 *
 * <p>A body may arrive in any number of pieces; fields hold the state between two of them. Confined
 * to one thread at a time.
 */
abstract class RowBodyParser extends StreamParser {
  // The flags of rows.
  static final int ROW_TIMESTAMP = 0x04;
  static final int ROW_TTL = 0x08;
  static final int COMPLEX_DELETION = 0x40;

  // The flags of cells.
  private static final int CELL_DELETED = 0x01;
  private static final int CELL_EXPIRING = 0x02;
  private static final int CELL_EMPTY = 0x04;
  private static final int CELL_ROW_TIMESTAMP = 0x08;
  private static final int CELL_ROW_TTL = 0x10;
  private static final int CELL_FLAGS = 0x1f;

  final long minTimestamp;
  private final long minLocalTime;
  private final int minTtl;
  final DataFigures figures;

  // The current row.
  private boolean inRow;
  private long rowPosition;
  private long rowEnd;
  private int rowFlags;
  private RowColumns columns;
  private int column;
  private long cellsLeft;
  private int cellFlags;
  private boolean valuePending;

  /**
   * Creates a parser.
   *
   * @param path of the file, for messages
   */
  RowBodyParser(String path, SerializationHeader header, FormatVersion version) {
    super(path);
    EncodingStats stats = header.stats();
    this.minTimestamp = stats.minTimestamp();
    this.minLocalTime = stats.minLocalDeletionTime();
    this.minTtl = stats.minTtl();
    this.columns = new RowColumns(this, header.regularColumns());
    this.figures = new DataFigures(header.clusteringTypes(), version.hasUnsignedDeletionTimes());
  }

  /** Returns the figures found so far. */
  final DataFigures figures() {
    return figures;
  }

  /** Returns whether the body of a row has begun and not ended. */
  final boolean isInRow() {
    return inRow;
  }

  /** Parses timestamp, TTL and expiration of a row; returns the index after them. */
  final int parseLiveness(int flags, byte[] b, int from) throws OutputVerificationException {
    if ((flags & ROW_TIMESTAMP) == 0) {
      throw wrong(base + at, "flags " + hex(flags) + ": a TTL without a timestamp", "both");
    }
    figures.timestamp(vint(b, from) + minTimestamp);
    int p = from + vintLength(b, from);
    if ((flags & ROW_TTL) == 0) {
      figures.hasLive = true;
      return p;
    }
    long ttl = vint(b, p);
    p += vintLength(b, p);
    int time = p;
    p += vintLength(b, p);
    expiration(localTime(vint(b, time), time), ttl, p);
    return p;
  }

  /** Parses the deletion of a row; returns the index after it. */
  final int parseDeletion(byte[] b, int from) throws OutputVerificationException {
    figures.timestamp(vint(b, from) + minTimestamp);
    int p = from + vintLength(b, from);
    figures.deletionTime(localTime(vint(b, p), p));
    return p + vintLength(b, p);
  }

  /**
   * Begins the body of a row, whose head has been parsed.
   *
   * @param position of the row in the file
   * @param bodyEnd position after the row, according to its size
   * @param present the columns of the row
   */
  final void beginBody(int flags, long position, long bodyEnd, RowColumns present) {
    rowFlags = flags;
    rowPosition = position;
    rowEnd = bodyEnd;
    columns = present;
    cellsLeft = 0;
    valuePending = false;
    inRow = true;
  }

  /**
   * Parses the cells of a row in which each column has one live cell with the row's timestamp. Most
   * rows are like this, and {@link #parseCells} takes twice as long.
   *
   * @param last index after the row according to its size, not after the limit
   * @param fixedLengths of the columns
   * @return whether the row is like this; otherwise nothing was counted
   */
  final boolean parseLiveCells(byte[] b, int from, int last, int[] fixedLengths) {
    int p = from;
    for (long length : fixedLengths) {
      if (p >= last || b[p++] != CELL_ROW_TIMESTAMP) {
        return false;
      }
      if (length < 0) {
        length = vint(b, p);
        p += vintLength(b, p);
      }
      if (length < 0 || length > last - p) {
        return false;
      }
      p += (int) length;
    }
    if (p != last) {
      return false;
    }
    figures.cells += fixedLengths.length;
    figures.hasLive |= fixedLengths.length > 0;
    at = p;
    return true;
  }

  /**
   * Parses the cells of the row from an index on, and returns false if more bytes are needed. While
   * this method runs, its state is in local variables; it is in fields only between two calls.
   */
  final boolean parseCells(byte[] b, int from) throws IOException {
    int p = from;
    int last = (int) Math.min(rowEnd - base, Integer.MAX_VALUE);
    RowColumns row = columns;
    int present = column;
    long cellsToCome = cellsLeft;
    int flags = cellFlags;
    boolean isAtValue = valuePending;
    while (p <= limit) {
      if (!isAtValue) {
        if (cellsToCome == 0) {
          if (row.left() == 0) {
            return endRow(p);
          }
          present = row.next();
          cellsToCome = 1;
          if (row.isComplex(present)) {
            p = parseComplexColumn(b, p, last);
            cellsToCome = cellsLeft;
            continue;
          }
        }
        flags = b[p];
        p = parseCellHead(b, p + 1, flags);
        cellsToCome--;
        if (row.isComplex(present)) {
          long pathLength = vint(b, p);
          p += vintLength(b, p);
          if (pathLength < 0 || pathLength > last - p) {
            throw tooLong("path", pathLength, p, last);
          }
          isAtValue = true;
          if (pathLength > end - p) {
            pause(present, cellsToCome, flags, isAtValue);
            skip(p, pathLength);
            return false;
          }
          p += (int) pathLength;
          continue;
        }
      }
      isAtValue = false;
      if ((flags & CELL_EMPTY) == 0) {
        long length = row.fixedLength(present);
        if (length < 0) {
          length = vint(b, p);
          p += vintLength(b, p);
        }
        if (length < 0 || length > last - p) {
          throw tooLong("value", length, p, last);
        }
        if (length > end - p) {
          pause(present, cellsToCome, flags, isAtValue);
          skip(p, length);
          return false;
        }
        p += (int) length;
      }
    }
    pause(present, cellsToCome, flags, isAtValue);
    at = p;
    return false;
  }

  /** Parses timestamp, expiration and deletion time of a cell; returns the index after them. */
  private int parseCellHead(byte[] b, int from, int flags) throws OutputVerificationException {
    int p = from;
    if ((flags & ~CELL_FLAGS) != 0 || (flags & 3) == (CELL_DELETED | CELL_EXPIRING)) {
      throw wrongCell(from - 1, flags);
    }
    if ((flags & CELL_ROW_TIMESTAMP) == 0) {
      figures.timestamp(vint(b, p) + minTimestamp);
      p += vintLength(b, p);
    } else if ((rowFlags & ROW_TIMESTAMP) == 0) {
      throw wrongCell(from - 1, flags);
    }
    figures.cells++;
    if ((flags & (CELL_DELETED | CELL_EXPIRING)) != 0) {
      return parseCellTimes(b, p, flags);
    }
    if ((flags & CELL_ROW_TTL) != 0) {
      throw wrongCell(from - 1, flags);
    }
    figures.hasLive = true;
    return p;
  }

  private void pause(int present, long cellsToCome, int flags, boolean isAtValue) {
    column = present;
    cellsLeft = cellsToCome;
    cellFlags = flags;
    valuePending = isAtValue;
  }

  private boolean endRow(int p) throws IOException {
    if (base + p != rowEnd) {
      throw wrong(
          rowPosition,
          "a row of " + (base + p - rowPosition) + " bytes with its cells",
          (rowEnd - rowPosition) + ", as its size says");
    }
    at = p;
    inRow = false;
    return true;
  }

  private int parseComplexColumn(byte[] b, int from, int last) throws IOException {
    int p = from;
    if ((rowFlags & COMPLEX_DELETION) != 0) {
      long timestamp = vint(b, p) + minTimestamp;
      p += vintLength(b, p);
      long time = localTime(vint(b, p), p);
      p += vintLength(b, p);
      if (timestamp != Long.MIN_VALUE) {
        figures.timestamp(timestamp);
        figures.deletionTime(time);
      }
    }
    cellsLeft = vint(b, p);
    p += vintLength(b, p);
    if (cellsLeft < 0 || cellsLeft > last - p) {
      throw wrong(
          base + p,
          cellsLeft + " cells of a complex column",
          "no more than the row's " + (last - p) + " bytes");
    }
    return p;
  }

  private int parseCellTimes(byte[] b, int from, int flags) throws OutputVerificationException {
    int p = from;
    if ((flags & CELL_ROW_TTL) != 0) {
      if ((rowFlags & ROW_TTL) == 0 || (flags & CELL_EXPIRING) == 0) {
        throw wrongCell(from, flags);
      }
      return p;
    }
    long time = localTime(vint(b, p), p);
    p += vintLength(b, p);
    if ((flags & CELL_EXPIRING) != 0) {
      expiration(time, vint(b, p), p);
      p += vintLength(b, p);
    } else {
      figures.deletionTime(time);
    }
    return p;
  }

  private void requireInt(int p, long number, String what) throws OutputVerificationException {
    if ((int) number != number) {
      throw wrong(base + p, what + " " + number, "a number of 32 bits");
    }
  }

  /**
   * Returns a local deletion time from its difference to the base, which wraps around in 32 bits.
   */
  final long localTime(long difference, int p) throws OutputVerificationException {
    requireInt(p, difference, "local deletion time");
    return difference + minLocalTime;
  }

  /** Adds an expiration time. One before its TTL counts as invalid, as in Cassandra. */
  final void expiration(long time, long ttlDifference, int p) throws OutputVerificationException {
    requireInt(p, ttlDifference, "TTL");
    if (time >= ttlDifference + minTtl) {
      figures.deletionTime(time);
    }
  }

  private OutputVerificationException tooLong(String what, long length, int p, int last) {
    return wrong(
        base + p,
        "a cell's " + what + " of " + length + " bytes",
        "at most the " + (last - p) + " that are left in the row");
  }

  private OutputVerificationException wrongCell(int p, int flags) {
    return wrong(base + p, "cell flags " + hex(flags), "flags that the row allows");
  }

  static String hex(int flags) {
    return "0x" + Integer.toHexString(flags & 0xff);
  }
}
