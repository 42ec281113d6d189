package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.Interruption;
import io.siltstone.tools.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code siltstone garbagecollect}. */
@Command(
    name = "garbagecollect",
    description = "Rewrites each SSTable without what others have deleted.")
public final class GarbageCollectCommand extends MaintenanceCommand {
  /** How much is dropped. */
  enum Granularity {
    ROW,
    CELL
  }

  @Option(
      names = {"-g", "--granularity"},
      description =
          "ROW: what deletions of partitions, ranges and rows cover. CELL: also single cells that"
              + " are deleted or overwritten elsewhere (default: ${DEFAULT-VALUE}).")
  private Granularity granularity = Granularity.ROW;

  /** Creates the command; see {@link MaintenanceCommand}. */
  public GarbageCollectCommand(
      Terminal terminal, FailureReporter failures, Interruption interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    CompactionRequest request = CompactionRequest.of(Operation.GARBAGE_COLLECT);
    return granularity == Granularity.CELL ? request.droppingCells() : request;
  }
}
