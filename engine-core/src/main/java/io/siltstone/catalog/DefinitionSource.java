package io.siltstone.catalog;

import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds the definitions of tables whose {@code schema.cql} is missing or damaged. Used by lenient
 * openings only.
 */
public interface DefinitionSource {
  /** Finds no definitions. */
  DefinitionSource NONE =
      new DefinitionSource() {
        @Override
        public Optional<TableSchema> logged(UUID table) {
          return Optional.empty();
        }

        @Override
        public String suggestion(Directory table) {
          return "";
        }
      };

  /** Returns the last definition that the commit log has of a table, or empty if it has none. */
  Optional<TableSchema> logged(UUID table) throws IOException;

  /**
   * Returns what the SSTables of a directory reveal about their table, as the end of a sentence
   * that asks for its definition; empty if none of them can be read.
   */
  String suggestion(Directory table);
}
