package io.siltstone.tools.compact;

import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.tools.terminal.CommandSet;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Failures;
import io.siltstone.tools.terminal.Interruption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that has SSTables rewritten in one way. */
@Command(mixinStandardHelpOptions = true)
public class MaintenanceCommand implements Callable<Integer> {
  private static final long SECONDS_BETWEEN_REPORTS = 5;

  private final Terminal terminal;
  private final Failures failures;
  private final Interruption interruption;
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final Operation operation;
  // Known once the table is open.
  private boolean isAltered;

  @Mixin private Target target;

  @Option(
      names = "--dry-run",
      description =
          "Only say which SSTables it would take, and what could be purged of them. Changes nothing:"
              + " of a database, what only its commit log has is left out.")
  private boolean isDryRun;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean isJson;

  /**
   * @param interruption undoes the jobs that have not ended, and is closed when it has said so
   */
  MaintenanceCommand(
      Terminal terminal, Failures failures, Interruption interruption, Operation operation) {
    this.terminal = terminal;
    this.interruption = interruption;
    this.target = new Target(terminal);
    this.failures = failures;
    this.operation = operation;
  }

  /** Adds all commands of this package. */
  public static void addAll(
      CommandSet commands, Terminal terminal, Failures failures, Interruption interruption) {
    commands
        .add("compact", () -> new CompactCommand(terminal, failures, interruption))
        .add("recompress", () -> new RecompressCommand(terminal, failures, interruption))
        .add(
            "upgradesstables",
            "Rewrites the SSTables that are of another version than is written.",
            () -> new MaintenanceCommand(terminal, failures, interruption, Operation.UPGRADE))
        .add(
            "scrub",
            "Rewrites what can be read of each SSTable, reports what cannot, and keeps damaged files"
                + " aside.",
            () -> new MaintenanceCommand(terminal, failures, interruption, Operation.SCRUB))
        .add("garbagecollect", () -> new GarbageCollectCommand(terminal, failures, interruption))
        .add(
            "relevel",
            "Gives levels anew, so that no two SSTables of one level overlap (leveled compaction).",
            () -> new MaintenanceCommand(terminal, failures, interruption, Operation.RELEVEL))
        .add("split", () -> new SplitCommand(terminal, failures, interruption))
        .add("explain", () -> new ExplainCommand(terminal));
  }

  /**
   * What is asked for, beside whether it is only to be said.
   *
   * @throws UsageException if that does not go together, or names what is not there
   */
  CompactionRequest request(OpenTable table) throws IOException {
    return CompactionRequest.of(operation);
  }

  /** Returns the definition that the table is to have before the work begins; as a rule its own. */
  TableSchema altered(TableSchema table) {
    return table;
  }

  private TableSchema noteAltered(TableSchema table) {
    TableSchema wanted = altered(table);
    isAltered |= !isDryRun && !wanted.equals(table);
    return wanted;
  }

  @Override
  public final Integer call() throws IOException {
    CompactionService service = target.service();
    interruption.endInOrder(() -> interrupted.complete(null));
    if (isDryRun) {
      // Nothing is begun of what is only asked about.
      service.pause();
    }
    try {
      return run(service);
    } catch (InterruptedIOException e) {
      // The table is closed by now: what was running has been undone.
      throw new IOException(ReportText.interruption(service.history(), isAltered), e);
    }
  }

  private int run(CompactionService service) throws IOException {
    boolean isScrub = operation == Operation.SCRUB;
    try (OpenTable table =
        isScrub
            ? target.openForScrub(service, isDryRun)
            : target.open(service, isDryRun, this::noteAltered)) {
      CompactionRequest asked = request(table);
      Set<String> indexed = IndexedTables.in(table.files());
      CompactionReport report =
          await(service, table.compact().apply(isDryRun ? asked.dryRun() : asked));
      ReportText text = new ReportText(terminal, table, indexed, service.history());
      if (isJson) {
        text.json(report);
      } else {
        text.print(report);
        tellOfNewerVersion(table, report);
      }
      if (!report.failed().isEmpty()) {
        return tell(report.failed());
      }
      boolean isLossy = isScrub && !report.remarks().isEmpty() && !isDryRun;
      return table.damaged().isEmpty() && !isLossy ? ExitCode.OK : ExitCode.DAMAGED;
    }
  }

  /** Who asks for an upgrade, and for no version, may expect another than is written. */
  private void tellOfNewerVersion(OpenTable table, CompactionReport report) {
    String newest = FormatVersion.OA.text();
    if (operation == Operation.UPGRADE
        && !target.hasVersion()
        && report.planned().isEmpty()
        && report.completed().isEmpty()
        && table.live().tables().stream()
            .anyMatch(live -> live.descriptor().version() != FormatVersion.OA)) {
      terminal.line(
          "the newest version there is in the directory is kept to; --sstable-version "
              + newest
              + " upgrades to "
              + newest);
    }
  }

  /** Of several exit codes that of damage counts first, which is not mended by trying again. */
  private int tell(List<CompactionFailed> failed) {
    int code = ExitCode.INTERNAL;
    for (CompactionFailed job : failed) {
      failures.tell(ReportText.failure(job), job.cause());
      code = Math.min(code, Failures.exitCode(job.cause()));
    }
    return code;
  }

  private CompactionReport await(CompactionService service, CompletionStage<CompactionReport> stage)
      throws IOException {
    CompletableFuture<CompactionReport> report = stage.toCompletableFuture();
    CompletableFuture<Object> either = CompletableFuture.anyOf(report, interrupted);
    while (true) {
      try {
        var unused = either.get(SECONDS_BETWEEN_REPORTS, TimeUnit.SECONDS);
        if (!report.isDone()) {
          throw new InterruptedIOException();
        }
        return report.get();
      } catch (TimeoutException e) {
        service.running().forEach(job -> terminal.err().println(ReportText.progress(job)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (ExecutionException | CompletionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof IOException failure) {
          throw failure;
        }
        if (cause instanceof IllegalArgumentException) {
          throw new UsageException(String.valueOf(cause.getMessage()), e);
        }
        throw new IllegalStateException(cause);
      }
    }
  }
}
