package io.siltstone.table;

import io.siltstone.liveset.LiveSetObserver;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes the live set of a table: notes timestamps of imported SSTables, passes changes on to the
 * compactor, and closes pooled readers of SSTables that are closed. Safe for all threads.
 */
final class TableObserver implements LiveSetObserver {
  private static final Logger LOG = LoggerFactory.getLogger(TableObserver.class);

  private final TableStore store;
  private final Services services;
  private final BiConsumer<TableStore, LiveSetChange> changes;

  /**
   * @param changes receives changes of the live SSTables
   */
  TableObserver(
      TableStore store, Services services, BiConsumer<TableStore, LiveSetChange> changes) {
    this.store = store;
    this.services = services;
    this.changes = changes;
  }

  @Override
  public void importing(SSTable table) {
    long newest = table.statistics().stats().maxTimestamp();
    // A key-value store must be able to write with greater timestamps than those imported.
    if (newest > TableTimestamps.LAST_USABLE && store.isKeyValueTable()) {
      throw new IllegalArgumentException(
          table
              + " has timestamps up to "
              + newest
              + ", beyond which a store of byte arrays could not write: allowed timestamps up"
              + " to "
              + TableTimestamps.LAST_USABLE);
    }
    // Noted before the SSTable is visible: later puts to a key-value store are then newer.
    store.timestamps().note(newest);
  }

  @Override
  public void changed(LiveSetChange change) {
    changes.accept(store, change);
  }

  @Override
  public void refusesChanges(IOException cause) {
    services.health().fail("It is not known which SSTables of %s are live", store.id(), cause);
  }

  @Override
  public void closing(SSTable table) {
    try {
      services.memory().readers().evict(table);
    } catch (IOException e) {
      LOG.warn("a reader of {} was not closed properly", table, e);
    }
  }
}
