package io.siltstone.jmx;

import io.siltstone.TableStatistics;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.StoredSummary;
import java.io.IOException;
import java.util.Optional;

/** Where the figures of a table come from. */
interface TableSource {
  String keyspace();

  String name();

  /** Empty if its schema is not known. */
  Optional<TableOptions> options();

  StoredSummary stored() throws IOException;

  /** Empty if no database has it open. */
  Optional<TableStatistics> statistics() throws IOException;

  /** How far compaction is behind. */
  CompactionState compaction() throws IOException;

  void flush() throws IOException;

  String compact() throws IOException;
}
