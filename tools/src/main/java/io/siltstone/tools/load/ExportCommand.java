package io.siltstone.tools.load;

import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.PooledMemory;
import io.siltstone.schema.Schema;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code siltstone export}: prints the live rows of a table. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the live rows of an SSTable as JSON lines or CSV, in a form that load takes back.",
      "What is deleted or has expired is left out. Several tables must not share keys."
    })
public final class ExportCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Parameters(arity = "1..*", paramLabel = "FILE-Data.db", description = "The tables.")
  private List<Path> files;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "CREATE TABLE; default schema.cql beside the table, if it is there.")
  private @Nullable Path schema;

  @Option(
      names = "--table",
      paramLabel = "KEYSPACE.TABLE",
      defaultValue = "",
      description = "Which table, if the schema has several.")
  private String table;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "jsonl",
      description = "jsonl or csv; default ${DEFAULT-VALUE}.")
  private InputFormat format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "A new file; default standard output.")
  private String output;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Only this partition; may be given several times. Parts are set apart by ':'.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--now",
      paramLabel = "SECONDS",
      description = "Seconds since 1970 at which rows must be alive; default now.")
  private @Nullable Long now;

  /** Reads the system's clock. */
  public ExportCommand(Terminal terminal) {
    this(terminal, Clock.systemUTC());
  }

  ExportCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    long nowSeconds = now == null ? clock.instant().getEpochSecond() : now;
    try (MemoryBudget memory = PooledMemory.unlimited();
        OpenTables tables = new OpenTables()) {
      for (Path file : files) {
        tables.add(open(file, memory));
      }
      tables.checkDisjoint();
      Exporter exporter = new Exporter(RowText.of(format), nowSeconds);
      if (output.equals("-")) {
        export(tables, exporter, terminal.out());
      } else {
        exportToFile(tables, exporter);
      }
    }
    return ExitCode.OK;
  }

  private static SSTable open(Path file, MemoryBudget memory) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null || !java.nio.file.Files.exists(absolute)) {
      throw new java.nio.file.NoSuchFileException(file.toString());
    }
    Descriptor descriptor;
    try {
      descriptor = Descriptor.parse(String.valueOf(absolute.getFileName()));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
    return SSTable.open(NioDirectory.open(parent), descriptor, SSTableOptions.DEFAULT, memory);
  }

  private void exportToFile(OpenTables tables, Exporter exporter) throws IOException {
    Path absolute = Path.of(output).toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null) {
      throw new UsageException("--output " + output + " is a directory, a file is wanted");
    }
    Directory directory = NioDirectory.open(parent);
    String name = String.valueOf(absolute.getFileName());
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      export(tables, exporter, new FileOutput(file));
      file.sync();
    } catch (java.nio.file.FileAlreadyExistsException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      try {
        directory.delete(name);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void export(OpenTables tables, Exporter exporter, OutputStream out) throws IOException {
    List<SSTable> all = tables.inOrder();
    List<OutputColumns> columns = new ArrayList<>();
    for (SSTable each : all) {
      columns.add(new OutputColumns(each.header(), schemaOf(each), each.toString()));
      if (!columns.get(0).names().equals(columns.get(columns.size() - 1).names())) {
        throw new UsageException(
            each
                + " has the columns "
                + columns.get(columns.size() - 1).names()
                + ", "
                + all.get(0)
                + " has "
                + columns.get(0).names()
                + "; say --schema");
      }
    }
    exporter.begin(columns.get(0), out);
    for (int i = 0; i < all.size(); i++) {
      for (PartitionRange range : ranges(all.get(i))) {
        exporter.export(all.get(i), range, columns.get(i), out);
      }
    }
    exporter.end(out);
  }

  private List<PartitionRange> ranges(SSTable from) {
    if (keys.isEmpty()) {
      return List.of(PartitionRange.ALL);
    }
    return keys.stream()
        .map(key -> key(from, key))
        .sorted()
        .distinct()
        .map(ExportCommand::rangeOf)
        .toList();
  }

  private static PartitionKey key(SSTable table, String text) {
    try {
      byte[] bytes = table.header().keyType().parse(text);
      return PartitionKey.of(bytes, table.partitioner().token(bytes, 0, bytes.length));
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--key " + text + " is no " + table.header().keyType().cqlName() + ": " + e.getMessage(),
          e);
    }
  }

  /** Nothing lies between a key and the same with a zero behind it. */
  private static PartitionRange rangeOf(PartitionKey key) {
    byte[] next = java.util.Arrays.copyOf(key.toByteArray(), key.length() + 1);
    return new PartitionRange(key, PartitionKey.of(next, key.token()));
  }

  private @Nullable TableSchema schemaOf(SSTable from) throws IOException {
    SchemaFile file;
    if (schema == null) {
      file = new SchemaFile(from.directory(), SchemaFile.NAME);
      if (!file.exists()) {
        return null;
      }
    } else {
      Path absolute = schema.toAbsolutePath().normalize();
      Path parent = absolute.getParent();
      if (parent == null || !java.nio.file.Files.exists(absolute)) {
        throw new java.nio.file.NoSuchFileException(schema.toString());
      }
      file = new SchemaFile(NioDirectory.open(parent), String.valueOf(absolute.getFileName()));
    }
    Schema read = file.read();
    read.warnings()
        .forEach(warning -> terminal.err().print("siltstone: " + file + ": " + warning + "\n"));
    return file.read(table, read);
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
                  + " overlap: rows of the one may delete or replace rows of the other; compact"
                  + " them first, or export each for itself");
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

  /** A file as a stream. */
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
