package io.siltstone.tools.load;

import java.io.IOException;

/** Rows of a text. Confined to one thread. */
interface RowSource {

  /**
   * Reads the next row into the builder; the caller finishes it.
   *
   * @return false behind the last
   * @throws BadRowException if the row cannot be taken; the one after it may be asked for
   */
  boolean next(RowBuilder row) throws IOException;

  /** Line that the present row begins in, from 1. */
  long lineNumber();

  /** Bytes of the text read so far. */
  long bytesRead();
}
