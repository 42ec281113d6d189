package io.siltstone.spi;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * The side of an engine that a compactor calls: an open database, a directory opened offline, or a
 * test double.
 *
 * <p>Safe for use by all threads. Every method that takes a table throws an {@link
 * IllegalArgumentException} if the table was dropped or closed.
 */
public interface CompactionHost {

  /** Returns the tables there are now. */
  Set<TableId> tables();

  /** Returns whether a table is there now. */
  default boolean has(TableId table) {
    return tables().contains(table);
  }

  /** Returns the columns and options of a table as they are now. */
  TableSchema schema(TableId table);

  /** Returns the SSTables of a table as they are now. */
  LiveTables live(TableId table);

  /**
   * Claims SSTables for a job.
   *
   * @param inputs not empty
   * @return a claim on all of them; empty if any is no longer live or is part of another claim, or
   *     if changes are rejected
   */
  Optional<Claim> claim(TableId table, Set<Descriptor> inputs);

  /**
   * Throws if no claim of a table can be granted any more; explains a claim that was not granted.
   *
   * @throws IOException if changes are rejected until it is opened again
   * @throws IllegalStateException if it is open for reading only
   */
  default void requireChangeable(TableId table) throws IOException {}

  /**
   * Returns the compression dictionary that SSTables of a table get which are written now; empty
   * for none.
   *
   * @param mayTrain whether one is trained first, if that is due
   */
  default Optional<CompressionDictionary> dictionary(TableId table, boolean mayTrain) {
    return Optional.empty();
  }

  /**
   * Trains a compression dictionary from samples of the live SSTables, and keeps it if it gains
   * enough.
   *
   * @return what came of it, as a sentence
   * @throws IllegalArgumentException also if the table can have none, if there is too little data,
   *     or if the last training was too short a time ago
   */
  default String trainDictionary(TableId table) throws IOException {
    throw new IllegalArgumentException(table + " is not trained here");
  }

  /** Returns the format version of new SSTables. */
  FormatVersion version();

  /**
   * Returns the clock by which data expires for reads. A compactor without a clock of its own
   * purges by it, so that no data is purged which reads still show.
   */
  default InstantSource clock() {
    return InstantSource.system();
  }

  /** Returns the listener for events of jobs; its exceptions are handled. */
  EngineListener listener();

  /** Returns the path, for messages. */
  @Override
  String toString();

  /**
   * Returns whether jobs of strategies run; otherwise only requested ones do. May be called under a
   * lock of the compactor: it returns at once and makes no calls.
   */
  default boolean isAutoCompactionEnabled() {
    return true;
  }
}
