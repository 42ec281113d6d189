package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.host.StoreTable;
import java.io.IOException;
import org.apache.kafka.streams.processor.StateStoreContext;

/** Finds the database of an application, and opens the tables of its stores. */
@FunctionalInterface
public interface StoreTables {
  /**
   * Opens the table of a store, to be closed by the caller.
   *
   * @param name the name of the store
   * @param format what the entries are
   */
  StoreTable open(StateStoreContext context, String name, String format) throws IOException;
}
