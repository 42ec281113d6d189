package io.siltstone.model;

import io.siltstone.schema.TableId;
import io.siltstone.spi.CompactionHost;
import java.io.IOException;
import java.util.Random;

/** What a {@link DatabaseEngine} does when it is told to compact a table. */
@FunctionalInterface
public interface CompactionJob {

  /** Does something to some of the table's SSTables, on the caller's thread. */
  void run(CompactionHost host, TableId table, Random random) throws IOException;
}
