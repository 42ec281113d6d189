package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import picocli.CommandLine.Command;

/** The command {@code siltstone relevel}: assigns the levels of leveled compaction anew. */
@Command(
    name = "relevel",
    description =
        "Assigns levels anew, so that no two SSTables of one level overlap (leveled compaction).")
public final class RelevelCommand extends MaintenanceCommand {
  /** Creates the command; see {@link MaintenanceCommand}. */
  public RelevelCommand(
      Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    return CompactionRequest.of(Operation.RELEVEL);
  }
}
