package io.siltstone.table;

import io.siltstone.cache.ReadCaches;
import io.siltstone.catalog.Identity;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.compress.FlushCompression;
import io.siltstone.files.WriteGuard;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.threads.ParallelSteps;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The services that all tables of a database share. Safe for all threads; the engine closes its
 * parts, tables do not.
 *
 * @param identity host id and partitioner of the database
 * @param settings of the database that tables use
 * @param memory off-heap memory, caches and pools
 * @param background threads that tables use
 * @param clock of automatic timestamps
 * @param paths of list elements
 * @param health of the database
 * @param guard is called before each step that only the owner of the database's lock may take
 * @param listener of the user
 */
public record Services(
    Identity identity,
    Settings settings,
    Memory memory,
    Background background,
    WriteClock clock,
    ListPaths paths,
    Health health,
    WriteGuard guard,
    GuardedListener listener) {

  /**
   * Settings of the database that tables use.
   *
   * @param version of SSTables that are written
   * @param flushCompression of SSTables that a flush writes
   * @param columnIndexSizeBytes of SSTables that are written
   * @param isLenient whether SSTables that cannot be opened are quarantined
   * @param isReadOnly whether nothing on the disk may be changed
   * @param slowReadNanos from which on a read of a partition is slow; {@link Long#MAX_VALUE} for
   *     none
   */
  public record Settings(
      FormatVersion version,
      FlushCompression flushCompression,
      int columnIndexSizeBytes,
      boolean isLenient,
      boolean isReadOnly,
      long slowReadNanos) {}

  /**
   * Memory that all tables share.
   *
   * @param budget of all off-heap memory
   * @param memtables the part of it that memtables may take
   * @param caches of point reads
   * @param readers pooled readers of SSTables
   */
  public record Memory(
      MemoryBudget budget, MemtablePool memtables, ReadCaches caches, PartitionReaders readers) {}

  /**
   * Background threads that all tables share.
   *
   * @param cleaner deletes obsolete files
   * @param scans reads and decompresses ahead of scans; null if each scan does so by its own thread
   * @param parallel runs steps of several tables or SSTables
   */
  public record Background(
      ExecutorService cleaner, @Nullable Executor scans, ParallelSteps parallel) {}

  /** Returns the id by which SSTables name the writer of their commit log. */
  public UUID hostId() {
    return identity.hostId();
  }

  /** Returns the partitioner of all tables. */
  public Partitioner partitioner() {
    return identity.partitioner();
  }

  /** Returns the budget of all off-heap memory. */
  public MemoryBudget budget() {
    return memory.budget();
  }
}
