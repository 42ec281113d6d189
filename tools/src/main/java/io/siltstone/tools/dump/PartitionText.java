package io.siltstone.tools.dump;

import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;

/** An output format of a dump. Confined to one thread. */
interface PartitionText {
  /** Prints what precedes all partitions. */
  void begin() throws IOException;

  /** Prints the partition that the cursor has just moved to. */
  void partition(DataCursor cursor) throws IOException;

  /** Prints what follows all partitions. */
  void end() throws IOException;
}
