package io.siltstone.catalog;

import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import java.util.UUID;

/**
 * A table's directory and what its {@code schema.cql}, or whoever opens it, says.
 *
 * @param directory of its files
 * @param schema with an id
 */
public record TableHome(Directory directory, TableSchema schema) {
  private static final UUID UNKNOWN = new UUID(0, 0);

  /** Of a schema that may lack an id, which the files do not have either. */
  public static TableHome of(Directory directory, TableSchema schema) {
    return new TableHome(
        directory, schema.id().isPresent() ? schema : schema.toBuilder().id(UNKNOWN).build());
  }

  /** What tells the table from earlier ones of the same name. */
  public UUID id() {
    return schema.id().orElseThrow();
  }

  /** Keyspace and name, as in messages. */
  public String fullName() {
    return schema.keyspace() + "." + schema.name();
  }
}
