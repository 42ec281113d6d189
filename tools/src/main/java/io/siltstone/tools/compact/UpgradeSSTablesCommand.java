package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * The command {@code siltstone upgradesstables}: rewrites SSTables in the format version that is
 * written.
 */
@Command(
    name = "upgradesstables",
    description = "Rewrites the SSTables whose format version is not the one that is written.")
public final class UpgradeSSTablesCommand extends MaintenanceCommand {
  /** Creates the command; see {@link MaintenanceCommand}. */
  public UpgradeSSTablesCommand(
      Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    return CompactionRequest.of(Operation.UPGRADE);
  }

  /** Without a version, a user may expect the newest one rather than the one in the directory. */
  @Override
  List<String> notes(CompactionTarget given, OpenTable table, CompactionReport report) {
    if (given.hasVersion()
        || !report.planned().isEmpty()
        || !report.completed().isEmpty()
        || table.live().tables().stream()
            .allMatch(live -> live.descriptor().version().compareTo(FormatVersion.OA) >= 0)) {
      return List.of();
    }
    String newest = FormatVersion.OA.text();
    return List.of(
        "the newest version in the directory is kept; --sstable-version "
            + newest
            + " upgrades to "
            + newest);
  }
}
