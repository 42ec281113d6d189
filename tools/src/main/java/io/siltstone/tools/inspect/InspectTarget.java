package io.siltstone.tools.inspect;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.catalog.Catalog;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.DamageLines;
import io.siltstone.tools.terminal.DatabaseDirectory;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which table: the options that all commands of this package have. */
final class InspectTarget {
  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description =
          "A database, also one that a process has open; or a table's directory with its"
              + " schema.cql, or with --schema.")
  private Path directory = Path.of("");

  @Mixin private SchemaOption schema = new SchemaOption();

  @Mixin private TableOption table = new TableOption();

  /** Opens the table for reading only; SSTables that cannot be opened are left aside. */
  InspectedTable open() throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    boolean isDatabase = DatabaseDirectory.is(directory);
    Optional<TableSchema> given = Optional.empty();
    if (isDatabase) {
      schema.requireNone(directory);
    } else {
      DatabaseDirectory.requireNotWithin(directory);
      given = schema.read(directory, table);
    }
    DamageLines damaged = new DamageLines();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .readOnly(true)
            .lenient(true)
            .compaction(Compaction.none())
            .memoryBytes(ToolMemory.UNLIMITED_BYTES)
            .listener(damaged)
            .build();
    Database database =
        given.isPresent()
            ? Database.openTable(directory, given.get(), options)
            : Database.open(directory, options);
    try {
      Table only = table.only(directory.toString(), database.tables(), Table::schema);
      Path files =
          isDatabase
              ? directory
                  .resolve("data")
                  .resolve(only.schema().keyspace())
                  .resolve(Catalog.directoryName(only.schema()))
              : directory;
      return new InspectedTable(database, only, files, damaged.lines());
    } catch (Throwable e) {
      try (database) {
        throw e;
      }
    }
  }
}
