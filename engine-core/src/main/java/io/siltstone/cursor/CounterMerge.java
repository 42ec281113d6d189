package io.siltstone.cursor;

import io.siltstone.bytes.BigEndian;
import java.io.IOException;
import java.util.Arrays;

/**
 * Merges the cells of a counter into one cell, shard by shard.
 *
 * <pre>
 *   header     short n, then |n| shorts: the index of each shard that is local, or that is global with the top bit set
 *   shard[]    id 16 bytes, clock long, count long; by ascending id
 * </pre>
 *
 * Of two shards with the same id, a global one wins over a local one, and a local one over a remote
 * one. Of two global or two remote shards the one with the later clock wins, or the greater count
 * at equal clocks. The counts of two local shards are added; merging a cell that has local shards
 * with itself therefore changes it. Files have had no local shards since Cassandra 2.1. A negative
 * {@code n} says that the file came from another node, whose local shards are remote here. A
 * tombstone wins over all values, whatever the timestamps.
 *
 * <p>Reusable, confined to one thread. Source: Cassandra {@code Cells.resolveCounter}, {@code
 * CounterContext}.
 */
final class CounterMerge {
  private static final int ID_LENGTH = 16;
  private static final int CLOCK_OFFSET = ID_LENGTH;
  private static final int COUNT_OFFSET = CLOCK_OFFSET + Long.BYTES;
  private static final int SHARD_LENGTH = COUNT_OFFSET + Long.BYTES;
  private static final int GLOBAL = 0x8000;

  private final Shards left = new Shards();
  private final Shards right = new Shards();

  private long timestamp;
  private byte[] value = {};
  private int valueOffset;
  private int valueLength;

  // The result so far, and the target of the next merge; header elements and shards are kept apart.
  private byte[] merged = new byte[256];
  private byte[] spare = new byte[256];
  private byte[] header = new byte[64];
  private int headerLength;
  private int bodyLength;
  private int shards;

  /** Begins with the present cell of a row, which is no tombstone. */
  void begin(Unfiltered row) {
    timestamp = row.cellTimestamp();
    value = row.bytes();
    valueOffset = row.valueOffset();
    valueLength = row.valueLength();
  }

  /** Merges in the present cell of another row, which is no tombstone. */
  void add(Unfiltered row) throws IOException {
    boolean leftIsEmpty = valueLength == 0;
    boolean rightIsEmpty = row.valueLength() == 0;
    // A value is empty where the reader did not ask for the column; then the other one is not
    // needed either.
    if (!leftIsEmpty && rightIsEmpty) {
      begin(row);
      return;
    }
    if (leftIsEmpty) {
      timestamp = rightIsEmpty ? Math.max(timestamp, row.cellTimestamp()) : timestamp;
      return;
    }
    if (!left.wrap(value, valueOffset, valueLength)
        || !right.wrap(row.bytes(), row.valueOffset(), row.valueLength())) {
      throw row.corrupt("a counter of " + row.valueLength() + " bytes, which are no shards");
    }
    merge();
    timestamp = Math.max(timestamp, row.cellTimestamp());
  }

  long timestamp() {
    return timestamp;
  }

  byte[] value() {
    return value;
  }

  int valueOffset() {
    return valueOffset;
  }

  int valueLength() {
    return valueLength;
  }

  private void merge() {
    long most = (long) valueLength + right.end - right.from;
    spare = UnfilteredEncoder.grown(spare, 0, most);
    header = UnfilteredEncoder.grown(header, 0, most);
    headerLength = 0;
    bodyLength = 0;
    shards = 0;
    while (left.hasShard() || right.hasShard()) {
      int order = !left.hasShard() ? 1 : !right.hasShard() ? -1 : left.compareId(right);
      if (order < 0) {
        copy(left);
        left.next();
      } else if (order > 0) {
        copy(right);
        right.next();
      } else {
        if (left.kind == Kind.LOCAL && right.kind == Kind.LOCAL) {
          copy(left);
          int at = bodyLength - SHARD_LENGTH;
          BigEndian.putLong(spare, at + CLOCK_OFFSET, left.clock() + right.clock());
          BigEndian.putLong(spare, at + COUNT_OFFSET, left.count() + right.count());
        } else {
          copy(left.compareVersion(right) >= 0 ? left : right);
        }
        left.next();
        right.next();
      }
    }
    assemble();
  }

  private void copy(Shards from) {
    if (from.kind != Kind.REMOTE) {
      BigEndian.putShort(header, headerLength, from.kind == Kind.GLOBAL ? shards | GLOBAL : shards);
      headerLength += Short.BYTES;
    }
    System.arraycopy(from.bytes, from.at, spare, bodyLength, SHARD_LENGTH);
    bodyLength += SHARD_LENGTH;
    shards++;
  }

  private void assemble() {
    int length = Short.BYTES + headerLength + bodyLength;
    // The left value may be in this array, but is no longer needed.
    merged = UnfilteredEncoder.grown(merged, 0, length);
    BigEndian.putShort(merged, 0, headerLength / Short.BYTES);
    System.arraycopy(header, 0, merged, Short.BYTES, headerLength);
    System.arraycopy(spare, 0, merged, Short.BYTES + headerLength, bodyLength);
    value = merged;
    valueOffset = 0;
    valueLength = length;
  }

  private enum Kind {
    REMOTE,
    LOCAL,
    GLOBAL
  }

  /** A walk over the shards of one value. */
  private static final class Shards {
    private byte[] bytes = {};
    private int from;
    private int end;
    private int headerAt;
    private int headerEnd;
    private boolean localIsRemote;
    private int at;
    private int index;
    private Kind kind = Kind.REMOTE;

    /** Points the walk at a value; returns false if the bytes are no header and shards. */
    boolean wrap(byte[] value, int offset, int length) {
      bytes = value;
      from = offset;
      end = offset + length;
      if (length < Short.BYTES) {
        return false;
      }
      int elements = BigEndian.getShort(value, offset);
      localIsRemote = elements < 0;
      headerAt = offset + Short.BYTES;
      int bodyFrom = headerAt + Math.abs(elements) * Short.BYTES;
      headerEnd = bodyFrom;
      at = bodyFrom;
      index = 0;
      if (bodyFrom > end || (end - bodyFrom) % SHARD_LENGTH != 0) {
        return false;
      }
      readKind();
      return true;
    }

    boolean hasShard() {
      return at < end;
    }

    void next() {
      at += SHARD_LENGTH;
      index++;
      readKind();
    }

    /**
     * Reads the kind of the present shard: the header has the indexes of all shards that are not
     * remote, in order.
     */
    private void readKind() {
      kind = Kind.REMOTE;
      if (headerAt >= headerEnd) {
        return;
      }
      int element = BigEndian.getUnsignedShort(bytes, headerAt);
      if (element == (index | GLOBAL)) {
        kind = Kind.GLOBAL;
        headerAt += Short.BYTES;
      } else if (element == index) {
        kind = localIsRemote ? Kind.REMOTE : Kind.LOCAL;
        headerAt += Short.BYTES;
      }
    }

    long clock() {
      return BigEndian.getLong(bytes, at + CLOCK_OFFSET);
    }

    long count() {
      return BigEndian.getLong(bytes, at + COUNT_OFFSET);
    }

    int compareId(Shards other) {
      return Arrays.compareUnsigned(
          bytes, at, at + ID_LENGTH, other.bytes, other.at, other.at + ID_LENGTH);
    }

    /** Compares two shards of one id, which are not both local; the greater one wins. */
    int compareVersion(Shards other) {
      if (kind != other.kind) {
        return kind.compareTo(other.kind);
      }
      long clock = clock();
      long otherClock = other.clock();
      if (clock == otherClock) {
        return Long.compare(count(), other.count());
      }
      if (kind == Kind.REMOTE && (clock < 0 || otherClock < 0)) {
        // Cassandra lets negative clocks win, the least of them first.
        return Long.compare(otherClock, clock);
      }
      return Long.compare(clock, otherClock);
    }
  }
}
