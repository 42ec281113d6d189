package io.siltstone.sstable;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has been opened on the way to something, to be closed if that fails. Not safe for threads.
 */
final class Opened {
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Closes all of it, the last first; what fails then is suppressed. */
  void closeAfter(Throwable failure) {
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
  }
}
