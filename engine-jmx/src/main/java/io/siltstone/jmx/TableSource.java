package io.siltstone.jmx;

import io.siltstone.TableStatistics;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.StoredSummary;
import java.io.IOException;
import java.util.Optional;

/** The source of a table's figures. */
interface TableSource {
  String keyspace();

  String name();

  /** Returns the options of the table; empty if its schema is not known. */
  Optional<TableOptions> options();

  StoredSummary stored() throws IOException;

  /** Returns the statistics of the table; empty if no database has it open. */
  Optional<TableStatistics> statistics() throws IOException;

  /** Returns the backlog of compaction. */
  CompactionState compaction() throws IOException;

  /** Returns the retention floor; empty if the table has none, or it is not known. */
  Optional<Object> retentionFloor() throws IOException;

  boolean raiseRetentionFloor(String value) throws IOException;

  void flush() throws IOException;

  String compact() throws IOException;
}
