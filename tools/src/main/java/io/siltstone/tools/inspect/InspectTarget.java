package io.siltstone.tools.inspect;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.DatabaseDirectory;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.StoredTable;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The options shared by the commands of this package, which name the table. */
final class InspectTarget {
  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description =
          "A database, which a process may have open, or a table's directory with its"
              + " schema.cql or with --schema.")
  private Path directory = Path.of("");

  @Mixin private SchemaOption schema;

  @Mixin private TableOption table = new TableOption();

  @Mixin private KeyFileOption keys;

  private final Terminal terminal;

  /**
   * @param terminal receives a line for each part of a schema that is not used, and for each
   *     SSTable that is skipped
   */
  InspectTarget(Terminal terminal) {
    this.terminal = terminal;
    schema = new SchemaOption(terminal);
    keys = new KeyFileOption(terminal);
  }

  /**
   * Raises the retention floor of the table, in a database that no process has open.
   *
   * @param option that the value was given with, for messages
   * @return false if it is as great or greater already
   * @throws UsageException if the directory is not a database, or the value is not one of its time
   *     column
   */
  boolean raiseFloor(String option, String value) throws IOException {
    var unused = keys.existing(directory);
    if (!DatabaseDirectory.is(directory)) {
      DatabaseDirectory.requireNotWithin(directory);
      throw new UsageException(
          directory + " is not a database, of which " + option + " raises the floor of a table");
    }
    schema.requireNone(directory);
    DatabaseOptions options =
        keys.in(DatabaseOptions.builder())
            .createIfMissing(false)
            .compaction(Compaction.none())
            .memoryBytes(ToolMemory.UNLIMITED_BYTES)
            .build();
    try (Database database = Database.open(directory, options)) {
      Table only = table.only(directory.toString(), database.tables(), Table::schema);
      try {
        return only.raiseRetentionFloor(value);
      } catch (IllegalArgumentException e) {
        throw new UsageException(option + " = " + value + ": " + e.getMessage(), e);
      }
    }
  }

  /** Opens the table for reading only; SSTables that cannot be opened are skipped. */
  InspectedTable open() throws IOException {
    DamageReporter damaged = new DamageReporter(terminal);
    StoredTable opened;
    try {
      opened =
          StoredTable.open(
              directory,
              schema,
              table,
              keys,
              DatabaseOptions.builder().lenient(true).listener(damaged));
    } finally {
      damaged.report();
    }
    return new InspectedTable(
        opened.database(), opened.table(), keys.existing(opened.files()), damaged.reported());
  }
}
