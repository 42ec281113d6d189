package io.siltstone;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A small cache of read-only buffers, one for each array in which a cursor shows entries, so that
 * showing an entry allocates nothing. A buffer is pointed at another place each time. Confined to
 * one thread.
 */
final class ReadOnlyViews {
  private static final int KEPT = 8;

  private final byte[] @Nullable [] arrays = new byte[KEPT][];
  private final @Nullable ByteBuffer[] views = new ByteBuffer[KEPT];
  private int latest;
  private int oldest;

  ByteBuffer of(byte[] array, int offset, int length) {
    ByteBuffer view = views[latest];
    if (view == null || array != arrays[latest]) {
      view = find(array);
    }
    // The caller may have changed the byte order of a buffer that it got before.
    return view.order(ByteOrder.BIG_ENDIAN).limit(offset + length).position(offset);
  }

  private ByteBuffer find(byte[] array) {
    for (int i = 0; i < KEPT; i++) {
      ByteBuffer view = views[i];
      if (view != null && array == arrays[i]) {
        latest = i;
        return view;
      }
    }
    ByteBuffer made = ByteBuffer.wrap(array).asReadOnlyBuffer();
    arrays[oldest] = array;
    views[oldest] = made;
    latest = oldest;
    oldest = (oldest + 1) % KEPT;
    return made;
  }
}
