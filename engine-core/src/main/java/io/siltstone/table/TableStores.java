package io.siltstone.table;

import io.siltstone.catalog.TableHome;
import io.siltstone.mutation.Mutation;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.threads.ParallelSteps;
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
  private final Map<Name, TableStore> byName = new ConcurrentHashMap<>();

  private record Name(String keyspace, String table) {
    static Name of(TableStore store) {
      return new Name(store.id().keyspace(), store.id().name());
    }
  }

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
    byName.put(Name.of(store), store);
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
  public void open(List<TableHome> homes, TableChanges.Opener opener, ParallelSteps parallel)
      throws IOException {
    parallel.forEach(homes, home -> open(home, opener));
  }

  /** Removes a table. */
  public void remove(TableStore store) {
    byName.remove(Name.of(store), store);
    byId.remove(store.id().id(), store);
  }

  /** Returns whether there is a table, which is not being dropped. */
  boolean has(TableId id) {
    TableStore store = byId.get(id.id());
    return store != null && !store.isDropped() && store.id().equals(id);
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
    return Optional.ofNullable(byName.get(new Name(keyspace, name)));
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
