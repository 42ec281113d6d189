package io.siltstone.model;

import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An engine that sequences are run on. What an engine does not have, it leaves out: such methods do
 * nothing unless they are overridden. Used by one thread.
 */
public interface EngineUnderTest extends AutoCloseable {

  /** Makes an engine without tables. */
  @FunctionalInterface
  interface Factory {
    /**
     * Makes an engine.
     *
     * @param sequence that it is for
     * @param clock of the engine, which is moved on between operations
     */
    EngineUnderTest create(Sequence sequence, SteppedClock clock) throws IOException;
  }

  /** Creates a table. */
  void create(TableDefinition table) throws IOException;

  /** Writes changes together; those without a timestamp have one of now. */
  void write(List<Change.Stamped> changes) throws IOException;

  /** Writes a change if a row is as it is required to be; whether it was. */
  boolean writeIf(Change.Stamped change, List<Object> clustering, List<Requirement> requirements)
      throws IOException;

  /** The rows that answer a question, in the form of {@link ReferenceModel}; by pages if asked. */
  List<Map<String, @Nullable Object>> answer(Question question) throws IOException;

  /** Whether the engine can be asked that. */
  default boolean canAnswer(Question question) {
    return true;
  }

  /**
   * Returns whether the engine can do that to a table with such columns.
   *
   * @param timestamp of the steps that have none
   */
  default boolean canWrite(TableSchema schema, Change change, long timestamp) {
    return true;
  }

  /** Writes what is in memory of a table to SSTables. */
  default void flush(String table) throws IOException {}

  /** Closes and opens again. */
  default void reopen() throws IOException {}

  /**
   * Ends without being closed, and opens again; nothing that was acknowledged may be lost.
   *
   * @param seed draws what is left of what was not synced
   * @param power whether power is lost, rather than the process alone
   */
  default void crash(long seed, boolean power) throws IOException {}

  /** Removes all rows of a table. */
  void truncate(String table) throws IOException;

  /** Takes foreign SSTables in that have these changes. */
  default void importTables(String table, List<Change.Stamped> changes) throws IOException {
    write(changes);
  }

  /** Merges some SSTables of a table, drawn by the seed. */
  default void compact(String table, long seed) throws IOException {}

  /**
   * Executes an {@code ALTER TABLE} statement.
   *
   * @param timestamp about now; a column that is dropped loses what is not later
   */
  void alter(String table, String cql, long timestamp) throws IOException;

  /** An engine on a copy of the present state, or null; the caller closes it. */
  default @Nullable EngineUnderTest checkpoint() throws IOException {
    return null;
  }

  @Override
  void close() throws IOException;
}
