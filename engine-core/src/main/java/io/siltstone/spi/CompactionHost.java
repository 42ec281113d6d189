package io.siltstone.spi;

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
 * What an engine lends to a compactor: an open database, a directory opened offline, or what a test
 * makes up.
 *
 * <p>Safe for all threads. A table that was dropped or closed is an {@link
 * IllegalArgumentException} in every method that takes one.
 */
public interface CompactionHost {

  /** Returns the tables there are now. */
  Set<TableId> tables();

  /** Returns the columns and options of a table as they are now. */
  TableSchema schema(TableId table);

  /** Returns the SSTables of a table as they are now. */
  LiveTables live(TableId table);

  /**
   * Takes SSTables for a job.
   *
   * @param inputs not empty
   * @return all of them, or empty if any is not live any more or is part of another claim, or if
   *     changes are refused
   */
  Optional<Claim> claim(TableId table, Set<Descriptor> inputs);

  /**
   * Fails if no claim of a table is granted any more: for those who were asked for one, and got
   * none.
   *
   * @throws IOException if changes are refused until it is opened again
   * @throws IllegalStateException if it is open for reading only
   */
  default void requireChangeable(TableId table) throws IOException {}

  /** Of the SSTables that claims write. */
  FormatVersion version();

  /**
   * Returns the clock by which data expires for those who read the tables. A compactor that was
   * given no other one purges by it: what reads still show must not be gone.
   */
  default InstantSource clock() {
    return InstantSource.system();
  }

  /** To be told of jobs; what it throws is taken care of. */
  EngineListener listener();

  /** Returns which it is, as its path: for messages. */
  @Override
  String toString();

  /**
   * Returns whether strategies are followed; else only what is asked for is done. May be called
   * with a lock of the compactor held: returns at once and calls nobody back.
   */
  default boolean isAutoCompactionEnabled() {
    return true;
  }
}
