package io.siltstone.jmx;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures and operations of one database, beside those of its tables. Bytes are bytes. */
public interface DatabaseMXBean {
  /** Where it is. */
  String getPath();

  /** Class name of its partitioner, as Cassandra has it. */
  String getPartitioner();

  /** Whether it was opened for reading only. */
  boolean isReadOnly();

  /**
   * Whether it can be read and changed: {@code OPEN}, {@code READ_ONLY} if it was opened so, {@code
   * STOPPED} if it takes no more changes since a failure, or {@code CLOSED}.
   */
  String getState();

  /** Why it takes no more changes since a failure, or null. */
  @Nullable String getFailure();

  /** Its tables as {@code keyspace.name}, by name. */
  List<String> getTables();

  /** All off-heap memory. */
  long getOffHeapBytes();

  /** Most off-heap memory that it may take. */
  long getOffHeapLimitBytes();

  /** Off-heap memory by what it is for. */
  Map<String, Long> getOffHeapBytesByKind();

  /** What memtables take, on and off the heap. */
  long getMemtableBytes();

  /** Most that memtables may take. */
  long getMemtableLimitBytes();

  /** Decompressed chunks for point reads. */
  CacheFigures getChunkCache();

  /** Positions of partitions. */
  CacheFigures getKeyCache();

  /** Segments of the commit log on the disk that are still needed. */
  long getCommitLogBytes();

  /** Rows, cursors, snapshots and iterators that users have not closed yet. */
  int getOpenHandles();

  /** What compactions have done since the database was made, the oldest first. */
  List<CompactionEntry> getCompactionHistory() throws IOException;

  /** Writes what all tables have in memory to SSTables, and returns when those are there. */
  void flush() throws IOException;

  /** Makes all that was written before durable, whatever the sync mode. */
  void sync() throws IOException;

  /**
   * Makes a database of its own of what this one has now, all tables as they are at one moment, by
   * hard links, or by copies on another volume; returns when it is there.
   *
   * @param path of an empty directory, made if it is missing: of the machine of this process, from
   *     its working directory on if it is not absolute, and with the rights of its user, whose the
   *     files are
   * @throws IOException if the directory is not empty, or something failed: then it is empty again,
   *     if that is possible
   * @throws IllegalStateException if the database is open for reading only
   * @throws IllegalArgumentException if it is no path
   */
  void checkpoint(String path) throws IOException;
}
