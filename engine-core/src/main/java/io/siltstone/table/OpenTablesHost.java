package io.siltstone.table;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Provides the tables of an open database to its compactor. Safe for all threads. */
public final class OpenTablesHost implements CompactionHost {
  private final String path;
  private final TableStores stores;
  private final Services services;
  private final InstantSource clock;

  /**
   * @param path of the database
   * @param stores the tables
   * @param clock of the database
   */
  public OpenTablesHost(String path, TableStores stores, Services services, InstantSource clock) {
    this.clock = clock;
    this.path = path;
    this.stores = stores;
    this.services = services;
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  @Override
  public Set<TableId> tables() {
    // A table that is being dropped is closed before it is removed from the list.
    return stores.all().stream()
        .filter(store -> !store.isDropped())
        .map(TableStore::id)
        .collect(Collectors.toSet());
  }

  @Override
  public boolean has(TableId table) {
    return stores.has(table);
  }

  @Override
  public TableSchema schema(TableId table) {
    return stores.get(table).schema();
  }

  @Override
  public LiveTables live(TableId table) {
    return present(table, store -> store.liveSet().live());
  }

  @Override
  public Optional<Claim> claim(TableId table, Set<Descriptor> inputs) {
    if (!services.health().isGood()) {
      return Optional.empty();
    }
    return present(table, store -> store.liveSet().claim(inputs));
  }

  @Override
  public void requireChangeable(TableId table) throws IOException {
    services.health().requireGood();
    TableStore store = stores.get(table);
    try {
      store.liveSet().requireChangeable();
    } catch (IllegalStateException e) {
      throw gone(table, e);
    }
  }

  @Override
  public Optional<CompressionDictionary> dictionary(TableId table, boolean mayTrain) {
    return present(
        table,
        store ->
            store
                .liveSet()
                .dictionaries()
                .present(store.schema().options().compression(), mayTrain));
  }

  @Override
  public String trainDictionary(TableId table) throws IOException {
    requireChangeable(table);
    TableStore store = stores.get(table);
    try {
      return store.liveSet().dictionaries().train(store.schema().options().compression());
    } catch (IllegalStateException e) {
      throw gone(table, e);
    }
  }

  /** Asks a table; a table that is dropped meanwhile is reported as unknown. */
  private <T> T present(TableId table, Function<TableStore, T> question) {
    TableStore store = stores.get(table);
    try {
      return question.apply(store);
    } catch (IllegalStateException e) {
      throw gone(table, e);
    }
  }

  private static IllegalArgumentException gone(TableId table, IllegalStateException cause) {
    return new IllegalArgumentException(table + " is closed or was dropped", cause);
  }

  @Override
  public FormatVersion version() {
    return services.settings().version();
  }

  @Override
  public EngineListener listener() {
    return services.listener();
  }

  @Override
  public String toString() {
    return path;
  }
}
