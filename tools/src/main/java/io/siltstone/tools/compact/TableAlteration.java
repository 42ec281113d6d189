package io.siltstone.tools.compact;

import io.siltstone.catalog.Catalog;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.type.CqlName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A change of the compression of a table whose directory is opened without a database. It is stored
 * in the {@code schema.cql} of the directory, so that the next command finds the new compression.
 * The rest of the file stays as it is.
 *
 * @param directory of the table
 * @param files the same, opened
 * @param given the definition that the user gave instead of the directory's
 * @param own the definition that the table has
 * @param altered the definition that it is to have
 */
record TableAlteration(
    Path directory,
    Directory files,
    Optional<TableSchema> given,
    TableSchema own,
    TableSchema altered) {
  private boolean isNothing() {
    return altered.equals(own);
  }

  /** Returns the definition to open the table with; null for that of the directory. */
  @Nullable TableSchema definition() {
    return isNothing() ? given.orElse(null) : altered;
  }

  /** Returns the statement that gives a table the compression of a definition. */
  static String statement(TableSchema altered) {
    return prefix(altered) + compression(altered) + ";";
  }

  private static String compression(TableSchema table) {
    return table.options().compression().toMap().entrySet().stream()
        .map(option -> quoted(option.getKey()) + ": " + quoted(option.getValue()))
        .sorted()
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String prefix(TableSchema table) {
    return "ALTER TABLE "
        + CqlName.quoted(table.keyspace())
        + "."
        + CqlName.quoted(table.name())
        + " WITH compression = ";
  }

  /** Stores the change durably. Called while the directory is open for writing. */
  void store(Terminal terminal) throws IOException {
    if (isNothing()) {
      return;
    }
    if (!Catalog.isTable(files)) {
      terminal
          .err()
          .print(
              directory
                  + " has no "
                  + Catalog.SCHEMA_FILE
                  + " in which to store the new compression: change the file of --schema as"
                  + " well, because the next command reads it\n");
      return;
    }
    String text = TextFile.read(files, Catalog.SCHEMA_FILE).stripTrailing();
    // The statement of an earlier change is obsolete.
    int last = text.lastIndexOf('\n') + 1;
    if (text.startsWith(prefix(altered), last)) {
      text = text.substring(0, last).stripTrailing();
    }
    TextFile.replace(files, Catalog.SCHEMA_FILE, text + "\n\n" + statement(altered) + "\n");
    terminal
        .err()
        .print(
            directory.resolve(Catalog.SCHEMA_FILE)
                + " now says: compression = "
                + compression(altered)
                + "\n");
  }
}
