package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.OutputVerificationException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Parses a file whose bytes arrive in pieces of any size. It holds no more than one element, such
 * as the head of a row or of a cell. Values are skipped without being held.
 *
 * <p>A subclass parses elements in {@link #parse()} from {@link #at} on. It may read numbers of up
 * to {@value #MARGIN} bytes together without a check whether they are available: an element may
 * begin before {@link #limit} only, and that many bytes follow it. After each part of variable
 * length it checks whether it is still before the limit. An element that reaches beyond the limit
 * is copied and parsed again, together with the bytes that follow. Confined to one thread at a
 * time.
 */
abstract class StreamParser {
  /** Number of bytes beyond the limit that can be read. */
  static final int MARGIN = 96;

  private static final byte[] NOTHING = {};
  private static final int KEPT_BYTES = 256 * 1024;

  private final String path;

  /** The bytes that are currently parsed. */
  byte[] buf = NOTHING;

  /** Index of the next element. */
  int at;

  /** Index before which elements may begin. */
  int limit;

  /** Index after the last available byte of the file. */
  int end;

  /** Position in the file of index 0. */
  long base;

  private long accepted;
  private long skipped;
  private byte[] carry = new byte[1024];
  private int carried;

  /**
   * Creates a parser.
   *
   * @param path of the file, for messages
   */
  StreamParser(String path) {
    this.path = path;
  }

  /**
   * Parses elements as long as they begin before {@link #limit} and are complete, and leaves {@link
   * #at} at the first incomplete one.
   */
  abstract void parse() throws IOException;

  /** Checks that the file may end where the last element has ended. */
  abstract void parsedAll() throws IOException;

  /** Parses the next bytes of the file. */
  final void accept(byte[] bytes, int length) throws IOException {
    int from = carried == 0 ? 0 : parseCarried(bytes, length);
    int part = (int) Math.min(skipped, length - from);
    skipped -= part;
    from += part;
    if (from < length) {
      base = accepted;
      parse(bytes, from, length - MARGIN, length);
      if (skipped == 0) {
        carried = length - at;
        carry = grown(carry.length > KEPT_BYTES ? NOTHING : carry, carried);
        System.arraycopy(bytes, at, carry, 0, carried);
      }
    }
    accepted += length;
    buf = NOTHING;
  }

  /**
   * Parses the elements that begin in the carried-over bytes, with as many of the next bytes as
   * they need.
   *
   * @return index in {@code bytes} of the first byte after these elements
   */
  private int parseCarried(byte[] bytes, int length) throws IOException {
    int tail = carried;
    int taken = 0;
    int step = 2 * MARGIN;
    while (true) {
      int more = Math.min(step, length - taken);
      carry = grown(carry, carried + more + MARGIN);
      System.arraycopy(bytes, taken, carry, carried, more);
      carried += more;
      taken += more;
      base = accepted - tail;
      parse(carry, 0, carried - MARGIN, carried);
      if (skipped > 0) {
        carried = 0;
        return taken;
      }
      if (at >= tail) {
        carried = 0;
        return at - tail;
      }
      carried -= at;
      tail -= at;
      System.arraycopy(carry, at, carry, 0, carried);
      if (taken == length) {
        return length;
      }
      step = Math.max(step, Math.min(carried, Integer.MAX_VALUE / 4));
    }
  }

  private void parse(byte[] bytes, int from, int before, int to) throws IOException {
    buf = bytes;
    at = from;
    limit = before;
    end = to;
    parse();
  }

  /**
   * Parses the rest, after the last byte was accepted.
   *
   * @throws OutputVerificationException if the file ends within an element
   */
  final void finish() throws IOException {
    if (skipped > 0) {
      throw wrong(accepted, "the end of the file within a value", skipped + " more bytes");
    }
    carry = grown(carry, carried + MARGIN);
    Arrays.fill(carry, carried, carried + MARGIN, (byte) 0);
    base = accepted - carried;
    parse(carry, 0, carried, carried);
    if (at != end || skipped > 0) {
      throw wrong(base + at, "the end of the file within what begins here", "all of it");
    }
    parsedAll();
  }

  private static byte[] grown(byte[] array, int needed) {
    return array.length >= needed
        ? array
        : Arrays.copyOf(array, Math.max(needed, 2 * array.length));
  }

  /** Returns the number of bytes of the file that were accepted. */
  final long accepted() {
    return accepted;
  }

  /**
   * Skips bytes, which need not be available yet.
   *
   * @param from index of the first of them
   */
  final void skip(int from, long count) {
    int there = end - from;
    at = from + (int) Math.min(count, there);
    skipped = Math.max(0, count - there);
  }

  /** Returns the exception for a defect at a position of the file. */
  final OutputVerificationException wrong(long position, String found, String expected) {
    return new OutputVerificationException(path, position, found, expected);
  }

  /** Reads an unsigned vint. */
  static long vint(byte[] bytes, int at) {
    int first = bytes[at];
    return first >= 0 ? first : longVint(bytes, at, first);
  }

  private static long longVint(byte[] bytes, int at, int first) {
    int more = Integer.numberOfLeadingZeros(~first & 0xff) - 24;
    long rest = BigEndian.getLong(bytes, at + 1);
    if (more == 8) {
      return rest;
    }
    int bits = 8 * more;
    return (long) (first & (0xff >> more)) << bits | rest >>> (Long.SIZE - bits);
  }

  /** Returns the length of the vint at an index. */
  static int vintLength(byte[] bytes, int at) {
    int first = bytes[at];
    return first >= 0 ? 1 : Integer.numberOfLeadingZeros(~first & 0xff) - 23;
  }
}
