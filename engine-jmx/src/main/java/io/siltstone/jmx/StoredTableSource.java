package io.siltstone.jmx;

import io.siltstone.TableStatistics;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.StoredSummary;
import java.util.Optional;

/** The figures of SSTables that no database has open. */
record StoredTableSource(
    String keyspace,
    String name,
    Optional<TableOptions> options,
    StoredSummary stored,
    CompactionState compaction,
    Optional<Object> retentionFloor)
    implements TableSource {
  @Override
  public Optional<TableStatistics> statistics() {
    return Optional.empty();
  }

  @Override
  public boolean raiseRetentionFloor(String value) {
    throw notOpen();
  }

  @Override
  public void flush() {
    throw notOpen();
  }

  @Override
  public String compact() {
    throw notOpen();
  }

  private UnsupportedOperationException notOpen() {
    return new UnsupportedOperationException(keyspace + "." + name + " is not open in a database");
  }
}
