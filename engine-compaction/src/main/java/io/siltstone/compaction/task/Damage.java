package io.siltstone.compaction.task;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;

/**
 * Describes damage of a file, which a scrub survives: bytes that cannot be true, which is a {@link
 * CorruptSSTableException} or a {@link io.siltstone.io.CorruptFileException}. An error of the disk
 * becomes one of the latter only after {@linkplain io.siltstone.files.RepeatedReads several
 * attempts}; any other exception ends the scrub without a change.
 */
final class Damage {
  private Damage() {}

  /** Returns a description of the damage for a message. */
  static String describe(IOException damage) {
    return damage instanceof CorruptSSTableException corrupt
        ? corrupt.component().fileName()
            + " at offset "
            + corrupt.offset()
            + ": "
            + corrupt.reason()
        : damage.toString();
  }
}
