package io.siltstone;

import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.io.Closeable;

/**
 * The off-heap memory of an offline table: a budget of its own, or its part of that of {@link
 * SharedResources}. Closed after all that was allocated is freed.
 *
 * @param budget counts what the table takes
 * @param endOfUse ends the use of the shared resources; does nothing if there are none
 */
record OfflineMemory(MemoryBudget budget, Runnable endOfUse) implements Closeable {

  /**
   * Returns the memory that the options ask for.
   *
   * @param path of the table, for messages
   * @throws IllegalStateException if the shared resources are closed
   */
  static OfflineMemory of(String path, DatabaseOptions options) {
    SharedResources shared = options.sharedResources();
    if (shared == null) {
      return new OfflineMemory(PooledMemory.withLimit(options.memoryBytes()), () -> {});
    }
    DatabaseResources used = shared.use(path);
    return new OfflineMemory(used.budget(() -> {}), used::close);
  }

  @Override
  public void close() {
    try {
      budget.close();
    } finally {
      endOfUse.run();
    }
  }
}
