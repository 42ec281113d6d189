package io.siltstone.tools.terminal;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.schema.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A table that is open for reading only, also while a process has its database open. Closed by its
 * opener.
 *
 * @param database that it is of, or that was made of it alone
 * @param table the table
 * @param files directory of its SSTables
 */
public record StoredTable(Database database, Table table, Path files) implements Closeable {

  /**
   * Opens a table of a database, or the directory of one.
   *
   * @param schema of a directory that has none
   * @param which of the tables of a database
   * @param options beside those of reading
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws UsageException if there is no schema, it is not known which table is meant, or the
   *     directory lies in a database
   * @throws IOException if something is damaged, unless leniency was asked for
   */
  public static StoredTable open(
      Path directory, SchemaOption schema, TableOption which, DatabaseOptions.Builder options)
      throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    boolean isDatabase = DatabaseDirectory.is(directory);
    Optional<TableSchema> given = Optional.empty();
    if (isDatabase) {
      schema.requireNone(directory);
    } else {
      DatabaseDirectory.requireNotWithin(directory);
      given = schema.read(directory, which);
    }
    DatabaseOptions forReading =
        options
            .readOnly(true)
            .compaction(Compaction.none())
            .memoryBytes(ToolMemory.UNLIMITED_BYTES)
            .build();
    Database database =
        given.isPresent()
            ? Database.openTable(directory, given.get(), forReading)
            : Database.open(directory, forReading);
    try {
      Table only = which.only(directory.toString(), database.tables(), Table::schema);
      return new StoredTable(
          database,
          only,
          isDatabase ? DatabaseDirectory.ofTable(directory, only.schema()) : directory);
    } catch (Throwable e) {
      try (database) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
