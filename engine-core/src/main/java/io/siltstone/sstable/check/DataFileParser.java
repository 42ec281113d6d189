package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses the framing of a data file while it is written: partition headers and deletions, static
 * rows, flags, sizes, previous sizes, columns, cells with their lengths, range-tombstone markers
 * and their pairs, ends of partitions, and the order of partitions and rows.
 *
 * <p>Counts partitions, rows and markers, and hashes the content with which index and filter must
 * agree; see {@link DataFigures}. Nothing is allocated per row or cell. Confined to one thread at a
 * time.
 *
 * <p>Source of the form: Cassandra {@code UnfilteredSerializer}, {@code Cell.Serializer}, {@code
 * Columns.Serializer}, {@code ClusteringPrefix.Serializer}, {@code DeletionTime}.
 */
final class DataFileParser extends RowBodyParser {
  private static final int END_OF_PARTITION = 0x01;
  private static final int MARKER = 0x02;
  private static final int ROW_DELETION = 0x10;
  private static final int ALL_COLUMNS = 0x20;
  private static final int EXTENDED = 0x80;
  private static final int STATIC = 0x01;
  private static final int EXTENDED_FLAGS = 0x03;

  private static final byte[] NOTHING = {};

  private final boolean unsignedTimes;
  private final int clusteringColumns;
  private final boolean hasStatic;
  private final RowColumns staticColumns;
  private final RowColumns regularColumns;
  private final BlockStarts blockStarts;
  private final IndexContent index;

  private boolean inPartition;

  // The current partition.
  private long partitionPosition;
  private byte[] key = NOTHING;
  private int keyAt;
  private int keyLength = -1;
  private byte[] ownKey = NOTHING;
  private boolean staticPending;
  private long previousOffset;
  private boolean open;
  private long openTimestamp;
  private long openLocalTime;
  private Prefix previous;
  private Prefix present;
  private Prefix firstOfBlock;

  // Whether the row or marker before is the first of its block, which no copy is made of yet.
  private boolean isPreviousFirst;
  // Whether the first row or marker of the partition is not after the least one of all.
  private boolean isFirstLeast;
  private boolean hasPrevious;
  private long blockStart;
  private boolean hasBlocks;
  private long nextBlockStart;

  /**
   * @param path of the file, for messages
   * @param blockStarts positions at which index blocks begin
   * @param index what the index must contain, to which partitions and blocks are added
   */
  DataFileParser(
      String path,
      SerializationHeader header,
      FormatVersion version,
      BlockStarts blockStarts,
      IndexContent index) {
    super(path, header, version);
    this.unsignedTimes = version.hasUnsignedDeletionTimes();
    this.clusteringColumns = header.clusteringTypes().size();
    this.hasStatic = !header.staticColumns().isEmpty();
    this.staticColumns = new RowColumns(this, header.staticColumns());
    this.regularColumns = new RowColumns(this, header.regularColumns());
    this.blockStarts = blockStarts;
    this.index = index;
    this.previous = new Prefix(header.clusteringTypes());
    this.present = new Prefix(header.clusteringTypes());
    this.firstOfBlock = new Prefix(header.clusteringTypes());
  }

  @Override
  void parse() throws IOException {
    nextBlockStart = blockStarts.peek();
    boolean more = !isInRow() || (at < limit && parseCells(buf, at));
    while (more && at < limit) {
      more = inPartition ? parseUnfiltered() : parsePartition();
    }
    detach();
  }

  /** Copies the parts of the current bytes that are needed after they are reused. */
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
      if (!isPreviousFirst) {
        firstOfBlock.detachFrom(buf);
      }
    }
  }

  @Override
  void parsedAll() throws IOException {
    if (inPartition) {
      throw wrong(accepted(), "the end of the file within a partition", "its end mark");
    }
    if (blockStarts.peek() != Long.MAX_VALUE) {
      throw wrong(accepted(), "the end of the file", "an index block at " + blockStarts.peek());
    }
    index.end();
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
    key = b;
    keyAt = from;
    keyLength = length;
    beginPartition(timestamp, localTime);
    at = p;
    return true;
  }

  private void beginPartition(long timestamp, int localTime) {
    DataFigures to = figures;
    partitionPosition = base + at;
    if (to.partitions == 0) {
      to.firstKey = Arrays.copyOfRange(key, keyAt, keyAt + keyLength);
    }
    to.partitions++;
    long keyHash = RunningHash.mixed(0, key, keyAt, keyAt + keyLength);
    to.keysHash = RunningHash.mixed(to.keysHash, keyHash);
    index.startPartition(key, keyAt, keyLength, keyHash, partitionPosition, timestamp, localTime);
    if (timestamp != Long.MIN_VALUE) {
      to.deletionsHash += RunningHash.ofDeletion(timestamp, localTime);
      to.partitionDeletions++;
      figures.timestamp(timestamp);
      long time = unsignedTimes ? localTime & 0xffff_ffffL : localTime;
      figures.deletionTime(time);
    }
    staticPending = hasStatic;
    previousOffset = 0;
    hasPrevious = false;
    hasBlocks = false;
    inPartition = true;
  }

  private boolean parseUnfiltered() throws IOException {
    int flags = buf[at];
    if ((flags & (END_OF_PARTITION | MARKER)) != 0) {
      return (flags & 0xff) == END_OF_PARTITION ? endPartition() : parseMarker(flags);
    }
    int extended = (flags & EXTENDED) == 0 ? 0 : extendedFlags();
    boolean isStatic = (extended & STATIC) != 0;
    if (isStatic != staticPending) {
      throw wrong(
          base + at,
          isStatic ? "a static row" : "no static row",
          staticPending ? "the static row of the partition" : "a row, a marker or the end mark");
    }
    return parseRow(flags, isStatic, (flags & EXTENDED) == 0 ? at + 1 : at + 2);
  }

  private int extendedFlags() throws OutputVerificationException {
    int extended = buf[at + 1];
    if ((extended & ~EXTENDED_FLAGS) != 0) {
      throw wrong(base + at + 1, "extended flags " + hex(extended), "0x0 to 0x3");
    }
    return extended;
  }

  private boolean parseRow(int flags, boolean isStatic, int from) throws IOException {
    byte[] b = buf;
    int p = from;
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
    if ((flags & (ROW_TIMESTAMP | ROW_TTL)) != 0) {
      p = parseLiveness(flags, b, p);
    }
    if (p > limit) {
      return false;
    }
    if ((flags & ROW_DELETION) != 0) {
      p = parseDeletion(b, p);
    }
    RowColumns columns = isStatic ? staticColumns : regularColumns;
    p = (flags & ALL_COLUMNS) != 0 ? columns.parseAll(p) : columns.parse(b, p);
    if (p < 0 || p > end) {
      return false;
    }
    // The head is complete, so the row counts from here on.
    checkSize(size, bodyAt);
    if (isStatic) {
      expectPrevious(previousSize, 0);
      staticPending = false;
    } else {
      advance(base + at - partitionPosition, previousSize);
    }
    if (!isStatic || columns.left() > 0 || (flags & (ROW_TIMESTAMP | ROW_DELETION)) != 0) {
      figures.rows++;
    }
    if ((flags & ROW_TIMESTAMP) != 0
        && columns.isWholeAndSimple()
        && bodyAt + size <= base + limit
        && parseLiveCells(b, p, (int) (bodyAt + size - base), columns.fixedLengths())) {
      return true;
    }
    beginBody(flags, base + at, bodyAt + size, columns);
    return parseCells(b, p);
  }

  /** Returns the index after a clustering, or -1 if more bytes are needed. */
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
    boolean beginsBlock = !hasPrevious;
    if (!hasPrevious) {
      hasPrevious = true;
      index.startRows(offset);
      blockStart = offset;
      isPreviousFirst = false;
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
      requireBlockAt(offset);
      endBlock(present, offset);
      blockStart = offset;
      beginsBlock = true;
    }
    previousOffset = offset;
    // The three take turns, so that no values are copied.
    Prefix free = previous;
    if (isPreviousFirst) {
      free = firstOfBlock;
      firstOfBlock = previous;
    }
    previous = present;
    present = free;
    isPreviousFirst = beginsBlock;
  }

  private void widenLeast() throws OutputVerificationException {
    if (!figures.hasBounds) {
      figures.setBounds(present);
      isFirstLeast = true;
      return;
    }
    int order = compare(present, figures.least);
    isFirstLeast = order <= 0;
    if (order < 0) {
      figures.least.copyOf(present);
    }
  }

  private void widenGreatest() throws OutputVerificationException {
    boolean isKnown = isFirstLeast && isPreviousFirst && !hasBlocks;
    if (!isKnown && compare(previous, figures.greatest) > 0) {
      figures.greatest.copyOf(previous);
    }
  }

  private int compare(Prefix left, Prefix right) throws OutputVerificationException {
    try {
      return left.compareTo(right);
    } catch (IllegalArgumentException e) {
      throw withoutOrder(e);
    }
  }

  private OutputVerificationException withoutOrder(IllegalArgumentException e) {
    return wrong(base + at, "clustering values without an order: " + e.getMessage(), "values");
  }

  /** Checks that the index begins another block, or ends the last one, where the parser is. */
  private void requireBlockAt(long offset) throws IOException {
    if (partitionPosition + offset != nextBlockStart) {
      throw wrong(
          partitionPosition + offset,
          "the beginning of a row or marker",
          "that of the index block which begins at " + nextBlockStart);
    }
    nextBlockStart = blockStarts.next();
  }

  private void endBlock(@Nullable Prefix next, long to) throws IOException {
    long openHash = open ? RunningHash.ofDeletion(openTimestamp, openLocalTime) : 0;
    Prefix first = isPreviousFirst ? previous : firstOfBlock;
    try {
      index.endBlock(first, previous, next, blockStart, to, openHash);
    } catch (IllegalArgumentException e) {
      throw withoutOrder(e);
    }
    hasBlocks = true;
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
      requireBlockAt(offset);
      endBlock(null, offset);
    } else if (hasBlocks) {
      endBlock(null, offset + 1);
    }
    if (figures.hasBounds && hasPrevious) {
      widenGreatest();
    }
    index.endPartition(offset);
    at++;
    inPartition = false;
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
          "a marker of kind " + kind + " with " + CountText.of(count, "clustering value"),
          "kind 0, 1, 2, 5, 6 or 7 and up to " + CountText.of(clusteringColumns, "value"));
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
    figures.timestamp(timestamp);
    figures.timestamp(beginTimestamp);
    figures.deletionTime(localTime);
    figures.deletionTime(beginLocalTime);
    figures.markers++;
    at = p;
    return true;
  }

  /** Copies the last key into the figures; called when the file is complete. */
  void noteLastKey() {
    figures.lastKey = Arrays.copyOfRange(key, keyAt, keyAt + keyLength);
  }
}
