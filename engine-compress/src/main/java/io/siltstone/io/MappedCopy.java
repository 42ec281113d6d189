package io.siltstone.io;

import java.nio.ByteBuffer;

/**
 * Copies bytes out of a memory-mapped file, and detects pages that the operating system cannot
 * read: beyond the end of a truncated file, or on a bad sector.
 *
 * <p>The JVM reports such a page by an {@link InternalError}, but not where it was accessed. Java
 * 17 throws it in the thread at the next call into its runtime, newer versions at the next
 * safepoint poll. Both may lie outside of the copy, in code unrelated to the file. In all versions
 * the copy ends before its last byte is written. Therefore a mark is written to that byte first. If
 * the mark is still there, and then a second, different one too, the page was not readable; the
 * pending error is then provoked and dropped.
 *
 * <p>This holds for copies in bulk only. {@link ByteBuffer#get(int, byte[], int, int)} reads a few
 * bytes one by one, so those are copied between buffers. Copying allocates nothing but a view for
 * so few bytes.
 */
final class MappedCopy {
  // More than the number of bytes that ByteBuffer reads one by one, which is up to 6.
  private static final int LEAST_BULK_BYTES = 16;

  // Each of two copies causes an error, which may be thrown twice: on leaving the runtime, and
  // after it.
  private static final int MOST_PENDING = 4;

  private MappedCopy() {}

  /**
   * Copies to an index of a buffer, whose position does not change.
   *
   * @return false if a page cannot be read; the content of the target is then undefined
   */
  static boolean copy(ByteBuffer mapped, int from, ByteBuffer to, int at, int length) {
    try {
      if (length == 0 || isCopied(mapped, from, to, at, length)) {
        return true;
      }
      dropPendingErrors(MOST_PENDING);
    } catch (InternalError e) {
      // The page was not readable. The error has no further information.
    }
    return fail();
  }

  /** Copies to an array; otherwise as {@link #copy(ByteBuffer, int, ByteBuffer, int, int)}. */
  static boolean copy(ByteBuffer mapped, int from, byte[] to, int at, int length) {
    if (length < LEAST_BULK_BYTES) {
      return copy(mapped, from, ByteBuffer.wrap(to), at, length);
    }
    try {
      if (isCopied(mapped, from, to, at, length)) {
        return true;
      }
      dropPendingErrors(MOST_PENDING);
    } catch (InternalError e) {
      // The page was not readable. The error has no further information.
    }
    return fail();
  }

  private static boolean isCopied(ByteBuffer mapped, int from, ByteBuffer to, int at, int length) {
    int last = at + length - 1;
    byte mark = (byte) ~to.get(last);
    to.put(last, mark);
    to.put(at, mapped, from, length);
    if (to.get(last) != mark) {
      return true;
    }
    // Either nothing was written there, or the file has the same byte.
    mark = (byte) ~mark;
    to.put(last, mark);
    to.put(at, mapped, from, length);
    return to.get(last) != mark;
  }

  private static boolean isCopied(ByteBuffer mapped, int from, byte[] to, int at, int length) {
    int last = at + length - 1;
    byte mark = (byte) ~to[last];
    to[last] = mark;
    mapped.get(from, to, at, length);
    if (to[last] != mark) {
      return true;
    }
    mark = (byte) ~mark;
    to[last] = mark;
    mapped.get(from, to, at, length);
    return to[last] != mark;
  }

  /** Returns false when no error is pending any more. */
  private static boolean fail() {
    try {
      dropPendingErrors(MOST_PENDING);
    } catch (InternalError e) {
      // The error was thrown while the one before was handled.
    }
    return false;
  }

  /**
   * Throws and catches the pending errors, one at each level. An error may also be thrown in the
   * handler of the one before, which is why the levels are nested.
   */
  private static void dropPendingErrors(int level) {
    try {
      if (level > 0) {
        dropPendingErrors(level - 1);
      }
      enterRuntime();
    } catch (InternalError e) {
      // This was a pending error.
    }
  }

  /**
   * Returns to Java from native code, where newer versions throw pending errors, and makes the
   * runtime throw an exception. Java 17 throws pending errors in place of that exception, or in its
   * handler.
   */
  private static void enterRuntime() {
    try {
      refuse(Thread.holdsLock(MappedCopy.class) ? -1 : -2);
    } catch (NegativeArraySizeException e) {
      // This is expected.
    }
  }

  private static void refuse(int negative) {
    byte[] none = new byte[negative];
    throw new AssertionError(none.length + " bytes, asked for were " + negative);
  }
}
