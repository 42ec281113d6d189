package io.siltstone.jmx;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures and operations of one database, besides those of its tables. Sizes are bytes. */
public interface DatabaseMXBean {
  /** Returns the directory of the database. */
  String getPath();

  /** Returns the class name of its partitioner, as in Cassandra. */
  String getPartitioner();

  /** Returns whether it was opened for reading only. */
  boolean isReadOnly();

  /**
   * Returns whether it can be read and changed: {@code OPEN}, {@code READ_ONLY} if it was opened
   * so, {@code STOPPED} if it accepts no more changes since a failure, or {@code CLOSED}.
   */
  String getState();

  /** Returns the failure since which it accepts no more changes, or null. */
  @Nullable String getFailure();

  /** Returns its tables as {@code keyspace.name}, sorted by name. */
  List<String> getTables();

  /** Returns the size in bytes of all off-heap memory. */
  long getOffHeapBytes();

  /** Returns the limit of off-heap memory in bytes. */
  long getOffHeapLimitBytes();

  /** Returns the size in bytes of off-heap memory by its purpose. */
  Map<String, Long> getOffHeapBytesByKind();

  /** Returns the size in bytes of memtables, on and off the heap. */
  long getMemtableBytes();

  /** Returns the limit of memtables. */
  long getMemtableLimitBytes();

  /** Returns the figures of the cache of decompressed chunks for point reads. */
  CacheFigures getChunkCache();

  /** Returns the figures of the cache of partition positions. */
  CacheFigures getKeyCache();

  /** Returns the size in bytes of the commit log's segments that are still needed. */
  long getCommitLogBytes();

  /**
   * Returns the number of rows, cursors, snapshots and iterators that users have not closed yet.
   */
  int getOpenHandles();

  /** Returns the completed compactions since the database was created, the oldest first. */
  List<CompactionEntry> getCompactionHistory() throws IOException;

  /** Flushes the memtables of all tables, and returns when the SSTables are live. */
  void flush() throws IOException;

  /** Makes everything that was written before durable, whatever the sync mode. */
  void sync() throws IOException;

  /**
   * Makes a checkpoint: a database with the present content of all tables at one moment, by hard
   * links, or by copies on another volume. Returns when it is complete.
   *
   * @param path of an empty directory, created if missing, on the machine of this process. It is
   *     relative to the working directory unless it is absolute, and is written with the rights of
   *     the process's user
   * @throws IOException if the directory is not empty, or if something failed; the directory is
   *     then empty again if possible
   * @throws IllegalStateException if the database is open for reading only
   * @throws IllegalArgumentException if it is not a valid path
   */
  void checkpoint(String path) throws IOException;
}
