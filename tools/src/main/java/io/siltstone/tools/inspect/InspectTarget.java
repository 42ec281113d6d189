package io.siltstone.tools.inspect;

import io.siltstone.DatabaseOptions;
import io.siltstone.tools.terminal.DamageLines;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.StoredTable;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
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

  @Mixin private SchemaOption schema;

  @Mixin private TableOption table = new TableOption();

  private final Terminal terminal;

  /**
   * @param terminal is told what of a schema is not used, and which SSTables are left aside
   */
  InspectTarget(Terminal terminal) {
    this.terminal = terminal;
    schema = new SchemaOption(terminal);
  }

  /** Opens the table for reading only; SSTables that cannot be opened are left aside. */
  InspectedTable open() throws IOException {
    DamageLines damaged = new DamageLines(terminal);
    StoredTable opened;
    try {
      opened =
          StoredTable.open(
              directory, schema, table, DatabaseOptions.builder().lenient(true).listener(damaged));
    } finally {
      damaged.tell();
    }
    return new InspectedTable(opened.database(), opened.table(), opened.files(), damaged.told());
  }
}
