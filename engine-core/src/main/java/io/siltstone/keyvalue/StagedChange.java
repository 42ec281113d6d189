package io.siltstone.keyvalue;

import io.siltstone.table.ValueChange;
import org.jspecify.annotations.Nullable;

/**
 * A version of what is staged of one key: a put or a deletion, or that neither is left since a
 * range of keys was deleted later. Versions that an older view may need are linked to it.
 * Immutable.
 */
final class StagedChange {
  /** About what a version takes on the heap in addition to key and value. */
  private static final int OVERHEAD_BYTES = 160;

  private final long number;
  private final byte[] key;
  private final @Nullable ValueChange change;
  private final @Nullable StagedChange previous;
  private final long heapBytes;

  /**
   * @param number of the change within its batch, in the order of staging
   * @param change null if a deletion of a range has replaced it
   * @param previous the version before this one that a view may need; null for none
   */
  StagedChange(
      long number, byte[] key, @Nullable ValueChange change, @Nullable StagedChange previous) {
    this.number = number;
    this.key = key;
    this.change = change;
    this.previous = previous;
    this.heapBytes =
        OVERHEAD_BYTES
            + (change == null ? key.length : change.dataBytes())
            + (previous == null ? 0 : previous.heapBytes);
  }

  byte[] key() {
    return key;
  }

  /** Returns the put or the deletion; null if neither is left. */
  @Nullable ValueChange change() {
    return change;
  }

  /** Returns the version that a view sees; null if nothing is staged in it. */
  @Nullable StagedChange asOf(long lastNumber) {
    StagedChange version = upTo(lastNumber);
    return version == null || version.change == null ? null : version;
  }

  /** Returns the newest version, of this and those before, up to a number; null for none. */
  @Nullable StagedChange upTo(long lastNumber) {
    StagedChange version = this;
    while (version != null && version.number > lastNumber) {
      version = version.previous;
    }
    return version;
  }

  /**
   * Returns about how many bytes of the heap this version takes, and those that are linked to it.
   */
  long heapBytes() {
    return heapBytes;
  }
}
