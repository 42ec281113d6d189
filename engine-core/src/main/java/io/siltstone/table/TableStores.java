package io.siltstone.table;

import io.siltstone.catalog.TableHome;
import io.siltstone.mutation.Mutation;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The open tables of a database, by name and by id. Safe for all threads. */
public final class TableStores {
  private final Map<UUID, TableStore> byId = new ConcurrentHashMap<>();

  /** Creates an empty collection. */
  public TableStores() {}

  /**
   * Adds a table.
   *
   * @throws IllegalArgumentException if there is one with its name or its id; the message names
   *     them
   */
  public synchronized void add(TableStore store) {
    requireNew(store.schema());
    byId.put(store.id().id(), store);
  }

  /**
   * Opens a table and adds it.
   *
   * @throws IllegalArgumentException as {@link #add}; the table is closed then
   */
  public void open(TableHome home, TableChanges.Opener opener) throws IOException {
    TableStore store = opener.open(home);
    try {
      add(store);
    } catch (Throwable e) {
      store.close();
      throw e;
    }
  }

  /**
   * Checks that a table can be added: its directory would otherwise be that of another table.
   *
   * @param schema with an id
   * @throws IllegalArgumentException if there is one with its name or its id; the message names
   *     them
   */
  public void requireNew(TableSchema schema) {
    String name = schema.keyspace() + "." + schema.name();
    if (find(schema.keyspace(), schema.name()).isPresent()) {
      throw new IllegalArgumentException("there is a table " + name + " already");
    }
    UUID id = schema.id().orElseThrow();
    TableStore present = byId.get(id);
    if (present != null) {
      throw new IllegalArgumentException(
          "the table " + name + " cannot have the id " + id + ": " + present + " has it");
    }
  }

  /** Opens tables that no other thread knows yet, and adds them. */
  public void open(List<TableHome> homes, TableChanges.Opener opener) throws IOException {
    for (TableHome home : homes) {
      open(home, opener);
    }
  }

  /** Removes a table. */
  public void remove(TableStore store) {
    byId.remove(store.id().id(), store);
  }

  /** Returns the tables, in no order. */
  public Collection<TableStore> all() {
    return byId.values();
  }

  /** Returns the tables, sorted by keyspace and name. */
  public List<TableStore> sorted() {
    return byId.values().stream()
        .sorted(
            Comparator.comparing((TableStore store) -> store.id().keyspace())
                .thenComparing(store -> store.id().name()))
        .toList();
  }

  /** Returns the greatest segment of a commit log that a table knows of; -1 if there is none. */
  public long greatestSegment() {
    long greatest = -1;
    for (TableStore store : byId.values()) {
      greatest = Math.max(greatest, store.liveSet().flushed().greatest().segmentId());
    }
    return greatest;
  }

  /**
   * Makes automatic timestamps continue after the times at which columns were dropped: otherwise
   * writes to a column that is added again would be hidden.
   */
  public void continueAfterDrops(AutomaticTimestamps automatic) {
    for (TableStore store : byId.values()) {
      for (DroppedColumn dropped : store.schema().droppedColumns()) {
        automatic.continueAfter(dropped.droppedAtMicros());
      }
    }
  }

  /**
   * Makes automatic timestamps continue after those of flushed changes of tables that have no log,
   * as no other file tells which of these were given.
   */
  public void continueAfterUnlogged(AutomaticTimestamps automatic) {
    for (TableStore store : byId.values()) {
      if (!store.definition().isLogged()) {
        store.continueAfterUnlogged(automatic);
      }
    }
  }

  /** Returns the table of that name, or empty if there is none. */
  public Optional<TableStore> find(String keyspace, String name) {
    return byId.values().stream()
        .filter(store -> store.id().keyspace().equals(keyspace) && store.id().name().equals(name))
        .findAny();
  }

  /** Returns the table of that id, or empty if there is none. */
  Optional<TableStore> findById(UUID id) {
    return Optional.ofNullable(byId.get(id));
  }

  /**
   * Returns the table of that id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public TableStore get(TableId id) {
    return require(byId.get(id.id()), id);
  }

  /**
   * Returns the table that a mutation was made for.
   *
   * @throws IllegalArgumentException if there is none
   */
  public TableStore of(Mutation mutation) {
    TableSchema schema = mutation.schema();
    UUID id = schema.id().orElse(null);
    return require(id == null ? null : byId.get(id), schema.keyspace() + "." + schema.name());
  }

  private static TableStore require(@Nullable TableStore store, Object what) {
    if (store == null) {
      throw new IllegalArgumentException(what + " is no table of this database, or was dropped");
    }
    return store;
  }
}
