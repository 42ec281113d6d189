package io.siltstone.tools.dump;

import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;

/** A form of a dump: what is printed of partitions. Confined to one thread. */
interface PartitionText {
  /** Prints what stands before all partitions. */
  void begin() throws IOException;

  /** Prints the partition that the cursor has just moved to. */
  void partition(DataCursor cursor) throws IOException;

  /** Prints what stands behind all partitions. */
  void end() throws IOException;
}
