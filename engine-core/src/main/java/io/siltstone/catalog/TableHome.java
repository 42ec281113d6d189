package io.siltstone.catalog;

import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import java.util.UUID;

/**
 * The directory of a table and its definition, from {@code schema.cql} or from the caller.
 *
 * @param directory of its files
 * @param schema with an id
 */
public record TableHome(Directory directory, TableSchema schema) {
  private static final UUID UNKNOWN = new UUID(0, 0);

  /**
   * Returns the home of a table; if the schema has no id, which the files do not contain either, it
   * gets the id 0.
   */
  public static TableHome of(Directory directory, TableSchema schema) {
    return new TableHome(
        directory, schema.id().isPresent() ? schema : schema.toBuilder().id(UNKNOWN).build());
  }

  /** Returns the id, which distinguishes the table from earlier ones of the same name. */
  public UUID id() {
    return schema.id().orElseThrow();
  }

  /** Returns keyspace and name, as in messages. */
  public String fullName() {
    return schema.keyspace() + "." + schema.name();
  }
}
