package io.siltstone.liveset;

import io.siltstone.sstable.format.Descriptor;
import java.io.Closeable;
import java.io.IOException;

/**
 * A table that a transaction is to make live. First all outputs are finished, then the log names
 * them, then they are published. Confined to one thread at a time.
 */
interface Output extends Closeable {
  /** What the names of its files will begin with. */
  Descriptor descriptor();

  /** Whether it came to nothing. */
  boolean isEmpty();

  /** Makes content durable that will have its name by {@link #publish()}. */
  void finish() throws IOException;

  /**
   * Gives the files their names, with durable content; the directory is synced by the transaction.
   * From now on the transaction removes them if need be.
   */
  void publish() throws IOException;

  /** Gives back what it holds, and removes what was not published. */
  @Override
  void close() throws IOException;
}
