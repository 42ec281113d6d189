package io.siltstone.io;

import java.nio.ByteBuffer;

/**
 * Copies bytes out of a mapping, and notices pages that the operating system cannot supply: beyond
 * the end of a file that was cut, or on a bad sector.
 *
 * <p>The JVM reports such a page by an {@link InternalError}, but not where it was touched. Java 17
 * raises it in the thread at the next call into its runtime, newer versions at the next safepoint
 * poll. Both may lie outside of the copy, in code that knows nothing of the file. What holds in all
 * of them is that the copy itself ends before its last byte is written. So a mark is put there
 * first. If it is still there, and a second, different one too, the page was not readable; then the
 * pending error is provoked and dropped.
 *
 * <p>This holds for copies in bulk only. {@link ByteBuffer#get(int, byte[], int, int)} reads a few
 * bytes one by one, so those are copied between buffers. Copying allocates nothing but a view for
 * so few bytes.
 */
final class MappedCopy {
  // More than what ByteBuffer reads byte by byte, which is up to 6.
  private static final int LEAST_BULK_BYTES = 16;

  // Each of two copies makes one, which may be raised twice: on leaving the runtime, and after it.
  private static final int MOST_PENDING = 4;

  private MappedCopy() {}

  /**
   * Copies to a place in a buffer, whose position does not change.
   *
   * @return false if a page cannot be read; what stands in the target then is undefined
   */
  static boolean copy(ByteBuffer mapped, int from, ByteBuffer to, int at, int length) {
    try {
      if (length == 0 || isCopied(mapped, from, to, at, length)) {
        return true;
      }
      dropPendingErrors(MOST_PENDING);
    } catch (InternalError e) {
      // The page was not readable. The error says nothing more.
    }
    return fail();
  }

  /** As {@link #copy(ByteBuffer, int, ByteBuffer, int, int)}, to an array. */
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
      // The page was not readable. The error says nothing more.
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

  /** Returns false when nothing is pending any more. */
  private static boolean fail() {
    try {
      dropPendingErrors(MOST_PENDING);
    } catch (InternalError e) {
      // It was raised while the one before was handled.
    }
    return false;
  }

  /**
   * Raises the errors that are pending, one at each level. An error may also be raised in the
   * handler of the one before, which is why the levels are nested.
   */
  private static void dropPendingErrors(int level) {
    try {
      if (level > 0) {
        dropPendingErrors(level - 1);
      }
      enterRuntime();
    } catch (InternalError e) {
      // This is one that was pending.
    }
  }

  /**
   * Returns to Java from native code, which is where newer versions raise what is pending, and has
   * the runtime throw an exception, which is where Java 17 does: in place of that exception, or in
   * its handler.
   */
  private static void enterRuntime() {
    try {
      refuse(Thread.holdsLock(MappedCopy.class) ? -1 : -2);
    } catch (NegativeArraySizeException e) {
      // As expected.
    }
  }

  private static void refuse(int negative) {
    byte[] none = new byte[negative];
    throw new AssertionError(none.length + " bytes, asked for were " + negative);
  }
}
