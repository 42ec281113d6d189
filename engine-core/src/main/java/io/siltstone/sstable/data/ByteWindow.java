package io.siltstone.sstable.data;

import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A window that slides over a file: the bytes around the current position are in one array, so that
 * they can be parsed without copying.
 *
 * <p>The array grows to hold the longest element that was requested, but never beyond the rest of
 * the file. Confined to one thread; closing it closes its source.
 */
public final class ByteWindow implements Closeable {
  private static final int MOST_KEPT = 1 << 20;
  private static final int MOST_AT_REST = 256 * 1024;

  private final ByteSource source;
  private final Component component;
  private final int readAhead;
  private final int capacity;
  private byte[] bytes = {};
  // The position in the file of bytes[0], the number of bytes filled, and the index of the reader.
  private long base;
  private int limit;
  private int at;
  private long keptFrom = Long.MAX_VALUE;
  // The contents of the array before the last step back, as long as the fetched bytes reach to
  // them.
  private byte[] passed = {};
  private long passedFrom;
  private int passedLength;
  // A failure after all bytes that were requested. It is thrown when a reader comes to its
  // position, and the read is not repeated, because a checksum that is compared by chance might not
  // be compared the next time.
  private @Nullable IOException failure;
  private long failedAt;

  /**
   * @param source the bytes of the file; taken over
   * @param component of the table, for messages
   * @param capacity length of the array when bytes are first fetched
   * @param readAhead whether whole units are fetched while there is room (for reading from front to
   *     back), or only what is needed
   */
  public ByteWindow(ByteSource source, Component component, int capacity, boolean readAhead) {
    this.source = source;
    this.component = component;
    this.readAhead = readAhead ? capacity : 0;
    this.capacity = capacity;
  }

  /**
   * Returns the array. It is valid until {@link #need}, {@link #seek} or {@link #skip} is called.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index in {@link #bytes()} of the current position. */
  public int at() {
    return at;
  }

  /** Returns the index in {@link #bytes()} after the fetched bytes. */
  public int limit() {
    return limit;
  }

  /** Returns the number of bytes that have been fetched from the current position on. */
  public int available() {
    return Math.max(0, limit - at);
  }

  /** Returns the current position in the file. */
  public long position() {
    return base + at;
  }

  /** Returns the position in the file of an index in {@link #bytes()}. */
  public long positionOf(int index) {
    return base + index;
  }

  /** Returns the number of bytes from the current position to the end of the file. */
  public long remaining() {
    return source.length() - position();
  }

  /** Moves to any position; fetched bytes are kept if they contain it. */
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

  /** Keeps the fetched bytes, if reading from {@code from} on may reach them again. */
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

  /** Says where reading will end, until the next call; see {@link ByteSource#expectEnd}. */
  public void expectEnd(ExpectedEnd end, boolean isCertain) {
    source.expectEnd(end, isCertain);
  }

  /**
   * Keeps the bytes after the current position in the array from now on, so that the reader can
   * return without another fetch: up to 1 MiB, until the next call or a seek elsewhere. A seek to a
   * position shortly before keeps them too, for a reader that has read on to them; bytes are then
   * fetched from the beginning of a piece on.
   */
  public void keepFromHere() {
    keptFrom = position();
  }

  /** Ends what {@link #keepFromHere} has begun. */
  void keepNothing() {
    keptFrom = Long.MAX_VALUE;
  }

  /** Returns where the piece begins that has a position: what is fetched for it begins there. */
  long pieceStart(long position) {
    return position & -source.pieceLength();
  }

  /**
   * Moves forward over bytes that may not have been fetched; bytes that {@link #keepFromHere}
   * protects are kept.
   */
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
   * Makes {@code count} bytes from the current position on available in the array.
   *
   * @throws CorruptSSTableException if the file ends earlier
   */
  public void need(long count) throws IOException {
    if (count > limit - at) {
      fetch(count);
    }
  }

  /** Makes up to {@code count} bytes available, as many as the file has. */
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
   * Moves the required bytes to the front. Room for a whole unit after them lets the source
   * decompress straight into the array.
   */
  private void makeRoom(int count) {
    int from = limit == 0 ? 0 : at;
    if (keptFrom - base <= at && limit - (keptFrom - base) <= MOST_KEPT) {
      // Whole pieces, because a step back goes to the beginning of the first.
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
   * Releases an array that has grown beyond 256 KiB, with its content; {@link #seek} must follow.
   *
   * @return whether the array was so large
   */
  public boolean trim() {
    boolean isLarge = bytes.length + passed.length > MOST_AT_REST;
    if (isLarge) {
      source.releaseBuffers();
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

  /** Returns the exception for damage at a position of this file. */
  public CorruptSSTableException corrupt(long position, String reason) {
    return new CorruptSSTableException(source.path(), component, position, reason);
  }

  /**
   * Returns the exception for rows or range tombstones that are out of order at a position of this
   * file.
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
