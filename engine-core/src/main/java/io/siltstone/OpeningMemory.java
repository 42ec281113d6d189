package io.siltstone;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.DefinitionSource;
import io.siltstone.catalog.TableHome;
import io.siltstone.io.Directory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Component;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.LogReplay;
import io.siltstone.table.MemtablePool;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Adds to the error of a database that runs out of memory while it is opened how much memory it
 * needs to open.
 *
 * <p>Used by one thread.
 */
final class OpeningMemory {
  // An SSTable takes a little, however small its files are.
  private static final long LEAST_BYTES_PER_SSTABLE = 4096;

  private final String path;
  private final MemoryBudget budget;
  private final long logBytes;

  /**
   * @param logBytes the size of the commit log's buffer, once the database is open
   */
  OpeningMemory(String path, MemoryBudget budget, long logBytes) {
    this.path = path;
    this.budget = budget;
    this.logBytes = logBytes;
  }

  /**
   * Runs the opening of the SSTables of all tables.
   *
   * @throws OutOfBudgetException naming the option and what it must be
   */
  void hold(List<TableHome> tables, Engine.Step opening) throws IOException {
    try {
      opening.run();
    } catch (OutOfBudgetException e) {
      throw tooLittle(e, heldBytes(tables) + logBytes + MemtablePool.FLUSH_BYTES);
    }
  }

  /** An upper bound of what is held of all SSTables: the size of the files that it is read from. */
  private static long heldBytes(List<TableHome> tables) throws IOException {
    long sum = 0;
    for (TableHome table : tables) {
      Directory directory = table.directory();
      for (String name : directory.files()) {
        if (name.endsWith(Component.DATA.fileName())) {
          sum += LEAST_BYTES_PER_SSTABLE;
        } else if (name.endsWith(Component.FILTER.fileName())
            || name.endsWith(Component.SUMMARY.fileName())
            || name.endsWith(Component.COMPRESSION_INFO.fileName())) {
          sum += directory.length(name);
        }
      }
    }
    return sum;
  }

  /**
   * Runs the replay of the commit log.
   *
   * @throws OutOfBudgetException naming the option and what it must be
   */
  <T> T replay(LogReplay replay, Engine.Action<T> replaying) throws IOException {
    return within(replaying, replay::neededBytes);
  }

  /**
   * Runs the opening of the log for new changes.
   *
   * @throws OutOfBudgetException naming the option and what it must be
   */
  <T> T begin(Engine.Action<T> opening) throws IOException {
    return within(opening, () -> 0);
  }

  /**
   * Runs the opening for reading only. Nothing is flushed then, so all changes in the log must fit
   * into memory beside what is held of the SSTables.
   *
   * @throws OutOfBudgetException naming the option, and what it must be at least
   */
  <T> T read(DatabaseLayout databaseLayout, Engine.Action<T> opening) throws IOException {
    try {
      return opening.run();
    } catch (OutOfBudgetException e) {
      long needed = MemtablePool.FLUSH_BYTES + logBytes(databaseLayout);
      Optional<Directory> data = databaseLayout.existingData();
      if (data.isPresent()) {
        needed += heldBytes(Catalog.openReadOnly(data.get(), DefinitionSource.NONE).tables());
      }
      throw tooLittle(e, Math.max(needed, budget.limit() + 1));
    }
  }

  private static long logBytes(DatabaseLayout databaseLayout) throws IOException {
    Optional<Directory> log = databaseLayout.existingCommitLog();
    long sum = 0;
    if (log.isPresent()) {
      for (String name : log.get().files()) {
        sum += log.get().length(name);
      }
    }
    return sum;
  }

  private <T> T within(Engine.Action<T> action, LongSupplier needed) throws IOException {
    try {
      return action.run();
    } catch (OutOfBudgetException e) {
      long least = budget.used() + logBytes + MemtablePool.FLUSH_BYTES;
      throw tooLittle(e, Math.max(least, needed.getAsLong()));
    }
  }

  private OutOfBudgetException tooLittle(OutOfBudgetException refusal, long needed) {
    OutOfBudgetException told =
        new OutOfBudgetException(
            path
                + " was not opened, nothing of it is lost: of the "
                + budget.limit()
                + " bytes of memoryBytes it needs at least "
                + needed
                + ": "
                + refusal.getMessage(),
            refusal.usedBytes());
    told.initCause(refusal);
    return told;
  }
}
