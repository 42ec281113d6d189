package io.siltstone.sstable.data;

import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A window that slides over a file: the bytes around the present position lie in one array, so that
 * what is parsed can be parsed where it lies.
 *
 * <p>The array grows to hold the longest single thing that was asked for, never more than the file
 * has left. Confined to one thread; closing it closes its source.
 */
public final class ByteWindow implements Closeable {
  private static final int MOST_KEPT = 1 << 20;
  private static final int MOST_AT_REST = 256 * 1024;

  private final ByteSource source;
  private final Component component;
  private final int readAhead;
  private final int capacity;
  private byte[] bytes = {};
  // Position in the file of bytes[0]; how many bytes are filled; where the reader stands.
  private long base;
  private int limit;
  private int at;
  private long keptFrom = Long.MAX_VALUE;
  // What lay in the array before the last step back, while what was fetched since reaches to it.
  private byte[] passed = {};
  private long passedFrom;
  private int passedLength;
  // What was wrong behind all that was asked for: told to whoever comes to it, and not tried again,
  // as a checksum that is compared by chance might not be the next time.
  private @Nullable IOException failure;
  private long failedAt;

  /**
   * @param source that it takes over
   * @param component of the table, for messages
   * @param capacity bytes of the array when first something is fetched
   * @param readAhead whether whole units are fetched while there is room (for reading from front to
   *     back), or only what is needed
   */
  public ByteWindow(ByteSource source, Component component, int capacity, boolean readAhead) {
    this.source = source;
    this.component = component;
    this.readAhead = readAhead ? capacity : 0;
    this.capacity = capacity;
  }

  /** The array. Valid until {@link #need}, {@link #seek} or {@link #skip} is called. */
  public byte[] bytes() {
    return bytes;
  }

  /** Index in {@link #bytes()} of the present position. */
  public int at() {
    return at;
  }

  /** Index in {@link #bytes()} behind what has been fetched. */
  public int limit() {
    return limit;
  }

  /** Bytes that have been fetched from the present position on. */
  public int available() {
    return Math.max(0, limit - at);
  }

  /** The present position in the file. */
  public long position() {
    return base + at;
  }

  /** Position in the file of an index in {@link #bytes()}. */
  public long positionOf(int index) {
    return base + index;
  }

  /** Bytes of the file from the present position to its end. */
  public long remaining() {
    return source.length() - position();
  }

  /** Moves to any position; what was fetched is kept if it lies there. */
  public void seek(long position) {
    if (position >= base && position <= base + limit && limit > 0) {
      at = (int) (position - base);
      return;
    }
    boolean comesBack = keptFrom != Long.MAX_VALUE;
    int piece = comesBack ? source.pieceLength() : source.alignment();
    int within = (int) (position & (piece - 1));
    if (comesBack) {
      passOn(position - within);
    }
    at = within;
    base = position - at;
    limit = 0;
    keptFrom = Long.MAX_VALUE;
  }

  /** Lays aside what was fetched, if reading from {@code from} on may come to it again. */
  private void passOn(long from) {
    boolean isStepBack = from < base && base - from <= MOST_KEPT;
    passedLength = isStepBack ? limit : 0;
    if (isStepBack) {
      byte[] other = passed;
      passed = bytes;
      passedFrom = base;
      bytes = other;
    }
  }

  /**
   * From now on, what lies behind the present position stays in the array while one moves on, so
   * that one can come back at no cost: up to 1 MiB, until the next call or a seek elsewhere. A seek
   * to a little before it keeps it too, for when one has read on to there; it fetches from the
   * beginning of a piece on.
   */
  public void keepFromHere() {
    keptFrom = position();
  }

  /** Moves forward over bytes that may not have been fetched; what is to be kept is not lost. */
  public void skip(long count) throws IOException {
    if (count <= limit - at) {
      at += (int) count;
    } else if (position() + count - keptFrom <= MOST_KEPT
        && keptFrom <= position()
        && count <= remaining()) {
      fetch(count);
      at += (int) count;
    } else {
      seek(position() + count);
    }
  }

  /**
   * Sees to it that {@code count} bytes from the present position on are in the array.
   *
   * @throws CorruptSSTableException if the file ends before
   */
  public void need(long count) throws IOException {
    if (count > limit - at) {
      fetch(count);
    }
  }

  /** As {@link #need}, of as many bytes as there are up to {@code count}. */
  public void offer(int count) throws IOException {
    if (count > limit - at) {
      fetch(Math.min(count, remaining()));
    }
  }

  private void fetch(long count) throws IOException {
    if (count > remaining() || count < 0) {
      throw corrupt(
          position(),
          "the file ends here, "
              + (count < 0 ? "more than it can have" : count + " bytes")
              + " are wanted and "
              + Math.max(0, remaining())
              + " there");
    }
    if (count > Integer.MAX_VALUE - 8L) {
      throw corrupt(position(), count + " bytes in one piece, allowed " + (Integer.MAX_VALUE - 8));
    }
    makeRoom((int) count);
    try {
      while (limit - at < count) {
        fetchUnit();
      }
    } catch (CorruptFileException e) {
      throw CorruptSSTableException.of(component, e);
    }
    readAhead();
  }

  private void readAhead() {
    while (readAhead > 0
        && bytes.length - limit >= source.unit()
        && base + limit < source.length()
        && !hasFailedAt(base + limit)) {
      long from = base + limit;
      try {
        fetchUnit();
      } catch (IOException e) {
        failure = e;
        failedAt = from;
      }
    }
  }

  private boolean hasFailedAt(long position) {
    return failure != null && position == failedAt;
  }

  private void fetchUnit() throws IOException {
    long from = base + limit;
    if (failure != null && hasFailedAt(from)) {
      throw failure;
    }
    if (from >= passedFrom && from < passedFrom + passedLength) {
      int start = (int) (from - passedFrom);
      int again = Math.min(passedLength - start, bytes.length - limit);
      System.arraycopy(passed, start, bytes, limit, again);
      limit += again;
      return;
    }
    int count = source.read(from, bytes, limit, bytes.length - limit);
    if (count <= 0) {
      throw corrupt(from, "the file ends before its length of " + source.length());
    }
    limit += count;
  }

  /**
   * Moves what is wanted to the front. Room for a whole unit behind what is needed lets the source
   * decompress straight into the array.
   */
  private void makeRoom(int count) {
    int from = limit == 0 ? 0 : at;
    if (keptFrom - base <= at && limit - (keptFrom - base) <= MOST_KEPT) {
      // Whole pieces, as a step back comes to the beginning of the first.
      from = (int) Math.max(0, (keptFrom & -source.pieceLength()) - base);
    }
    int kept = limit - from;
    long room = Math.max((long) at - from + count, (long) kept + source.unit());
    if (from + room > bytes.length || readAhead > 0) {
      byte[] target = bytes;
      if (room > bytes.length) {
        long wanted = Math.max(Math.max(room, capacity), Math.min(2L * bytes.length, 1 << 26));
        target = new byte[(int) Math.min(wanted, Integer.MAX_VALUE - 8)];
      }
      System.arraycopy(bytes, from, target, 0, kept);
      bytes = target;
      base += from;
      at -= from;
      limit = kept;
    }
  }

  /**
   * Lets go of an array that has grown beyond 256 KiB, and of what was fetched; {@link #seek} must
   * follow.
   *
   * @return whether it was so large
   */
  public boolean trim() {
    boolean isLarge = bytes.length + passed.length > MOST_AT_REST;
    if (isLarge) {
      source.rest();
      bytes = new byte[0];
      passed = bytes;
      passedLength = 0;
      base = 0;
      at = 0;
      limit = 0;
      keptFrom = Long.MAX_VALUE;
    }
    return isLarge;
  }

  /** The exception for damage at a position of this file. */
  public CorruptSSTableException corrupt(long position, String reason) {
    return new CorruptSSTableException(source.path(), component, position, reason);
  }

  /**
   * The exception for rows or range tombstones that are out of order at a position of this file.
   */
  CorruptSSTableException outOfOrder(long position, String reason) {
    return CorruptSSTableException.ofKind(
        CorruptSSTableException.Kind.OUT_OF_ORDER, source.path(), component, position, reason);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
