package io.siltstone.bench.index;

import io.siltstone.sstable.format.FormatVersion;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;

/**
 * An engine that reads and writes SSTables of Cassandra's formats BIG and BTI. An implementation
 * has a public constructor without parameters and does not load the engine before {@link #start};
 * the other methods are called afterwards. The caller that starts it closes it.
 */
public interface IndexPeer extends Closeable {
  /** Returns the name, e.g. {@code Cassandra}. */
  String name();

  /**
   * Starts the engine.
   *
   * @param directory for its files; exists and is empty
   * @param version of the SSTables that it writes; it reads all versions
   */
  void start(Path directory, FormatVersion version) throws Exception;

  /** Returns the engine's name and version, with relevant settings. */
  String version();

  /**
   * Defines a table, replacing an earlier one, without automatic compaction.
   *
   * @param definition without options for the caches
   * @param caches the engine's caches for the table
   */
  IndexTable define(TableDefinition definition, Caches caches) throws Exception;

  /**
   * A table.
   *
   * @param name the name, in the keyspace {@code bench}
   * @param cql {@code CREATE TABLE} statement, which ends with options
   */
  record TableDefinition(String name, String cql) {}

  /**
   * The caches that point reads use.
   *
   * @param keys whether positions of keys are cached, in enough memory for all keys
   * @param chunkBytes size of the cache of decompressed chunks; ignored by an engine that has none
   */
  record Caches(boolean keys, long chunkBytes) {}

  /** A table of the engine. Reads are called by several threads, one at a time. */
  interface IndexTable extends Closeable {
    /**
     * Replaces the SSTables of the table, and removes its memtable.
     *
     * @param files all components, to which links are made
     */
    void load(List<Path> files) throws Exception;

    /** Inserts a row into the memtable of a table with one row per partition. */
    void insert(String key, String value) throws Exception;

    /** Writes the memtable into an SSTable; returns when that is synced and live. */
    void flush() throws Exception;

    /** Merges all SSTables of the table; returns when the output is synced and live. */
    void compact() throws Exception;

    /** Returns the number of rows in a partition, after all of them were read. */
    int partition(String key) throws Exception;

    /** Returns the number of rows, 0 or 1, with a key and a clustering, after it was read. */
    int row(String key, long row) throws Exception;

    /** Returns the number of rows from one on, after at most {@code limit} of them were read. */
    int rowsFrom(String key, long row, int limit) throws Exception;

    /** Returns the number of rows up to one, of which the last {@code limit} were read backward. */
    int rowsTo(String key, long row, int limit) throws Exception;

    /**
     * Opens the SSTables of a directory once more, looks a key up in them and closes them.
     *
     * @param directory with links to all components, which are not changed
     * @param key that they contain
     * @return nanoseconds until the key was found
     */
    long open(Path directory, String key) throws Exception;

    /** Returns the off-heap memory of filters, summaries and chunk offsets of all SSTables. */
    long offHeapBytes() throws Exception;

    /** Returns the versions of all SSTables, as in their names, and how many there are. */
    List<String> versions() throws Exception;
  }
}
