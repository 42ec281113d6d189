package io.siltstone.tools.inspect;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.catalog.Catalog;
import io.siltstone.event.EngineListener;
import io.siltstone.io.NioDirectory;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which table: the options that all commands of this package have. */
final class InspectTarget {
  private static final String DATABASE_FILE = "siltstone.properties";

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description =
          "A database, also one that a process has open; or a table's directory with its"
              + " schema.cql.")
  private Path directory = Path.of("");

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Which table, with or without keyspace, if there are several.")
  private String table = "";

  /** Opens the table for reading only; SSTables that cannot be opened are left aside. */
  InspectedTable open() throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    boolean isDatabase = Files.exists(directory.resolve(DATABASE_FILE));
    if (!isDatabase) {
      refuseWhatIsNoTable();
    }
    List<String> damaged = new CopyOnWriteArrayList<>();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .readOnly(true)
            .lenient(true)
            .compaction(Compaction.none())
            .listener(
                new EngineListener() {
                  @Override
                  public void corruptionFound(CorruptionFound event) {
                    damaged.add(event.path() + " was left aside: " + event.cause().getMessage());
                  }
                })
            .build();
    Database database = Database.open(directory, options);
    try {
      Table only = only(database);
      Path files =
          isDatabase
              ? directory
                  .resolve("data")
                  .resolve(only.schema().keyspace())
                  .resolve(Catalog.directoryName(only.schema()))
              : directory;
      return new InspectedTable(database, only, files, damaged);
    } catch (Throwable e) {
      try (database) {
        throw e;
      }
    }
  }

  private void refuseWhatIsNoTable() throws IOException {
    Path database = databaseAbove(directory);
    if (database != null) {
      throw new UsageException(
          directory + " is a table of the database " + database + ": name that, and --table");
    }
    if (!Catalog.isTable(NioDirectory.openExisting(directory))) {
      throw new IOException(
          directory
              + " is no database and has no "
              + Catalog.SCHEMA_FILE
              + ": put the table's CREATE TABLE there, as a snapshot of Cassandra has it");
    }
  }

  private static @Nullable Path databaseAbove(Path directory) {
    Path above = directory.toAbsolutePath().normalize().getParent();
    for (int i = 0; i < 3 && above != null; i++, above = above.getParent()) {
      if (Files.exists(above.resolve(DATABASE_FILE))) {
        return above;
      }
    }
    return null;
  }

  private Table only(Database database) {
    List<Table> tables = database.tables();
    List<Table> found = tables.stream().filter(this::isNamed).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    List<String> names = tables.stream().map(Table::toString).toList();
    throw new UsageException(
        directory
            + (names.isEmpty()
                ? " has no tables"
                : table.isEmpty()
                    ? " has several tables, name one by --table: " + String.join(", ", names)
                    : " has no table '" + table + "', allowed for --table: " + names));
  }

  private boolean isNamed(Table each) {
    String name = each.schema().name();
    return table.isEmpty()
        || table.equals(name)
        || table.equals(each.schema().keyspace() + "." + name);
  }
}
