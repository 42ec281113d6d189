package io.siltstone.tools.compact;

import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;

/** The command {@code siltstone scrub}: saves what can be read of damaged SSTables. */
@Command(
    name = "scrub",
    description =
        "Rewrites what can be read of each SSTable, reports what cannot, and keeps the files of"
            + " damaged SSTables in quarantine/, in the table's directory.")
public final class ScrubCommand extends MaintenanceCommand {
  /** Creates the command; see {@link MaintenanceCommand}. */
  public ScrubCommand(Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    return CompactionRequest.of(Operation.SCRUB);
  }

  @Override
  OpenTable open(
      CompactionTarget given,
      CompactionService service,
      boolean isReadOnly,
      UnaryOperator<TableSchema> altered)
      throws IOException {
    return given.openForScrub(service, isReadOnly);
  }

  @Override
  boolean isLossy(CompactionReport report) {
    return !report.remarks().isEmpty();
  }
}
