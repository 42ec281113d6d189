package io.siltstone.liveset;

import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import java.io.IOException;

/**
 * Receives the events of a live set, on the thread that caused them, without locks held. The
 * methods throw nothing, except {@link #importing}.
 */
public interface LiveSetObserver {
  /** Ignores all events. */
  LiveSetObserver NONE = new LiveSetObserver() {};

  /**
   * An SSTable of another directory fits, and is about to be imported; it is not visible yet.
   *
   * @throws IllegalArgumentException to refuse the import
   */
  default void importing(SSTable table) {}

  /**
   * The live SSTables have changed, which is already visible. Changes made by several threads may
   * be reported in any order.
   */
  default void changed(LiveSetChange change) {}

  /**
   * It is unknown whether a change has reached the disk; all further changes are refused until the
   * table is opened again. Reads go on, without that change.
   */
  default void refusesChanges(IOException cause) {}

  /** An SSTable is not used any more; it is closed when this returns. */
  default void closing(SSTable table) {}
}
