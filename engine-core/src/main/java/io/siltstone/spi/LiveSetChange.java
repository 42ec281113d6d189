package io.siltstone.spi;

import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * What has changed in the SSTables of a table.
 *
 * @param cause of it
 * @param added that are live now
 * @param removed that are not live any more
 */
public record LiveSetChange(Cause cause, List<Descriptor> added, List<Descriptor> removed) {

  /** Why the SSTables of a table change. */
  public enum Cause {
    /** The table was opened; nothing has changed. */
    OPEN,
    /** Columns or options of the table were changed; its SSTables have not. */
    ALTER,
    /** A memtable was written. */
    FLUSH,
    /** A claim was committed. */
    COMPACTION,
    /** Foreign SSTables were taken in. */
    IMPORT,
    /** All were dropped. */
    TRUNCATE,
    /** Returns the table itself was dropped; there is no change after this one. */
    DROP
  }

  /** Of a cause that leaves the SSTables as they are. */
  public static LiveSetChange nothing(Cause cause) {
    return new LiveSetChange(cause, List.of(), List.of());
  }

  /** Copies the lists. */
  public LiveSetChange {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
  }
}
