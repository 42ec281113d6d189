package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code siltstone garbagecollect}: removes deleted data. */
@Command(
    name = "garbagecollect",
    description = "Rewrites each SSTable without the data that other SSTables delete.")
public final class GarbageCollectCommand extends MaintenanceCommand {
  /** The data that is removed. */
  enum Granularity {
    ROW,
    CELL
  }

  @Option(
      names = {"-g", "--granularity"},
      paramLabel = "LEVEL",
      description =
          "ROW: what deletions of partitions, ranges and rows cover. CELL: also single"
              + " cells that are deleted or overwritten by other SSTables (default:"
              + " ${DEFAULT-VALUE}).")
  private Granularity granularity = Granularity.ROW;

  /** Creates the command; see {@link MaintenanceCommand}. */
  public GarbageCollectCommand(
      Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    CompactionRequest request = CompactionRequest.of(Operation.GARBAGE_COLLECT);
    return granularity == Granularity.CELL ? request.droppingCells() : request;
  }
}
