package io.siltstone.tools.verify;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.OfflineTable.RebuildSettings;
import io.siltstone.OfflineTable.RebuildSettings.DeltaBases;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.io.CorruptFileException;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.SSTableFinder;
import io.siltstone.tools.terminal.SchemaOption;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone rebuild}: rebuilds missing or wrong components of SSTables. */
@Command(
    name = "rebuild",
    mixinStandardHelpOptions = true,
    description = {
      "Rebuilds missing or wrong components of SSTables from the intact ones: Index.db,"
          + " Summary.db, Partitions.db, Rows.db, Filter.db, Statistics.db, CompressionInfo.db,"
          + " CRC.db, Digest.crc32, TOC.txt. Data.db is never changed; if it is damaged, that is"
          + " reported.",
      "For a directory, rebuilds all SSTables of the table or the database; no process"
          + " may have it open. Files that are replaced are kept in quarantine/.",
      "The exit code is 1 if something could not be rebuilt."
    })
public final class RebuildCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "DIR|FILE-Data.db",
      arity = "1..*",
      description = "Directories, and data files of SSTables.")
  private List<Path> places = List.of();

  @Mixin private SchemaOption schema;

  @Mixin private TableOption table = new TableOption();

  @Mixin private KeyFileOption keys;

  @Option(
      names = "--dry-run",
      description = "Only print what is missing or wrong and could be rebuilt; change nothing.")
  private boolean isDryRun;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  @Option(
      names = "--base-timestamp",
      paramLabel = "MICROS",
      description =
          "EncodingStats minTimestamp that metadata printed for this SSTable before its"
              + " Statistics.db was completely lost: the base of all timestamps, in microseconds"
              + " since 1970. Another number shifts all timestamps. Needs --base-deletion-time"
              + " and --base-ttl.")
  private @Nullable Long baseTimestamp;

  @Option(
      names = "--base-deletion-time",
      paramLabel = "SECONDS",
      description =
          "EncodingStats minLocalDeletionTime that metadata printed for this SSTable, in"
              + " seconds since 1970. Another number shifts all deletion times. Needs"
              + " --base-timestamp and --base-ttl.")
  private @Nullable Long baseDeletionTime;

  @Option(
      names = "--base-ttl",
      paramLabel = "SECONDS",
      description =
          "EncodingStats minTTL that metadata printed for this SSTable, in seconds."
              + " Another number shifts all TTLs. Needs --base-timestamp and"
              + " --base-deletion-time.")
  private @Nullable Integer baseTtl;

  /** Creates a command that prints to the terminal. */
  public RebuildCommand(Terminal terminal) {
    this.terminal = terminal;
    this.keys = new KeyFileOption(terminal);
    this.schema = new SchemaOption(terminal);
  }

  /** The outcome for one SSTable: a report, or a failure. */
  private record Outcome(
      Path path, @Nullable RebuildReport report, @Nullable String failure, int code) {}

  @Override
  public Integer call() throws IOException {
    DeltaBases bases = bases();
    TableSchema given = schema.read(table).orElse(null);
    SSTableFinder all = SSTableFinder.of(places, keys);
    List<SSTableFile> tables = all.tables();
    Map<Path, String> unsupported = all.unsupported();
    if (bases != null && tables.size() != 1) {
      throw new UsageException("--base-timestamp is for one SSTable, found " + tables.size());
    }
    if (isJson) {
      int[] code = new int[1];
      JsonDocument.write(terminal.out(), json -> code[0] = write(json, tables, given, bases));
      return code[0];
    }
    int code = unsupported.isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
    unsupported.forEach((path, reason) -> terminal.line(path + ": not examined: " + reason));
    for (SSTableFile each : tables) {
      Outcome outcome = rebuild(each, given, bases);
      print(outcome);
      terminal.out().flush();
      code = ExitCode.worse(code, outcome.code());
    }
    return code;
  }

  private @Nullable DeltaBases bases() {
    Long timestamp = baseTimestamp;
    Long deletionTime = baseDeletionTime;
    Integer ttl = baseTtl;
    if (timestamp == null && deletionTime == null && ttl == null) {
      return null;
    }
    if (timestamp == null || deletionTime == null || ttl == null) {
      throw new UsageException(
          "--base-timestamp, --base-deletion-time and --base-ttl must be given together");
    }
    return new DeltaBases(timestamp, deletionTime, ttl);
  }

  private Outcome rebuild(
      SSTableFile each, @Nullable TableSchema given, @Nullable DeltaBases bases) {
    try {
      RebuildReport report =
          OfflineTable.rebuild(
              Path.of(each.directory().path()),
              each.descriptor(),
              new RebuildSettings(given, bases, isDryRun),
              keys.in(DatabaseOptions.builder()).memoryBytes(ToolMemory.UNLIMITED_BYTES).build());
      return new Outcome(each.path(), report, null, ExitCode.OK);
    } catch (CorruptSSTableException e) {
      return new Outcome(each.path(), null, e.getMessage() + hint(e), ExitCode.DAMAGED);
    } catch (CorruptFileException | UnsupportedSSTableException e) {
      return new Outcome(each.path(), null, e.getMessage(), ExitCode.DAMAGED);
    } catch (IOException e) {
      return new Outcome(each.path(), null, FailureReporter.describe(e), ExitCode.IO);
    }
  }

  /** Returns the options that would help, as a sentence; empty if none would. */
  private static String hint(CorruptSSTableException damage) {
    return damage.kind() == CorruptSSTableException.Kind.DELTA_BASES_LOST
        ? ". Pass what `siltstone metadata` printed for this SSTable as EncodingStats"
            + " minTimestamp, minLocalDeletionTime and minTTL as --base-timestamp,"
            + " --base-deletion-time and --base-ttl"
        : "";
  }

  private void print(Outcome outcome) {
    RebuildReport report = outcome.report();
    if (report == null) {
      terminal.line(outcome.path() + ": nothing was rebuilt: " + outcome.failure());
      return;
    }
    if (report.rebuilt().isEmpty()) {
      terminal.line(outcome.path() + ": nothing to rebuild");
    }
    for (RebuildReport.Rebuilt each : report.rebuilt()) {
      terminal.line(
          outcome.path()
              + ": "
              + each.component().fileName()
              + (isDryRun ? " can be rebuilt: " : " was rebuilt: ")
              + each.reason());
    }
    report.remarks().forEach(terminal::line);
  }

  private int write(
      JsonGenerator json,
      List<SSTableFile> tables,
      @Nullable TableSchema given,
      @Nullable DeltaBases bases)
      throws IOException {
    int code = ExitCode.OK;
    json.writeStartObject();
    json.writeArrayFieldStart("sstables");
    for (SSTableFile each : tables) {
      Outcome outcome = rebuild(each, given, bases);
      code = ExitCode.worse(code, outcome.code());
      json.writeStartObject();
      json.writeStringField("path", outcome.path().toString());
      json.writeBooleanField("dry_run", isDryRun);
      RebuildReport report = outcome.report();
      if (report == null) {
        json.writeStringField("failure", outcome.failure());
      } else {
        json.writeArrayFieldStart("rebuilt");
        for (RebuildReport.Rebuilt one : report.rebuilt()) {
          json.writeStartObject();
          json.writeStringField("component", one.component().fileName());
          json.writeStringField("reason", one.reason());
          json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("remarks");
        for (String remark : report.remarks()) {
          json.writeString(remark);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
      json.flush();
    }
    json.writeEndArray();
    json.writeEndObject();
    return code;
  }
}
