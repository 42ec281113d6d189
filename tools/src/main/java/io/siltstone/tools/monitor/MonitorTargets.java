package io.siltstone.tools.monitor;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.process.ProcessOption;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.DatabaseDirectory;
import io.siltstone.tools.terminal.DirectoryPath;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The parameters that name what a command of this package looks at: directories, a process, tables.
 */
final class MonitorTargets {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description =
          "A database, which may be open elsewhere; the directory of a table, also"
              + " Cassandra's; or a directory above such.")
  private List<Path> directories = List.of();

  @Mixin private ProcessOption process = new ProcessOption();

  @Mixin private KeyFileOption keys;

  private final Supplier<MemoryBudget> memory;

  // Shared by all looks, so that a command that looks repeatedly reports damage once.
  private final DamageReporter damage;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Only this table, with or without keyspace; may be repeated.")
  private List<String> tables = List.of();

  /**
   * @param terminal receives a line for each SSTable that is skipped
   * @param memory budget that SSTables are opened with
   */
  MonitorTargets(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.memory = memory;
    this.keys = new KeyFileOption(terminal);
    this.damage = new DamageReporter(terminal);
  }

  /** Uses the databases that were found. */
  @FunctionalInterface
  interface Look {
    void at(List<MonitoredDatabase> all) throws IOException;
  }

  boolean isOfProcess() {
    return process.count() > 0;
  }

  /** Returns the tables of a place that were asked for. */
  List<TableMXBean> tables(MonitoredDatabase monitoredDatabase) throws IOException {
    List<TableMXBean> found = new ArrayList<>();
    for (TableMXBean table : monitoredDatabase.tables()) {
      if (isAsked(table.getKeyspace(), table.getName())) {
        found.add(table);
      }
    }
    return found;
  }

  /**
   * Rejects names of tables that do not exist.
   *
   * @throws UsageException naming one, and the existing tables
   */
  void requireTables(List<MonitoredDatabase> all) throws IOException {
    Set<String> known = new TreeSet<>();
    Set<String> there = new TreeSet<>();
    for (MonitoredDatabase each : tables.isEmpty() ? List.<MonitoredDatabase>of() : all) {
      for (TableMXBean table : each.tables()) {
        String name = table.getKeyspace() + "." + table.getName();
        there.add(name);
        known.add(name);
        known.add(table.getName());
      }
    }
    for (String name : tables) {
      if (!known.contains(name)) {
        throw new UsageException("there is no table '" + name + "', allowed for --table: " + there);
      }
    }
  }

  /** Returns whether a table was asked for. */
  boolean isAsked(String keyspace, String name) {
    return tables.isEmpty() || tables.contains(name) || tables.contains(keyspace + "." + name);
  }

  /**
   * Opens what was asked for, uses it, and closes it.
   *
   * @return the exit code
   */
  int look(Look look) throws IOException {
    return look(look, directory -> {});
  }

  /**
   * Opens databases only.
   *
   * @param reason added to the message for a table that belongs to no database
   */
  int lookAtDatabases(String reason, Look look) throws IOException {
    return look(
        look,
        directory -> {
          throw new UsageException(directory + " is not a database, " + reason);
        });
  }

  /**
   * @param ofNone receives the directory of each table that belongs to no database
   */
  private int look(Look look, Consumer<Path> ofNone) throws IOException {
    if ((directories.isEmpty() ? 0 : 1) + process.count() != 1) {
      throw new UsageException("name either directories, or --pid, or --jmx");
    }
    return directories.isEmpty() ? lookAt(process, look) : lookAtFiles(look, ofNone);
  }

  /** Uses the databases of a process; returns the exit code. */
  static int lookAt(ProcessOption process, Look look) throws IOException {
    return process.ask(
        server -> {
          List<MonitoredDatabase> all = RunningDatabase.all(server);
          if (all.isEmpty()) {
            throw new UsageException(
                process + " has registered no database: it has to call DatabaseBeans.register");
          }
          look.at(all);
          return ExitCode.OK;
        });
  }

  private int lookAtFiles(Look look, Consumer<Path> ofNone) throws IOException {
    List<MonitoredDatabase> all = new ArrayList<>();
    try {
      for (Path directory : directories) {
        Path path = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(path)) {
          // Throws if it does not exist or cannot be reached.
          directory.getFileSystem().provider().checkAccess(directory);
          throw new NotDirectoryException(directory.toString());
        }
        find(DirectoryPath.from(path), ofNone, all);
        if (all.stream().noneMatch(each -> Path.of(each.place()).startsWith(path))) {
          throw new UsageException(directory + " has no database and no SSTables");
        }
      }
      look.at(all);
    } finally {
      damage.report();
      closeAll(all);
    }
    return damage.reported().isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
  }

  private void find(DirectoryPath way, Consumer<Path> ofNone, List<MonitoredDatabase> found)
      throws IOException {
    Path directory = way.directory();
    if (found.stream().anyMatch(each -> each.place().equals(directory.toString()))) {
      // Named twice, or below another directory that was named.
      return;
    }
    boolean isDatabase = DatabaseDirectory.is(directory);
    if (isDatabase || TableDirectory.is(directory)) {
      if (!isDatabase) {
        ofNone.accept(directory);
      }
      TableDirectory table = new TableDirectory(directory);
      found.add(
          isDatabase || table.hasSchema()
              ? new StoredDatabase(directory.toString(), open(directory, keys, damage), isDatabase)
              : new StoredFiles(table, memory, keys, damage));
      return;
    }
    List<Path> below;
    try (Stream<Path> all = Files.list(directory)) {
      below =
          all.filter(Files::isDirectory).filter(DatabaseDirectory::isSearched).sorted().toList();
    }
    for (Path each : below) {
      find(way.to(each), ofNone, found);
    }
  }

  /**
   * Opens a database, or the directory of one table with its schema, for reading only.
   *
   * @param keys of an encrypted directory
   * @param damage collects SSTables that are skipped, which the caller reports
   */
  static Database open(Path directory, KeyFileOption keys, DamageReporter damage)
      throws IOException {
    var unused = keys.existing(directory);
    return Database.open(
        directory,
        keys.in(DatabaseOptions.builder())
            .readOnly(true)
            .createIfMissing(false)
            .lenient(true)
            .compaction(Compaction.none())
            .memoryBytes(ToolMemory.UNLIMITED_BYTES)
            .chunkCacheBytes(0)
            .keyCacheBytes(0)
            .listener(damage)
            .build());
  }

  private static void closeAll(List<MonitoredDatabase> all) throws IOException {
    IOException failure = null;
    for (MonitoredDatabase each : all) {
      try {
        each.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
