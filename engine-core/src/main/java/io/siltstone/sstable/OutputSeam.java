package io.siltstone.sstable;

import io.siltstone.chunk.ByteOutput;
import io.siltstone.io.WritableFile;
import io.siltstone.sstable.metadata.Statistics;

/**
 * Hooks between the parts of a writer, in which tests insert the defects that verification must
 * find. In production there is only {@link #NONE}, which changes nothing.
 */
class OutputSeam {
  static final OutputSeam NONE = new OutputSeam();

  /** Returns whether the output is verified. */
  boolean isVerified() {
    return true;
  }

  /** Wraps the data file that the encoder of rows writes to. */
  ByteOutput data(ByteOutput file) {
    return file;
  }

  /** Wraps the index file that the encoder of index entries writes to. */
  WritableFile index(WritableFile file) {
    return file;
  }

  /** Changes the statistics between their collector and their file. */
  Statistics statistics(Statistics collected) {
    return collected;
  }
}
