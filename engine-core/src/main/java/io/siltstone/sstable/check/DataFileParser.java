package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Parses the framing of a data file while it is written: partition headers and deletions, static
 * rows, flags, sizes, previous sizes, columns, cells with their lengths, range-tombstone markers
 * and their pairs, ends of partitions, and the order of partitions and rows.
 *
 * <p>Counts what it finds and hashes what index and filter must agree with; see {@link
 * DataFigures}. Nothing is allocated per row or cell. Confined to one thread at a time.
 *
 * <p>Source of the form: Cassandra {@code UnfilteredSerializer}, {@code Cell.Serializer}, {@code
 * Columns.Serializer}, {@code ClusteringPrefix.Serializer}, {@code DeletionTime}.
 */
final class DataFileParser extends StreamParser {
  private static final int END_OF_PARTITION = 0x01;
  private static final int MARKER = 0x02;
  private static final int ROW_TIMESTAMP = 0x04;
  private static final int ROW_TTL = 0x08;
  private static final int ROW_DELETION = 0x10;
  private static final int ALL_COLUMNS = 0x20;
  private static final int COMPLEX_DELETION = 0x40;
  private static final int EXTENDED = 0x80;
  private static final int STATIC = 0x01;
  private static final int EXTENDED_FLAGS = 0x03;

  private static final int CELL_DELETED = 0x01;
  private static final int CELL_EXPIRING = 0x02;
  private static final int CELL_EMPTY = 0x04;
  private static final int CELL_ROW_TIMESTAMP = 0x08;
  private static final int CELL_ROW_TTL = 0x10;
  private static final int CELL_FLAGS = 0x1f;

  /** From so many columns on, those present are listed and no bits of a number. */
  private static final int LISTED_COLUMNS = 64;

  /** Local deletion times of 32 bits that stand for none, and for an invalid one. */
  private static final long LEAST_RESERVED_TIME = 0xffff_fffeL;

  private static final byte[] NOTHING = {};

  private enum State {
    PARTITION,
    UNFILTERED,
    CELLS
  }

  /** The columns of static or of regular rows. */
  private static final class Columns {
    final int[] fixed;
    final boolean[] complex;

    Columns(List<HeaderColumn> columns) {
      int count = columns.size();
      fixed = new int[count];
      complex = new boolean[count];
      for (int i = 0; i < count; i++) {
        CqlType type = columns.get(i).type();
        complex[i] = type.isMultiCell();
        fixed[i] = complex[i] ? CqlType.VARIABLE_LENGTH : type.fixedLength();
      }
    }
  }

  private final Partitioner partitioner;
  private final boolean unsignedTimes;
  private final long minTimestamp;
  private final long minLocalTime;
  private final int minTtl;
  private final int clusteringColumns;
  private final boolean hasStatic;
  private final Columns staticColumns;
  private final Columns regularColumns;
  private final BlockStarts blockStarts;
  private final DataFigures figures;
  private final long[] keyHash = new long[2];

  private State state = State.PARTITION;

  // The present partition.
  private long partitionPosition;
  private long partitionTimestamp;
  private int partitionLocalTime;
  private byte[] key = NOTHING;
  private int keyAt;
  private int keyLength = -1;
  private byte[] ownKey = NOTHING;
  private long token;
  private boolean staticPending;
  private long previousOffset;
  private boolean open;
  private long openTimestamp;
  private long openLocalTime;
  private Prefix previous;
  private Prefix present;
  private final Prefix firstOfBlock;
  private boolean hasPrevious;
  private long headerLength;
  private long blockStart;
  private long blocks;
  private long blocksHash;
  private long nextBlockStart;

  // The present row.
  private long rowPosition;
  private long rowEnd;
  private boolean hasTimestamp;
  private boolean hasTtl;
  private boolean hasComplexDeletion;
  private Columns columns;
  private int columnsLeft;
  private long columnBits;
  private boolean allColumns;
  private boolean listed;
  private int[] list = {};
  private int listLength;
  private int column;
  private long cellsLeft;
  private int cellFlags;
  private boolean valuePending;

  /**
   * Creates a parser.
   *
   * @param path of the file, for messages
   * @param blockStarts where to look at what the index says of blocks
   */
  DataFileParser(
      String path,
      SerializationHeader header,
      FormatVersion version,
      Partitioner partitioner,
      BlockStarts blockStarts) {
    super(path);
    EncodingStats stats = header.stats();
    this.partitioner = partitioner;
    this.unsignedTimes = version.hasUnsignedDeletionTimes();
    this.minTimestamp = stats.minTimestamp();
    this.minLocalTime = stats.minLocalDeletionTime();
    this.minTtl = stats.minTtl();
    this.clusteringColumns = header.clusteringTypes().size();
    this.hasStatic = !header.staticColumns().isEmpty();
    this.staticColumns = new Columns(header.staticColumns());
    this.regularColumns = new Columns(header.regularColumns());
    this.columns = regularColumns;
    this.blockStarts = blockStarts;
    this.previous = new Prefix(header.clusteringTypes());
    this.present = new Prefix(header.clusteringTypes());
    this.firstOfBlock = new Prefix(header.clusteringTypes());
    this.figures = new DataFigures(header.clusteringTypes());
  }

  /** What was found so far. */
  DataFigures figures() {
    return figures;
  }

  @Override
  void parse() throws IOException {
    nextBlockStart = blockStarts.peek();
    boolean more = true;
    while (more && at < limit) {
      more =
          switch (state) {
            case PARTITION -> parsePartition();
            case UNFILTERED -> parseUnfiltered();
            case CELLS -> parseCells(buf, at);
          };
    }
    detach();
  }

  /** Copies what is still needed of the present bytes, which go when this call returns. */
  private void detach() {
    if (key == buf && keyLength >= 0) {
      if (ownKey.length < keyLength) {
        ownKey = new byte[2 * keyLength];
      }
      System.arraycopy(key, keyAt, ownKey, 0, keyLength);
      key = ownKey;
      keyAt = 0;
    }
    if (hasPrevious) {
      previous.detachFrom(buf);
      firstOfBlock.detachFrom(buf);
    }
  }

  @Override
  void parsedAll() throws IOException {
    if (state != State.PARTITION) {
      throw wrong(accepted(), "the end of the file within a partition", "its end mark");
    }
    if (blockStarts.peek() != Long.MAX_VALUE) {
      throw wrong(accepted(), "the end of the file", "an index block at " + blockStarts.peek());
    }
  }

  private boolean parsePartition() throws IOException {
    byte[] b = buf;
    int p = at;
    int length = BigEndian.getUnsignedShort(b, p);
    int from = p + Short.BYTES;
    p = from + length;
    if (p > limit) {
      return false;
    }
    long timestamp;
    int localTime;
    if (!unsignedTimes) {
      localTime = BigEndian.getInt(b, p);
      timestamp = BigEndian.getLong(b, p + Integer.BYTES);
      p += Integer.BYTES + Long.BYTES;
    } else if (b[p] >= 0) {
      timestamp = BigEndian.getLong(b, p);
      localTime = BigEndian.getInt(b, p + Long.BYTES);
      p += Long.BYTES + Integer.BYTES;
    } else {
      if (b[p] != (byte) 0x80) {
        throw wrong(
            base + p, "flags " + hex(b[p]) + " of a partition's deletion", "0x80 or a timestamp");
      }
      timestamp = Long.MIN_VALUE;
      localTime = Integer.MAX_VALUE;
      p++;
    }
    if (p > end) {
      return false;
    }
    long previousToken = token;
    token = partitioner.token(b, from, length, keyHash);
    if (token <= previousToken && keyLength >= 0) {
      checkOrder(previousToken, b, from, length);
    }
    key = b;
    keyAt = from;
    keyLength = length;
    beginPartition(timestamp, localTime);
    at = p;
    return true;
  }

  /** Refuses a key that does not follow the one before, whose token is not less. */
  private void checkOrder(long previousToken, byte[] b, int from, int length)
      throws OutputVerificationException {
    if (token < previousToken
        || Arrays.compareUnsigned(b, from, from + length, key, keyAt, keyAt + keyLength) <= 0) {
      throw wrong(
          base + at,
          "key " + hex(b, from, length) + " of token " + token,
          "one after key " + hex(key, keyAt, keyLength) + " of token " + previousToken);
    }
  }

  private void beginPartition(long timestamp, int localTime) {
    DataFigures to = figures;
    partitionPosition = base + at;
    partitionTimestamp = timestamp;
    partitionLocalTime = localTime;
    if (to.partitions == 0) {
      to.firstKey = Arrays.copyOfRange(key, keyAt, keyAt + keyLength);
    }
    to.partitions++;
    to.keysHash += keyHash[1];
    to.indexHash.partition(
        RunningHash.mixed(partitionPosition, key, keyAt, keyAt + keyLength));
    if (timestamp != Long.MIN_VALUE) {
      to.deletionsHash += RunningHash.ofDeletion(timestamp, localTime);
      to.partitionDeletions++;
      timestamp(timestamp);
      long time = unsignedTimes ? localTime & 0xffff_ffffL : localTime;
      deletionTime(time);
    }
    staticPending = hasStatic;
    previousOffset = 0;
    open = false;
    hasPrevious = false;
    blocks = 0;
    blocksHash = 0;
    state = State.UNFILTERED;
  }

  private boolean parseUnfiltered() throws IOException {
    byte[] b = buf;
    int p = at;
    int flags = b[p++];
    if ((flags & (END_OF_PARTITION | MARKER)) != 0) {
      return (flags & 0xff) == END_OF_PARTITION ? endPartition() : parseMarker(flags);
    }
    int extended = 0;
    if ((flags & EXTENDED) != 0) {
      extended = b[p++];
      if ((extended & ~EXTENDED_FLAGS) != 0) {
        throw wrong(base + p - 1, "extended flags " + hex(extended), "0x0 to 0x3");
      }
    }
    boolean isStatic = (extended & STATIC) != 0;
    if (isStatic != staticPending) {
      throw wrong(
          base + at,
          isStatic ? "a static row" : "no static row",
          staticPending ? "the static row of the partition" : "a row, a marker or the end mark");
    }
    if (clusteringColumns == 0) {
      present.setEmptyRow();
    } else if (!isStatic) {
      p = parseClustering(Prefix.ROW, clusteringColumns, b, p);
      if (p < 0) {
        return false;
      }
    }
    long size = vint(b, p);
    p += vintLength(b, p);
    long bodyAt = base + p;
    long previousSize = vint(b, p);
    p += vintLength(b, p);
    if ((flags & ROW_TIMESTAMP) != 0) {
      long timestamp = vint(b, p) + minTimestamp;
      p += vintLength(b, p);
      timestamp(timestamp);
      if ((flags & ROW_TTL) != 0) {
        long ttl = vint(b, p);
        p += vintLength(b, p);
        int time = p;
        p += vintLength(b, p);
        expiration(localTime(vint(b, time), time), ttl, p);
      } else {
        figures.hasLive = true;
      }
    } else if ((flags & ROW_TTL) != 0) {
      throw wrong(base + at, "flags " + hex(flags) + ": a TTL without a timestamp", "both");
    }
    if (p > limit) {
      return false;
    }
    if ((flags & ROW_DELETION) != 0) {
      timestamp(vint(b, p) + minTimestamp);
      p += vintLength(b, p);
      deletionTime(localTime(vint(b, p), p));
      p += vintLength(b, p);
    }
    columns = isStatic ? staticColumns : regularColumns;
    p = parseColumns(flags, b, p);
    if (p < 0 || p > end) {
      return false;
    }
    // All of the head is there: from here on the row counts.
    checkSize(size, bodyAt);
    long offset = base + at - partitionPosition;
    if (isStatic) {
      expectPrevious(previousSize, 0);
      staticPending = false;
    } else {
      advance(offset, previousSize);
    }
    rowPosition = base + at;
    rowEnd = bodyAt + size;
    hasTimestamp = (flags & ROW_TIMESTAMP) != 0;
    hasTtl = (flags & ROW_TTL) != 0;
    hasComplexDeletion = (flags & COMPLEX_DELETION) != 0;
    if (!isStatic || columnsLeft > 0 || (flags & (ROW_TIMESTAMP | ROW_DELETION)) != 0) {
      figures.rows++;
    }
    cellsLeft = 0;
    valuePending = false;
    state = State.CELLS;
    return parseCells(b, p);
  }

  /** Index after a clustering, or -1 if more bytes are needed. */
  private int parseClustering(int kind, int count, byte[] b, int from) throws IOException {
    int behind = present.parse(kind, count, b, from, limit);
    if (behind == -2) {
      throw wrong(base + from, "a clustering value of impossible length", "one that fits");
    }
    return behind;
  }

  /** Moves to the next row or marker, whose head is complete. */
  private void advance(long offset, long previousSize) throws IOException {
    expectPrevious(previousSize, offset - previousOffset);
    if (!hasPrevious) {
      hasPrevious = true;
      headerLength = offset;
      blockStart = offset;
      firstOfBlock.viewOf(present);
      if (clusteringColumns > 0) {
        widenLeast();
      }
    } else if (compare(previous, present) >= 0) {
      throw wrong(
          base + at,
          "clustering " + present + " of kind " + present.kind,
          "one after " + previous + " of kind " + previous.kind);
    }
    if (base + at >= nextBlockStart) {
      endBlock(offset, 0);
      firstOfBlock.viewOf(present);
      blockStart = offset;
    }
    previousOffset = offset;
    Prefix free = previous;
    previous = present;
    present = free;
  }

  private void widenLeast() throws OutputVerificationException {
    if (!figures.hasBounds) {
      figures.setBounds(present);
    } else if (compare(present, figures.least) < 0) {
      figures.least.copyOf(present);
    }
  }

  private int compare(Prefix left, Prefix right) throws OutputVerificationException {
    try {
      return left.compareTo(right);
    } catch (IllegalArgumentException e) {
      throw wrong(base + at, "clustering values without an order: " + e.getMessage(), "values");
    }
  }

  /** Ends the index block that reaches to {@code to}, where the index begins another. */
  private void endBlock(long to, int endMark) throws IOException {
    if (endMark == 0) {
      if (partitionPosition + to != nextBlockStart) {
        throw wrong(
            partitionPosition + to,
            "the beginning of a row or marker",
            "that of the index block which begins at " + nextBlockStart);
      }
      nextBlockStart = blockStarts.next();
    }
    long hash = blocksHash;
    if (blocks == 0) {
      hash = RunningHash.mixed(hash, headerLength);
      hash =
          RunningHash.mixed(hash, RunningHash.ofDeletion(partitionTimestamp, partitionLocalTime));
    }
    hash = previous.hash(firstOfBlock.hash(hash));
    hash = RunningHash.mixed(RunningHash.mixed(hash, blockStart), to + endMark);
    hash = RunningHash.mixed(hash, open ? RunningHash.ofDeletion(openTimestamp, openLocalTime) : 0);
    blocksHash = hash;
    blocks++;
  }

  private boolean endPartition() throws IOException {
    if (staticPending) {
      throw wrong(base + at, "the end of a partition", "its static row");
    }
    if (open) {
      throw wrong(base + at, "the end of a partition", "the end of its range tombstone");
    }
    long offset = base + at - partitionPosition;
    if (base + at >= nextBlockStart) {
      // The last block was full before the end mark, and does not contain it.
      endBlock(offset, 0);
    } else if (blocks > 0) {
      endBlock(offset, 1);
    }
    if (figures.hasBounds && hasPrevious && compare(previous, figures.greatest) > 0) {
      figures.greatest.copyOf(previous);
    }
    if (blocks > 1) {
      figures.indexHash.blocks(RunningHash.mixed(blocksHash, blocks));
    }
    at++;
    state = State.PARTITION;
    return true;
  }

  private void expectPrevious(long found, long expected) throws OutputVerificationException {
    if (found != expected) {
      throw wrong(base + at, "previous size " + found, String.valueOf(expected));
    }
  }

  private void checkSize(long size, long bodyAt) throws OutputVerificationException {
    if (size < 1 || size > Integer.MAX_VALUE) {
      throw wrong(bodyAt, "size " + size + " of a row or marker", "1 to " + Integer.MAX_VALUE);
    }
  }

  private boolean parseMarker(int flags) throws IOException {
    byte[] b = buf;
    int p = at + 1;
    if (flags != MARKER) {
      throw wrong(base + at, "flags " + hex(flags), "0x2 of a marker or 0x1 of an end");
    }
    if (staticPending) {
      throw wrong(base + at, "a marker", "the static row of the partition");
    }
    int kind = b[p++];
    int count = BigEndian.getUnsignedShort(b, p);
    p += Short.BYTES;
    if (!Prefix.isMarker(kind) || count > clusteringColumns) {
      throw wrong(
          base + at,
          "a marker of kind " + kind + " with " + count + " clustering values",
          "kind 0, 1, 2, 5, 6 or 7 and up to " + clusteringColumns + " values");
    }
    p = parseClustering(kind, count, b, p);
    if (p < 0) {
      return false;
    }
    long size = vint(b, p);
    p += vintLength(b, p);
    long bodyAt = base + p;
    long previousSize = vint(b, p);
    p += vintLength(b, p);
    long timestamp = vint(b, p) + minTimestamp;
    p += vintLength(b, p);
    long localTime = localTime(vint(b, p), p);
    p += vintLength(b, p);
    long beginTimestamp = timestamp;
    long beginLocalTime = localTime;
    boolean closes = Prefix.closes(kind);
    boolean opens = Prefix.opens(kind);
    if (closes && opens) {
      beginTimestamp = vint(b, p) + minTimestamp;
      p += vintLength(b, p);
      beginLocalTime = localTime(vint(b, p), p);
      p += vintLength(b, p);
    }
    if (p > end) {
      return false;
    }
    checkSize(size, bodyAt);
    if (base + p != bodyAt + size) {
      throw wrong(base + at, "size " + size + " of a marker", base + p - bodyAt + ", its length");
    }
    if (closes != open || (closes && timestamp != openTimestamp)) {
      throw wrong(
          base + at,
          "a marker of kind " + kind + " at timestamp " + timestamp,
          open
              ? "the end of the range tombstone at timestamp " + openTimestamp
              : "the beginning of a range tombstone");
    }
    advance(base + at - partitionPosition, previousSize);
    open = opens;
    openTimestamp = beginTimestamp;
    openLocalTime = beginLocalTime;
    timestamp(timestamp);
    timestamp(beginTimestamp);
    deletionTime(localTime);
    deletionTime(beginLocalTime);
    figures.markers++;
    at = p;
    return true;
  }

  /** Index after the field that says which columns are there, -1 if more bytes are needed. */
  private int parseColumns(int flags, byte[] b, int from) throws IOException {
    int count = columns.fixed.length;
    int p = from;
    long encoded = 0;
    if ((flags & ALL_COLUMNS) == 0) {
      encoded = vint(b, p);
      p += vintLength(b, p);
    }
    allColumns = encoded == 0;
    if (allColumns) {
      columnsLeft = count;
      return p;
    }
    listed = count >= LISTED_COLUMNS;
    if (!listed) {
      long all = (1L << count) - 1;
      if ((encoded & ~all) != 0) {
        throw wrong(
            base + from,
            "missing columns 0x" + Long.toHexString(encoded),
            "bits of " + count + " columns");
      }
      columnBits = all & ~encoded;
      columnsLeft = Long.bitCount(columnBits);
      return p;
    }
    if (encoded < 0 || encoded > count) {
      throw wrong(base + from, encoded + " missing columns", "up to " + count);
    }
    columnsLeft = count - (int) encoded;
    listLength = columnsLeft;
    return parseList(columnsLeft < count / 2, count, b, p);
  }

  /** Reads which columns are there, or which are missing. */
  private int parseList(boolean isOfPresent, int count, byte[] b, int from) throws IOException {
    if (list.length < count) {
      list = new int[count];
    }
    int given = isOfPresent ? columnsLeft : count - columnsLeft;
    int p = from;
    int filled = 0;
    long last = -1;
    for (int i = 0; i < given; i++) {
      if (p > limit) {
        return -1;
      }
      long index = vint(b, p);
      if (index <= last || index >= count) {
        throw wrong(base + p, "column " + index, "one of " + (last + 1) + " to " + (count - 1));
      }
      p += vintLength(b, p);
      if (isOfPresent) {
        list[filled++] = (int) index;
      } else {
        for (long there = last + 1; there < index; there++) {
          list[filled++] = (int) there;
        }
      }
      last = index;
    }
    while (!isOfPresent && filled < columnsLeft) {
      list[filled++] = (int) ++last;
    }
    return p;
  }

  /**
   * Parses the cells of the row from an index on; false if more bytes are needed. What a row that
   * is not complete has to be continued with is in fields only while this method does not run.
   */
  private boolean parseCells(byte[] b, int from) throws IOException {
    int p = from;
    int last = (int) Math.min(rowEnd - base, Integer.MAX_VALUE);
    Columns all = columns;
    int columnsToCome = columnsLeft;
    int present = column;
    long cellsToCome = cellsLeft;
    int flags = cellFlags;
    boolean isAtValue = valuePending;
    while (p <= limit) {
      if (!isAtValue) {
        if (cellsToCome == 0) {
          if (columnsToCome == 0) {
            return endRow(p);
          }
          present = nextColumn(columnsToCome);
          columnsToCome--;
          cellsToCome = 1;
          if (all.complex[present]) {
            p = parseComplexColumn(b, p, last);
            cellsToCome = cellsLeft;
            continue;
          }
        }
        flags = b[p++];
        if ((flags & ~CELL_FLAGS) != 0 || (flags & 3) == (CELL_DELETED | CELL_EXPIRING)) {
          throw wrongCell(p - 1, flags);
        }
        if ((flags & CELL_ROW_TIMESTAMP) == 0) {
          timestamp(vint(b, p) + minTimestamp);
          p += vintLength(b, p);
        } else if (!hasTimestamp) {
          throw wrongCell(p - 1, flags);
        }
        if ((flags & (CELL_DELETED | CELL_EXPIRING)) == 0) {
          if ((flags & CELL_ROW_TTL) != 0) {
            throw wrongCell(p - 1, flags);
          }
          figures.hasLive = true;
        } else {
          p = parseCellTimes(b, p, flags);
        }
        figures.cells++;
        cellsToCome--;
        if (all.complex[present]) {
          long pathLength = vint(b, p);
          p += vintLength(b, p);
          if (pathLength < 0 || pathLength > last - p) {
            throw tooLong("path", pathLength, p, last);
          }
          isAtValue = true;
          if (pathLength > end - p) {
            pause(columnsToCome, present, cellsToCome, flags, isAtValue);
            skip(p, pathLength);
            return false;
          }
          p += (int) pathLength;
          continue;
        }
      }
      isAtValue = false;
      if ((flags & CELL_EMPTY) == 0) {
        long length = all.fixed[present];
        if (length < 0) {
          length = vint(b, p);
          p += vintLength(b, p);
        }
        if (length < 0 || length > last - p) {
          throw tooLong("value", length, p, last);
        }
        if (length > end - p) {
          pause(columnsToCome, present, cellsToCome, flags, isAtValue);
          skip(p, length);
          return false;
        }
        p += (int) length;
      }
    }
    pause(columnsToCome, present, cellsToCome, flags, isAtValue);
    at = p;
    return false;
  }

  private void pause(
      int columnsToCome, int present, long cellsToCome, int flags, boolean isAtValue) {
    columnsLeft = columnsToCome;
    column = present;
    cellsLeft = cellsToCome;
    cellFlags = flags;
    valuePending = isAtValue;
  }

  /** The column after the last one of the row, if so many are still to come. */
  private int nextColumn(int columnsToCome) {
    if (allColumns) {
      return columns.fixed.length - columnsToCome;
    }
    if (listed) {
      return list[listLength - columnsToCome];
    }
    int index = Long.numberOfTrailingZeros(columnBits);
    columnBits &= columnBits - 1;
    return index;
  }

  private boolean endRow(int p) throws IOException {
    if (base + p != rowEnd) {
      throw wrong(
          rowPosition,
          "a row of " + (base + p - rowPosition) + " bytes with its cells",
          (rowEnd - rowPosition) + ", as its size says");
    }
    at = p;
    state = State.UNFILTERED;
    return true;
  }

  private int parseComplexColumn(byte[] b, int from, int last) throws IOException {
    int p = from;
    if (hasComplexDeletion) {
      long timestamp = vint(b, p) + minTimestamp;
      p += vintLength(b, p);
      long time = localTime(vint(b, p), p);
      p += vintLength(b, p);
      if (timestamp != Long.MIN_VALUE) {
        timestamp(timestamp);
        deletionTime(time);
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

  private int parseCellTimes(byte[] b, int from, int flags) throws IOException {
    int p = from;
    if ((flags & CELL_ROW_TTL) != 0) {
      if (!hasTtl || (flags & CELL_EXPIRING) == 0) {
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
      deletionTime(time);
    }
    return p;
  }

  private void requireInt(int p, long number, String what) throws OutputVerificationException {
    if ((int) number != number) {
      throw wrong(base + p, what + " " + number, "a number of 32 bits");
    }
  }

  /**
   * A local deletion time from what is written for it: a difference that wraps around in 32 bits.
   */
  private long localTime(long difference, int p) throws OutputVerificationException {
    requireInt(p, difference, "local deletion time");
    return difference + minLocalTime;
  }

  private void timestamp(long timestamp) {
    DataFigures to = figures;
    if (timestamp < to.minTimestamp) {
      to.minTimestamp = timestamp;
    }
    if (timestamp > to.maxTimestamp) {
      to.maxTimestamp = timestamp;
    }
  }

  /** Takes note of an expiration. One before its TTL is read as invalid, as Cassandra does. */
  private void expiration(long time, long ttlDifference, int p) throws OutputVerificationException {
    requireInt(p, ttlDifference, "TTL");
    if (time >= ttlDifference + minTtl) {
      deletionTime(time);
    }
  }

  /** Takes note of a time unless it has wrapped around or stands for none. */
  private void deletionTime(long time) {
    if (time >= 0 && time < (unsignedTimes ? LEAST_RESERVED_TIME : Integer.MAX_VALUE)) {
      figures.minLocalTime = Math.min(figures.minLocalTime, time);
      figures.maxLocalTime = Math.max(figures.maxLocalTime, time);
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

  private static String hex(int flags) {
    return "0x" + Integer.toHexString(flags & 0xff);
  }

  private static String hex(byte[] bytes, int from, int length) {
    return HexFormat.of().formatHex(bytes, from, from + Math.min(length, 64));
  }

  /** Takes the last key into the figures, when the file is complete. */
  void noteLastKey() {
    figures.lastKey = Arrays.copyOfRange(key, keyAt, keyAt + keyLength);
  }
}
