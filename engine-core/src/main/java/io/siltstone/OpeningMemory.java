package io.siltstone;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.DefinitionSource;
import io.siltstone.catalog.TableHome;
import io.siltstone.io.Directory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Component;
import io.siltstone.table.CleanClose;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.LogReplay;
import io.siltstone.table.MemtablePool;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Computes how much memory a database needs to open, after the opening ran out of it, and creates
 * the error with that number.
 *
 * <p>Used by one thread.
 */
final class OpeningMemory {
  // What an SSTable takes in addition to what is read from its files.
  private static final long LEAST_BYTES_PER_SSTABLE = 4096;

  private final String path;
  private final MemoryBudget budget;
  private final long logBytes;

  /**
   * @param path of the database, for messages
   * @param logBytes the size of the commit log's buffer, once the database is open
   */
  OpeningMemory(String path, MemoryBudget budget, long logBytes) {
    this.path = path;
    this.budget = budget;
    this.logBytes = logBytes;
  }

  /**
   * Returns the error for tables that could not be opened, with the required value of the option.
   */
  OutOfBudgetException tablesRefused(OutOfBudgetException refusal, List<TableHome> tables)
      throws IOException {
    return refused(refusal, otherBytes() + heldBytes(tables) + logBytes + MemtablePool.FLUSH_BYTES);
  }

  /** Returns an upper bound of what open SSTables hold: the sizes of the files it is read from. */
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
   * Returns the error for a replay that ran out of memory, with the required value of the option.
   */
  OutOfBudgetException replayRefused(OutOfBudgetException refusal, LogReplay replay) {
    return refused(refusal, Math.max(usedBytes(), replay.neededBytes()));
  }

  /**
   * Returns the error for a commit log that could not be opened for new changes, with the required
   * value of the option.
   */
  OutOfBudgetException logRefused(OutOfBudgetException refusal) {
    return refused(refusal, usedBytes());
  }

  /** Returns what other databases take of a shared budget. */
  private long otherBytes() {
    return budget.limit() - budget.available() - budget.used();
  }

  private long usedBytes() {
    return budget.limit() - budget.available() + logBytes + MemtablePool.FLUSH_BYTES;
  }

  /**
   * Returns the error for an opening for reading only, with the required value of the option.
   * Nothing is flushed then, so all changes in the log must fit into memory beside what open
   * SSTables hold.
   */
  OutOfBudgetException readOnlyRefused(OutOfBudgetException refusal, DatabaseLayout databaseLayout)
      throws IOException {
    long needed = otherBytes() + MemtablePool.FLUSH_BYTES + logBytes(databaseLayout);
    Optional<Directory> data = databaseLayout.existingData();
    if (data.isPresent()) {
      needed += heldBytes(Catalog.openReadOnly(data.get(), DefinitionSource.NONE).tables());
    }
    return refused(refusal, Math.max(needed, budget.limit() + 1));
  }

  private static long logBytes(DatabaseLayout databaseLayout) throws IOException {
    Optional<Directory> log = databaseLayout.existingCommitLog();
    if (log.isEmpty() || CleanClose.read(databaseLayout.root(), log.get()).isPresent()) {
      // All that the log has is in SSTables.
      return 0;
    }
    long sum = 0;
    for (String name : log.get().files()) {
      sum += log.get().length(name);
    }
    return sum;
  }

  private OutOfBudgetException refused(OutOfBudgetException refusal, long needed) {
    OutOfBudgetException error =
        new OutOfBudgetException(
            path
                + " was not opened, nothing of it is lost: of the "
                + budget.limit()
                + " bytes of memoryBytes it needs at least "
                + needed
                + ": "
                + refusal.getMessage(),
            refusal.usedBytes());
    error.initCause(refusal);
    return error;
  }
}
