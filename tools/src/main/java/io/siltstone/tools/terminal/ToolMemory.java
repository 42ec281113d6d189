package io.siltstone.tools.terminal;

import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap memory budget of one run of the command line, without a limit. It is created when a
 * command first asks for it, because help and versions need none. Confined to one thread.
 */
public final class ToolMemory implements Supplier<MemoryBudget>, AutoCloseable {
  /**
   * The {@code memoryBytes} of a database that a command opens. It is unlimited because the files
   * decide how much filters and summaries take; memtables and caches keep limits of their own.
   */
  public static final long UNLIMITED_BYTES = Long.MAX_VALUE;

  private @Nullable MemoryBudget memory;

  @Override
  public MemoryBudget get() {
    MemoryBudget present = memory;
    if (present == null) {
      present = PooledMemory.unlimited();
      memory = present;
    }
    return present;
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
