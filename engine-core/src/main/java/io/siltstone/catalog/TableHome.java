package io.siltstone.catalog;

import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import java.util.UUID;

/**
 * A table's directory and what its {@code schema.cql} says.
 *
 * @param directory of its files
 * @param schema with an id
 */
public record TableHome(Directory directory, TableSchema schema) {

  /** What tells the table from earlier ones of the same name. */
  public UUID id() {
    return schema.id().orElseThrow();
  }

  /** Keyspace and name, as in messages. */
  public String fullName() {
    return schema.keyspace() + "." + schema.name();
  }
}
