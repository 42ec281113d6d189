package io.siltstone.jmx;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.annotation.Expert;
import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.StoredSummary;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the beans of one database in an MBean server: of the database, of each of its tables,
 * including tables that are created later, and of its compaction. {@link BeanNames} has their
 * names.
 *
 * <pre>
 *   try (Database db = Database.open(path, DatabaseOptions.builder().compaction(service).build());
 *       DatabaseBeans beans = DatabaseBeans.register(db, service)) { ... }
 * </pre>
 *
 * <p>Then jconsole, or {@code siltstone tablestats --pid}, sees them without any option of the JVM.
 * Safe for use by all threads. Closed by its opener before the database, which the beans use.
 */
public final class DatabaseBeans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseBeans.class);

  private final Database database;
  private final MBeanServer server;
  private final EngineListener tables = new Tables();
  // Guarded by this.
  private final Set<ObjectName> names = new LinkedHashSet<>();
  private boolean isClosed;

  private DatabaseBeans(Database database, MBeanServer server) {
    this.database = database;
    this.server = server;
  }

  /** Returns the figures of a database, for use within the process. The caller closes it. */
  public static DatabaseMXBean of(Database database) {
    return new DatabaseFigures(database);
  }

  /** Returns the figures of a table of an open database, for use within the process. */
  public static TableMXBean of(Table table) {
    return TableFigures.of(table);
  }

  /**
   * Returns the figures of SSTables that no database has open. The operations throw {@link
   * UnsupportedOperationException}.
   *
   * @param options of the table, null if its schema is not known
   * @param stored summary of the SSTables
   * @param compaction what the strategy would do with them
   * @param retentionFloor of the table; empty if it has none or it is not known
   */
  @Expert
  @SuppressWarnings("exports")
  public static TableMXBean ofFiles(
      String keyspace,
      String name,
      @Nullable TableOptions options,
      StoredSummary stored,
      CompactionState compaction,
      Optional<Object> retentionFloor) {
    return TableFigures.ofFiles(keyspace, name, options, stored, compaction, retentionFloor);
  }

  /** Registers the beans in the platform MBean server. */
  public static DatabaseBeans register(Database database, @Nullable CompactionService compaction) {
    return register(database, compaction, ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers the beans of a database.
   *
   * @param compaction service that the database was opened with, or null if it is not available:
   *     then there is no bean for it
   * @throws IllegalStateException if beans of a database with this path exist; then none are
   *     registered
   */
  public static DatabaseBeans register(
      Database database, @Nullable CompactionService compaction, MBeanServer server) {
    DatabaseBeans beans = new DatabaseBeans(database, server);
    beans.registerAll(compaction);
    return beans;
  }

  private synchronized void registerAll(@Nullable CompactionService compaction) {
    String path = database.path();
    try {
      register(BeanNames.database(path), new DatabaseFigures(database));
      if (compaction != null) {
        register(BeanNames.compaction(path), new CompactionFigures(database, compaction));
      }
      // Events of tables created from now on wait for this method to end.
      database.addListener(tables);
      for (Table table : database.tables()) {
        register(table);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void register(Table table) {
    TableId id = table.id();
    ObjectName name = BeanNames.table(database.path(), id.keyspace(), id.name());
    if (!names.contains(name)) {
      register(name, TableFigures.of(table));
    }
  }

  /** Registers the table with that name, if it exists. */
  private void registerPresent(TableId table) {
    database.findTable(table.keyspace(), table.name()).ifPresent(this::register);
  }

  private void register(ObjectName name, Object bean) {
    try {
      server.registerMBean(bean, name);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(name + " is registered already", e);
    } catch (JMException e) {
      throw new IllegalStateException(name + " could not be registered", e);
    }
    names.add(name);
  }

  private void unregister(ObjectName name) {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} was unregistered by other code", name, e);
    } catch (JMException e) {
      LOG.warn("{} could not be unregistered", name, e);
    }
  }

  /** Registers and unregisters beans as tables are created and dropped. */
  private final class Tables implements EngineListener {
    @Override
    public void tableCreated(TableCreated event) {
      synchronized (DatabaseBeans.this) {
        if (!isClosed) {
          registerPresent(event.table());
        }
      }
    }

    @Override
    public void tableDropped(TableDropped event) {
      synchronized (DatabaseBeans.this) {
        ObjectName name =
            BeanNames.table(database.path(), event.table().keyspace(), event.table().name());
        if (names.remove(name)) {
          unregister(name);
          // The table may have been created again, and that event may have come first.
          registerPresent(event.table());
        }
      }
    }
  }

  /** Unregisters the beans. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      database.removeListener(tables);
      names.forEach(this::unregister);
      names.clear();
    }
  }
}
