package io.siltstone.sstable;

import io.siltstone.chunk.ByteOutput;
import io.siltstone.io.WritableFile;
import io.siltstone.sstable.metadata.Statistics;

/**
 * Places between the parts of a writer where tests put the defects that verification must find. In
 * production there is only {@link #NONE}, which changes nothing.
 */
class OutputSeam {
  static final OutputSeam NONE = new OutputSeam();

  /** Whether what is written is verified. */
  boolean isVerified() {
    return true;
  }

  /** Stands between the encoder of rows and the data file. */
  ByteOutput data(ByteOutput file) {
    return file;
  }

  /** Stands between the encoder of index entries and the index file. */
  WritableFile index(WritableFile file) {
    return file;
  }

  /** Stands between the collector of statistics and their file. */
  Statistics statistics(Statistics collected) {
    return collected;
  }
}
