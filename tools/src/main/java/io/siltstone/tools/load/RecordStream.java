package io.siltstone.tools.load;

import java.io.Closeable;
import java.io.IOException;

/** Records in order, one at a time, each valid until the next. Confined to one thread. */
interface RecordStream extends Closeable {

  /**
   * Moves to the next record.
   *
   * @return false behind the last
   */
  boolean next() throws IOException;

  /** The array that the present record lies in. */
  byte[] bytes();

  /** Index in {@link #bytes()} of the present record. */
  int from();
}
