package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.CompressionChoice;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code siltstone recompress}: changes the compression of SSTables. */
@Command(
    name = "recompress",
    description = {
      "Rewrites the SSTables whose compression differs from the table's, without parsing"
          + " rows.",
      "With --compression or --chunk-length, the table's compression is changed first,"
          + " like ALTER TABLE does: in the database, or in the schema.cql of the directory."
    })
public final class RecompressCommand extends MaintenanceCommand {
  @Mixin private CompressionChoice compression = new CompressionChoice();

  /** Creates the command; see {@link MaintenanceCommand}. */
  public RecompressCommand(
      Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    return CompactionRequest.of(Operation.RECOMPRESS);
  }

  @Override
  TableSchema altered(TableSchema table) {
    return compression.applyTo(table);
  }
}
