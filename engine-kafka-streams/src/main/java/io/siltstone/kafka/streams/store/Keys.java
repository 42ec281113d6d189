package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.ClosingIterator;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ranges of keys as stores of Kafka understand them. */
final class Keys {
  private static final Logger LOG = LoggerFactory.getLogger(Keys.class);

  private Keys() {}

  /** Returns the first key after all that begin with a prefix; null if there is none. */
  static byte @Nullable [] afterPrefix(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] after = Arrays.copyOf(prefix, length);
    after[length - 1]++;
    return after;
  }

  /** Warns of a range whose first key is greater than its last, as Kafka's stores do. */
  static void warnOfOrder() {
    LOG.warn(
        "Returning empty iterator for fetch with invalid key range: from > to."
            + " This may be due to range arguments set in the wrong order, or serdes that don't"
            + " preserve ordering when lexicographically comparing the serialized bytes."
            + " Note that the built-in numerical serdes do not follow this for negative numbers");
  }

  /** Returns an iterator over nothing. */
  static <K> KeyValueIterator<K, byte[]> noEntries() {
    return new ClosingIterator<>() {
      private Runnable closing = () -> {};

      @Override
      public void onClose(Runnable closeCallback) {
        closing = closeCallback;
      }

      @Override
      public void close() {
        closing.run();
      }

      @Override
      public K peekNextKey() {
        throw new NoSuchElementException();
      }

      @Override
      public boolean hasNext() {
        return false;
      }

      @Override
      public KeyValue<K, byte[]> next() {
        throw new NoSuchElementException();
      }
    };
  }
}
