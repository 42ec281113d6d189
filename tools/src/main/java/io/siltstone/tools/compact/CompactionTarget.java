package io.siltstone.tools.compact;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.Table;
import io.siltstone.catalog.Catalog;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.io.NioOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Compactor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.DatabaseDirectory;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.StoredTable;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import io.siltstone.tools.terminal.VerifyOutputOption;
import io.siltstone.tools.terminal.WrittenVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options shared by the commands of this package: the table, and the resources for the
 * compaction.
 */
final class CompactionTarget {
  private static final int KIB = 1024;
  private static final int MOST_COMPACTORS = 64;
  private static final int MOST_READ_AHEAD = 16 * KIB;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description =
          "The table's directory, which no other process has open, or that of a database.")
  private Path directory = Path.of("");

  @Mixin private SchemaOption schema;

  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--sstable-version",
      paramLabel = "VERSION",
      description =
          "Format version to write: nb, oa, da, pa or ea; default: the newest in the directory, in a"
              + " database oa.")
  private @Nullable String version;

  @Option(
      names = "--compactors",
      paramLabel = "N",
      description =
          "Number of concurrent jobs, 1 to 64 (default: half of the processors, from 2 to 8).")
  private @Nullable Integer compactors;

  @Option(
      names = "--compaction-throughput",
      paramLabel = "SIZE",
      description =
          "Limit on what all jobs read per second, e.g. 64MiB, 0 for no limit (default:"
              + " ${DEFAULT-VALUE}).")
  private String throughput = "0";

  @Option(
      names = "--read-ahead",
      paramLabel = "KiB",
      description =
          "Size of reads from an SSTable, 0 to read chunk by chunk (default:"
              + " ${DEFAULT-VALUE}).")
  private int readAhead = 256;

  @Mixin private VerifyOutputOption verifyOutput = new VerifyOutputOption();

  @Option(names = "--direct", description = "Bypass the page cache (direct I/O).")
  private boolean isDirect;

  @Mixin private KeyFileOption keys;

  private final Terminal terminal;

  /**
   * @param terminal receives a line for each part of a schema that is not used, and for each
   *     SSTable that is skipped
   */
  CompactionTarget(Terminal terminal) {
    this.terminal = terminal;
    schema = new SchemaOption(terminal);
    keys = new KeyFileOption(terminal);
  }

  /**
   * Returns a compaction service as configured by the options.
   *
   * @throws UsageException naming the option that is wrong
   */
  CompactionService service() {
    long bytesPerSecond = Units.parseBytes("--compaction-throughput", throughput);
    UsageException.require(
        RateLimiter.isAllowed(bytesPerSecond),
        "--compaction-throughput",
        throughput,
        RateLimiter.ALLOWED);
    UsageException.require(
        readAhead >= 0 && readAhead <= MOST_READ_AHEAD,
        "--read-ahead",
        readAhead,
        "0 to " + MOST_READ_AHEAD + " KiB");
    CompactionOptions.Builder options =
        CompactionOptions.builder()
            .bytesPerSecond(bytesPerSecond)
            .historySize(Integer.MAX_VALUE)
            .readAheadBytes(readAhead * KIB)
            .outputVerification(verifyOutput.level());
    if (compactors != null) {
      UsageException.require(
          compactors >= 1 && compactors <= MOST_COMPACTORS,
          "--compactors",
          compactors,
          "1 to " + MOST_COMPACTORS);
      options.compactors(compactors);
    }
    return new CompactionService(options.build());
  }

  /**
   * Opens the table.
   *
   * @param isReadOnly whether nothing is changed: then another process may have the database open,
   *     and data that is only in its commit log is not seen
   * @param altered maps the table's definition to the one that it is to have; the table is altered
   *     if they differ, unless it is read-only
   */
  OpenTable open(CompactionService service, boolean isReadOnly, UnaryOperator<TableSchema> altered)
      throws IOException {
    DatabaseOptions.Builder options = options().compaction(service);
    if (DatabaseDirectory.is(directory)) {
      schema.requireNone(directory);
      return isReadOnly
          ? openForReading(service, options, altered)
          : openDatabase(
              options.compaction(host -> service.create(new RequestOnlyHost(host))), altered);
    }
    DatabaseDirectory.requireNotWithin(directory);
    TableAlteration alteration = alteration(altered);
    OfflineTable opened = openOffline(options.readOnly(isReadOnly), alteration.definition());
    try {
      if (!isReadOnly) {
        alteration.store(terminal);
      }
      return openTable(opened, List.of());
    } catch (Throwable e) {
      try (opened) {
        throw e;
      }
    }
  }

  /**
   * Opens the table for a scrub, without SSTables of which nothing can be read.
   *
   * @param isReadOnly whether nothing will be changed
   */
  OpenTable openForScrub(CompactionService service, boolean isReadOnly) throws IOException {
    DamageReporter damaged = new DamageReporter(terminal);
    DatabaseOptions.Builder options =
        options().compaction(service).listener(damaged).lenient(true).readOnly(isReadOnly);
    OfflineTable opened;
    try {
      opened = openLeniently(options);
    } finally {
      damaged.report();
    }
    return openTable(opened, damaged.reported());
  }

  private OfflineTable openLeniently(DatabaseOptions.Builder options) throws IOException {
    if (!DatabaseDirectory.is(directory)) {
      DatabaseDirectory.requireNotWithin(directory);
      return openOffline(options, schema.read(directory, table, keys).orElse(null));
    }
    schema.requireNone(directory);
    return OfflineTable.openInDatabase(
        directory,
        all -> table.only(directory.toString(), all, each -> each),
        formatVersion(),
        options.build());
  }

  private DatabaseOptions.Builder options() throws IOException {
    var unused = keys.existing(directory);
    return keys.in(DatabaseOptions.builder())
        .files(NioOptions.DEFAULT.withDirectIo(isDirect, isDirect))
        .memoryBytes(ToolMemory.UNLIMITED_BYTES)
        .createIfMissing(false);
  }

  private OfflineTable openOffline(
      DatabaseOptions.Builder options, @Nullable TableSchema definition) throws IOException {
    return OfflineTable.open(directory, definition, formatVersion(), options.build());
  }

  private TableAlteration alteration(UnaryOperator<TableSchema> altered) throws IOException {
    Optional<TableSchema> given = schema.read(directory, table, keys);
    TableSchema own =
        given.isPresent()
            ? given.get()
            : Catalog.read(keys.existing(directory), warning -> {}).schema();
    return new TableAlteration(directory, keys.existing(directory), given, own, altered.apply(own));
  }

  private OpenTable openTable(OfflineTable opened, List<String> damaged) throws IOException {
    return new OpenTable(
        opened.id(),
        opened.schema(),
        DatabaseDirectory.is(directory)
            ? DatabaseDirectory.ofTable(directory, opened.schema())
            : directory,
        keys.keys() != null,
        opened.live(),
        opened::live,
        damaged,
        opened::compact,
        opened);
  }

  private OpenTable openForReading(
      CompactionService service,
      DatabaseOptions.Builder options,
      UnaryOperator<TableSchema> altered)
      throws IOException {
    FormatVersion wanted = formatVersion();
    FormatVersion written = wanted == null ? options.build().formatVersion() : wanted;
    StoredTable opened = StoredTable.open(directory, schema, table, keys, options);
    try {
      Table only = opened.table();
      Compactor compactor =
          service.create(
              new ReadOnlyHost(opened.database(), keys.existing(opened.files()), written, altered));
      return new OpenTable(
          only.id(),
          only.schema(),
          opened.files(),
          keys.keys() != null,
          only.live(),
          only::live,
          List.of(),
          request -> compactor.run(only.id(), request),
          () -> {
            try (opened) {
              compactor.close();
            }
          });
    } catch (Throwable e) {
      try (opened) {
        throw e;
      }
    }
  }

  private OpenTable openDatabase(
      DatabaseOptions.Builder options, UnaryOperator<TableSchema> altered) throws IOException {
    FormatVersion wanted = formatVersion();
    if (wanted != null) {
      options.formatVersion(wanted);
    }
    Database opened = Database.open(directory, options.build());
    try {
      Table own = table.only(directory.toString(), opened.tables(), Table::schema);
      TableSchema wantedSchema = altered.apply(own.schema());
      Table only =
          wantedSchema.equals(own.schema())
              ? own
              : opened.alterTable(
                  own.id().keyspace(), own.id().name(), TableAlteration.statement(wantedSchema));
      return new OpenTable(
          only.id(),
          only.schema(),
          DatabaseDirectory.ofTable(directory, only.schema()),
          keys.keys() != null,
          only.live(),
          only::live,
          List.of(),
          only::compact,
          opened);
    } catch (Throwable e) {
      try (opened) {
        throw e;
      }
    }
  }

  /** Returns whether the version to write was given. */
  boolean hasVersion() {
    return version != null;
  }

  private @Nullable FormatVersion formatVersion() {
    return version == null ? null : WrittenVersion.of(version);
  }
}
