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
 * A table that is open for reading only, even while another process has its database open. Closed
 * by its opener.
 *
 * @param database that the table belongs to, or that was opened for this table alone
 * @param table the table
 * @param files directory of its SSTables
 */
public record StoredTable(Database database, Table table, Path files) implements Closeable {

  /**
   * Opens a table of a database, or a directory with the SSTables of one.
   *
   * @param schema for a directory that has none
   * @param which chooses a table of a database
   * @param keys of an encrypted directory
   * @param options to open it with; read-only is set here
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws UsageException if there is no schema, if several tables match, or if the directory lies
   *     in a database
   * @throws IOException if something is damaged, unless the options are lenient
   */
  public static StoredTable open(
      Path directory,
      SchemaOption schema,
      TableOption which,
      KeyFileOption keys,
      DatabaseOptions.Builder options)
      throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    var unused = keys.existing(directory);
    boolean isDatabase = DatabaseDirectory.is(directory);
    Optional<TableSchema> given = Optional.empty();
    if (isDatabase) {
      schema.requireNone(directory);
    } else {
      DatabaseDirectory.requireNotWithin(directory);
      given = schema.read(directory, which, keys);
    }
    DatabaseOptions forReading =
        keys.in(options)
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
