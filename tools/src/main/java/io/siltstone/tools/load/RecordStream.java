package io.siltstone.tools.load;

import java.io.Closeable;
import java.io.IOException;

/** Records in order, one at a time, each valid until the next. Confined to one thread. */
interface RecordStream extends Closeable {

  /**
   * Moves to the next record.
   *
   * @return false after the last record
   */
  boolean next() throws IOException;

  /** Returns the array that contains the current record. */
  byte[] bytes();

  /** Returns the index in {@link #bytes()} of the current record. */
  int from();
}
