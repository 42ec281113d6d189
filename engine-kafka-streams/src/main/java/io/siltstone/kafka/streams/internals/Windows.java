package io.siltstone.kafka.streams.internals;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.kstream.internals.TimeWindow;

/**
 * Keys with windows, as window and session stores return them.
 *
 * <p>Uses {@code TimeWindow} and {@code SessionWindow}: the public class of windows is abstract,
 * and these are the ones that Kafka's wrappers of stores compare and serialize.
 */
public final class Windows {
  private Windows() {}

  /** Returns a key with a window; the end of one that is too long is the greatest time. */
  public static Windowed<Bytes> window(byte[] key, long start, long size) {
    long end = start + size;
    return new Windowed<>(Bytes.wrap(key), new TimeWindow(start, end < 0 ? Long.MAX_VALUE : end));
  }

  /** Returns a key with a session. */
  public static Windowed<Bytes> session(byte[] key, long start, long end) {
    return new Windowed<>(Bytes.wrap(key), new SessionWindow(start, end));
  }
}
