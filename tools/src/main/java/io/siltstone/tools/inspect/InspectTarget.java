package io.siltstone.tools.inspect;

import io.siltstone.DatabaseOptions;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.StoredTable;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
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

  private final Terminal terminal;

  /**
   * @param terminal receives a line for each part of a schema that is not used, and for each
   *     SSTable that is skipped
   */
  InspectTarget(Terminal terminal) {
    this.terminal = terminal;
    schema = new SchemaOption(terminal);
  }

  /** Opens the table for reading only; SSTables that cannot be opened are skipped. */
  InspectedTable open() throws IOException {
    DamageReporter damaged = new DamageReporter(terminal);
    StoredTable opened;
    try {
      opened =
          StoredTable.open(
              directory, schema, table, DatabaseOptions.builder().lenient(true).listener(damaged));
    } finally {
      damaged.report();
    }
    return new InspectedTable(
        opened.database(), opened.table(), opened.files(), damaged.reported());
  }
}
