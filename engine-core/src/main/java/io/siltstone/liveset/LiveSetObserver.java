package io.siltstone.liveset;

import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import java.io.IOException;

/**
 * Is told what happens to a live set, on the thread that made it happen, without locks. The methods
 * throw nothing.
 */
public interface LiveSetObserver {
  /** Observes nothing. */
  LiveSetObserver NONE = new LiveSetObserver() {};

  /** The table of another directory fits, and is about to be imported; not visible yet. */
  default void importing(SSTable table) {}

  /** The tables have changed; already visible. Changes of several threads may come in any order. */
  default void changed(LiveSetChange change) {}

  /**
   * It cannot be known whether a change has reached the disk; all further changes are refused until
   * the table is opened again. Reads go on, without that change.
   */
  default void refusesChanges(IOException cause) {}

  /** Nobody uses the table any more; it is closed when this returns. */
  default void closing(SSTable table) {}
}
