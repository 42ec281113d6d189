package io.siltstone.liveset;

import io.siltstone.sstable.format.Descriptor;
import java.io.Closeable;
import java.io.IOException;

/**
 * An SSTable that a transaction makes live. First all outputs are finished, then the transaction
 * log names them, then they are published. Confined to one thread at a time.
 */
interface Output extends Closeable {
  /** Returns the descriptor that the file names will begin with. */
  Descriptor descriptor();

  /** Returns whether the output has no content, so that there is no SSTable. */
  boolean isEmpty();

  /** Makes the content durable under temporary names. */
  void finish() throws IOException;

  /**
   * Gives the files their names; their content is durable. The transaction syncs the directory, and
   * from now on removes the files if it fails.
   */
  void publish() throws IOException;

  /** Releases resources, and removes files that were not published. */
  @Override
  void close() throws IOException;
}
