package io.siltstone.tools.inspect;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A table that was opened for reading only; closed by its opener.
 *
 * @param database that contains it
 * @param table the table
 * @param files directory of its SSTables
 * @param damaged a line for each SSTable that could not be opened and was skipped, which was
 *     printed
 */
record InspectedTable(Database database, Table table, Directory files, List<String> damaged)
    implements Closeable {
  InspectedTable {
    damaged = List.copyOf(damaged);
  }

  TableSchema schema() {
    return table.schema();
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
