package io.siltstone.tools.load;

import java.io.IOException;

/** Reads the rows of a text. Confined to one thread. */
interface RowSource {

  /**
   * Reads the next row into the builder; the caller finishes it.
   *
   * @return false after the last row
   * @throws BadRowException if the row cannot be loaded; reading continues with the row after it
   */
  boolean next(RowBuilder row) throws IOException;

  /** Returns the number of the line in which the current row begins, from 1. */
  long lineNumber();

  /** Returns the number of bytes of the text read so far. */
  long bytesRead();
}
