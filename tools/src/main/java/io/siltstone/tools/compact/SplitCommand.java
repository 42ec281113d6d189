package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code siltstone split}: splits large SSTables. */
@Command(
    name = "split",
    description = "Splits each SSTable that is larger than a size into several of about that size.")
public final class SplitCommand extends MaintenanceCommand {
  @Option(
      names = {"-s", "--size"},
      paramLabel = "MiB",
      description =
          "Approximate greatest size of a data file in MiB, 1 or more (default:"
              + " ${DEFAULT-VALUE}).")
  private int mib = 50;

  /** Creates the command; see {@link MaintenanceCommand}. */
  public SplitCommand(Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    if (mib < 1) {
      throw new UsageException("--size = " + mib + ", allowed 1 MiB or more");
    }
    return CompactionRequest.of(Operation.SPLIT).withOutputBytes((long) mib << 20);
  }
}
