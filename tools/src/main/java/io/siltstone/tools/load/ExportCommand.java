package io.siltstone.tools.load;

import io.siltstone.DatabaseOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.KeyText;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.StoredTable;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone export}: prints the live rows of a table. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the live rows of a table as JSON lines or CSV, in a form that load reads.",
      "Fields that are missing at the end of a user type's value are exported as nulls,"
          + " as CQL does.",
      "Deleted and expired data is left out. The SSTables of a directory, or of a"
          + " database that may be open elsewhere, are read as one table; data files must not"
          + " share keys."
    })
public final class ExportCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final InterruptHandler interruption;
  private final Clock clock;

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR|FILE-Data.db",
      description = "A table's directory, or that of a database; or data files of SSTables.")
  private List<Path> places;

  @Mixin private SchemaOption schema;

  @Mixin private TableOption table = new TableOption();

  @Mixin private KeyFileOption keyFile;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "jsonl",
      description = "Format of the output, jsonl or csv; default ${DEFAULT-VALUE}.")
  private InputFormat format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Output file, which must not exist; default standard output.")
  private String output;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "Only this partition; may be repeated. Columns of a composite key are separated by"
              + " ':'.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--now",
      paramLabel = "SECONDS",
      description = "Time at which rows must be live, seconds since 1970; default now.")
  private @Nullable Long now;

  @Option(
      names = "--require-all-columns",
      description =
          "Fail, and export nothing, if an SSTable has a column that the schema neither has nor"
              + " says was dropped. Without this, such columns are left out and named on standard"
              + " error.")
  private boolean requiresAllColumns;

  private final CancelFlag stop = new CancelFlag("interrupted, nothing was exported");

  /**
   * Creates a command that uses the system's clock.
   *
   * @param interruption ends the export to a file when the user interrupts it
   */
  public ExportCommand(Terminal terminal, InterruptHandler interruption) {
    this.terminal = terminal;
    this.keyFile = new KeyFileOption(terminal);
    this.interruption = interruption;
    this.schema = new SchemaOption(terminal);
    this.clock = Clock.systemUTC();
  }

  @Override
  public Integer call() throws IOException {
    long nowSeconds = now == null ? clock.instant().getEpochSecond() : now;
    Exporter exporter = new Exporter(RowText.of(format), nowSeconds, stop);
    if (isTable()) {
      exportTable(exporter);
    } else {
      exportFiles(exporter);
    }
    return ExitCode.OK;
  }

  private boolean isTable() {
    boolean isDirectory = places.stream().anyMatch(Files::isDirectory);
    if (isDirectory && places.size() > 1) {
      throw new UsageException("name one directory, or data files of SSTables: " + places);
    }
    return isDirectory;
  }

  private void exportTable(Exporter exporter) throws IOException {
    DatabaseOptions.Builder options = DatabaseOptions.builder().chunkCacheBytes(0).keyCacheBytes(0);
    try (StoredTable stored = StoredTable.open(places.get(0), schema, table, keyFile, options)) {
      ExportedRows rows = ExportedRows.of(stored);
      OmittedColumns omitted = new OmittedColumns();
      omitted.addAllOf(keyFile.existing(stored.files()), rows.columns());
      reportOmitted(omitted);
      print(List.of(rows), exporter);
    }
  }

  private void exportFiles(Exporter exporter) throws IOException {
    try (MemoryBudget memory = PooledMemory.unlimited();
        OpenTables tables = new OpenTables()) {
      for (Path file : places) {
        tables.add(open(file, memory));
      }
      tables.checkDisjoint();
      List<ExportedRows> all = new ArrayList<>();
      OmittedColumns omitted = new OmittedColumns();
      for (SSTable each : tables.inOrder()) {
        ExportedRows rows = ExportedRows.of(each, schemaOf(each));
        omitted.add(each.toString(), each.header(), rows.columns());
        all.add(rows);
      }
      requireSameColumns(all);
      reportOmitted(omitted);
      print(all, exporter);
    }
  }

  private void reportOmitted(OmittedColumns omitted) {
    if (omitted.isEmpty()) {
      return;
    }
    if (requiresAllColumns) {
      throw new UsageException(omitted + "; nothing was exported");
    }
    terminal.errorLine(omitted + "; they are left out");
  }

  private static void requireSameColumns(List<ExportedRows> all) {
    ExportedRows first = all.get(0);
    for (ExportedRows each : all) {
      if (!each.columns().names().equals(first.columns().names())) {
        throw new UsageException(
            each.name()
                + " has the columns "
                + each.columns().names()
                + ", "
                + first.name()
                + " has "
                + first.columns().names()
                + "; use --schema");
      }
    }
  }

  private void print(List<ExportedRows> all, Exporter exporter) throws IOException {
    if (output.equals("-")) {
      export(all, exporter, terminal.out());
    } else {
      exportToFile(all, exporter);
    }
  }

  private SSTable open(Path file, MemoryBudget memory) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null || !Files.exists(absolute)) {
      throw new NoSuchFileException(file.toString());
    }
    if (SSTableFile.hasDeletedRanges(parent)) {
      throw new UsageException(
          parent
              + " has deletions of ranges of keys, which are in none of its SSTables: name the"
              + " database, or the directory of a table, so that what they delete is left out");
    }
    Descriptor descriptor;
    try {
      descriptor = Descriptor.parse(String.valueOf(absolute.getFileName()));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
    return SSTable.open(keyFile.existing(parent), descriptor, SSTableOptions.DEFAULT, memory);
  }

  private void exportToFile(List<ExportedRows> all, Exporter exporter) throws IOException {
    Path absolute = Path.of(output).toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null) {
      throw new UsageException("--output " + output + " is a directory, expected a file");
    }
    Directory directory = NioDirectory.openExisting(parent);
    String name = String.valueOf(absolute.getFileName());
    // The incomplete file is removed before the process ends.
    interruption.endInOrder(stop::ask);
    exportTo(directory, name, all, exporter);
  }

  private void exportTo(Directory directory, String name, List<ExportedRows> all, Exporter exporter)
      throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      export(all, exporter, new FileOutput(file));
      file.sync();
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (Throwable e) {
      try {
        directory.delete(name);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void export(List<ExportedRows> all, Exporter exporter, OutputStream out)
      throws IOException {
    exporter.begin(all.get(0).columns(), out);
    Set<PartitionKey> found = new HashSet<>();
    for (ExportedRows each : all) {
      if (keys.isEmpty()) {
        exporter.export(each, PartitionRange.ALL, out);
      }
      for (PartitionKey key : keys(each).keySet()) {
        if (exporter.export(each, rangeOf(key), out)) {
          found.add(key);
        }
      }
    }
    exporter.end(out);
    keys(all.get(0))
        .forEach(
            (key, text) -> {
              if (!found.contains(key)) {
                terminal.err().print("siltstone: no row has --key " + text + "\n");
              }
            });
  }

  /** Returns the partitions that are asked for in their order, with the text that named each. */
  private SortedMap<PartitionKey, String> keys(ExportedRows from) {
    SortedMap<PartitionKey, String> asked = new TreeMap<>();
    keys.forEach(text -> asked.putIfAbsent(key(from, text), text));
    return asked;
  }

  private static PartitionKey key(ExportedRows from, String text) {
    try {
      return KeyText.parse(from.keyType(), from.columns().names(), from.partitioner(), text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--key '" + text + "': " + e.getMessage(), e);
    }
  }

  /**
   * Returns the range of one key: nothing lies between a key and the same key followed by a zero
   * byte.
   */
  private static PartitionRange rangeOf(PartitionKey key) {
    byte[] next = Arrays.copyOf(key.toByteArray(), key.length() + 1);
    return new PartitionRange(key, PartitionKey.of(next, key.token()));
  }

  private @Nullable TableSchema schemaOf(SSTable from) throws IOException {
    Optional<TableSchema> given = schema.read(table);
    return given.isPresent()
        ? given.get()
        : schema.readBeside(from.directory(), table).orElse(null);
  }

  /** Tables that are closed together. */
  private static final class OpenTables implements AutoCloseable {
    private final List<SSTable> tables = new ArrayList<>();

    void add(SSTable opened) {
      tables.add(opened);
      tables.sort(Comparator.comparing(SSTable::firstKey));
    }

    List<SSTable> inOrder() {
      return tables;
    }

    void checkDisjoint() {
      for (int i = 1; i < tables.size(); i++) {
        SSTable before = tables.get(i - 1);
        SSTable after = tables.get(i);
        if (before.partitioner() != after.partitioner()) {
          throw new UsageException(before + " and " + after + " have different partitioners");
        }
        if (before.lastKey().compareTo(after.firstKey()) >= 0) {
          throw new UsageException(
              before
                  + " and "
                  + after
                  + " overlap: rows of one may delete or replace rows of the other; export"
                  + " their directory, which merges them, or each file by itself");
        }
      }
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (SSTable each : tables) {
        try {
          each.close();
        } catch (IOException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** The output file as a stream. */
  private static final class FileOutput extends OutputStream {
    private final WritableFile file;

    FileOutput(WritableFile file) {
      this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(ByteBuffer.wrap(bytes, offset, length));
    }
  }
}
