package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A table that was opened, offline or in its database; closed by its opener.
 *
 * @param files directory of its SSTables
 * @param isEncrypted whether its files are
 * @param live its SSTables when it was opened
 * @param present returns its SSTables at present
 * @param damaged a line for each SSTable that could not be opened and was skipped, which was
 *     printed
 * @param compact requests an operation
 * @param opened closed with this
 */
record OpenTable(
    TableId id,
    TableSchema schema,
    Path files,
    boolean isEncrypted,
    LiveTables live,
    Present present,
    List<String> damaged,
    Function<CompactionRequest, CompletionStage<CompactionReport>> compact,
    Closeable opened)
    implements Closeable {
  OpenTable {
    damaged = List.copyOf(damaged);
  }

  /** Returns the SSTables of a table that is open. */
  @FunctionalInterface
  interface Present {
    LiveTables get() throws IOException;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
