package io.siltstone.spi;

import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * A change of the live SSTables of a table.
 *
 * @param cause of the change
 * @param added SSTables that are live now
 * @param removed SSTables that are no longer live
 */
public record LiveSetChange(Cause cause, List<Descriptor> added, List<Descriptor> removed) {

  /** The causes of a change. */
  public enum Cause {
    /** The table was opened; nothing has changed. */
    OPEN,
    /** Columns or options of the table were changed; its SSTables have not. */
    ALTER,
    /** A memtable was written. */
    FLUSH,
    /** A claim was committed. */
    COMPACTION,
    /** The retention floor was raised; the SSTables have not changed. */
    RETENTION,
    /** Foreign SSTables were imported. */
    IMPORT,
    /** All SSTables were dropped (truncation). */
    TRUNCATE,
    /** The table itself was dropped; there is no change after this one. */
    DROP
  }

  /** Returns a change that leaves the SSTables as they are. */
  public static LiveSetChange nothing(Cause cause) {
    return new LiveSetChange(cause, List.of(), List.of());
  }

  /** Copies the lists. */
  public LiveSetChange {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
  }
}
