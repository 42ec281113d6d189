package io.siltstone.kafka.streams.internals;

import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.internals.CachingWindowStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/**
 * The cache that Kafka puts around a window store.
 *
 * <p>Uses {@code CachingWindowStore} and {@code WrappedStateStore}: this cache merges its windows
 * with those of the store in the order of segments and keys, and nothing public says whether a
 * store has it. Kafka gives its own stores that are ordered by time another cache.
 */
public final class WindowCache {
  private WindowCache() {}

  /**
   * Returns whether a store has the cache.
   *
   * @param root the outermost of the wrappers around the store
   */
  public static boolean isIn(StateStore root) {
    StateStore wrapper = root;
    while (wrapper instanceof WrappedStateStore<?, ?, ?> wrapped) {
      if (wrapper instanceof CachingWindowStore) {
        return true;
      }
      wrapper = wrapped.wrapped();
    }
    return false;
  }
}
