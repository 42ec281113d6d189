package io.siltstone.tools.compact;

import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
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
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Opens a table, requests one compaction operation on it, waits for the operation to end, and
 * prints its report. Each subclass is one command.
 */
@Command(mixinStandardHelpOptions = true)
abstract class MaintenanceCommand implements Callable<Integer> {
  private static final long SECONDS_BETWEEN_REPORTS = 5;

  private final Terminal terminal;
  private final FailureReporter failures;
  private final InterruptHandler interruption;
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  // Whether opening the table has changed its definition.
  private boolean isAltered;

  @Mixin private CompactionTarget target;

  @Option(
      names = "--dry-run",
      description =
          "Print which SSTables would be rewritten and what could be purged from them; change"
              + " nothing. In a database, data that is only in the commit log is not considered.")
  private boolean isDryRun;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean isJson;

  /**
   * @param interruption ends the command when the user interrupts it: the jobs that have not ended
   *     are undone
   */
  MaintenanceCommand(Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    this.terminal = terminal;
    this.interruption = interruption;
    this.target = new CompactionTarget(terminal);
    this.failures = failures;
  }

  /**
   * Returns the request for the operation, without the flag for a dry run.
   *
   * @throws UsageException if options exclude each other or name SSTables that do not exist
   */
  abstract CompactionRequest request(OpenTable table) throws IOException;

  /**
   * Returns the definition that the table is to have before the operation begins. By default it is
   * the table's own.
   */
  TableSchema altered(TableSchema table) {
    return table;
  }

  /**
   * Opens the table.
   *
   * @param isReadOnly whether nothing will be changed
   * @param altered maps the table's definition to the one that it is to have
   */
  OpenTable open(
      CompactionTarget given,
      CompactionService service,
      boolean isReadOnly,
      UnaryOperator<TableSchema> altered)
      throws IOException {
    return given.open(service, isReadOnly, altered);
  }

  /** Returns lines to print below the report for a reader; by default none. */
  List<String> notes(CompactionTarget given, OpenTable table, CompactionReport report) {
    return List.of();
  }

  /**
   * Does what follows an operation of which no job failed, and returns lines to print; by default
   * none. A dry run ends without it.
   */
  List<String> afterwards(OpenTable table) throws IOException {
    return List.of();
  }

  /** Returns whether the operation lost data that it could not read. */
  boolean isLossy(CompactionReport report) {
    return false;
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
      // A dry run must not begin a job.
      service.pause();
    }
    try {
      return run(service);
    } catch (InterruptedIOException e) {
      // The table is closed by now, which has undone the running jobs.
      throw new IOException(ReportText.interruption(service.history(), isAltered), e);
    }
  }

  private int run(CompactionService service) throws IOException {
    try (OpenTable table = open(target, service, isDryRun, this::noteAltered)) {
      CompactionRequest request = request(table);
      Set<String> indexed = IndexedTables.in(table.files());
      CompactionReport report =
          await(service, table.compact().apply(isDryRun ? request.dryRun() : request));
      ReportText text = new ReportText(terminal, table, indexed, service.history());
      if (isJson) {
        text.json(report);
      } else {
        text.print(report, request.operation() != Operation.TRAIN_DICTIONARY);
        notes(target, table, report).forEach(terminal::line);
      }
      if (!report.failed().isEmpty()) {
        return reportFailures(report.failed());
      }
      List<String> done = isDryRun ? List.of() : afterwards(table);
      if (!isJson) {
        done.forEach(terminal::line);
      }
      boolean hasLost = !isDryRun && isLossy(report);
      return table.damaged().isEmpty() && !hasLost ? ExitCode.OK : ExitCode.DAMAGED;
    }
  }

  /**
   * Prints the failures of jobs and returns the exit code. The code for damage takes precedence,
   * because trying again does not help against damage.
   */
  private int reportFailures(List<CompactionFailed> failed) {
    int code = ExitCode.INTERNAL;
    for (CompactionFailed job : failed) {
      failures.report(ReportText.failure(job), job.cause());
      code = Math.min(code, FailureReporter.exitCode(job.cause()));
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
