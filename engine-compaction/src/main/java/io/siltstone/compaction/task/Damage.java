package io.siltstone.compaction.task;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;

/** Distinguishes damage of a file, which a scrub survives, from exceptions that must end it. */
final class Damage {
  private Damage() {}

  /** Rethrows an exception that means that the file was closed or the thread interrupted. */
  static void require(IOException e) throws IOException {
    if (e instanceof ClosedChannelException || e instanceof InterruptedIOException) {
      throw e;
    }
  }

  /** Returns a description of the damage for a message; rethrows as {@link #require}. */
  static String describe(IOException e) throws IOException {
    require(e);
    return e instanceof CorruptSSTableException corrupt
        ? corrupt.component().fileName()
            + " at offset "
            + corrupt.offset()
            + ": "
            + corrupt.reason()
        : e.toString();
  }
}
