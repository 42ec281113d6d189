package io.siltstone.catalog;

import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a table and its definition, from {@code schema.cql} or from the caller.
 *
 * @param directory of its files
 * @param schema with an id
 * @param committed the names of transaction logs that an atomic flush of the database has committed
 * @param unchanged what is in the directory, if it has not changed since a clean close; otherwise
 *     null
 */
public record TableHome(
    Directory directory,
    TableSchema schema,
    Set<String> committed,
    @Nullable UnchangedDirectory unchanged) {
  private static final UUID UNKNOWN = new UUID(0, 0);

  /** Creates a home whose transaction logs say themselves whether they are committed. */
  public TableHome(Directory directory, TableSchema schema) {
    this(directory, schema, Set.of(), null);
  }

  /** Returns the home with transaction logs that an atomic flush has committed. */
  public TableHome withCommitted(Set<String> logs) {
    return new TableHome(directory, schema, logs, unchanged);
  }

  /** Returns the home of a table whose directory has not changed since a clean close. */
  public TableHome withUnchanged(UnchangedDirectory found) {
    return new TableHome(directory, schema, committed, found);
  }

  /** Returns the home without what only the opening of the table needs. */
  public TableHome opened() {
    return new TableHome(directory, schema, committed, null);
  }

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
