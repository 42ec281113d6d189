package io.siltstone;

import io.siltstone.spi.Compactor;
import io.siltstone.table.Handles;
import io.siltstone.table.Services;
import io.siltstone.table.TableStore;
import io.siltstone.table.TableStores;
import io.siltstone.table.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic tasks of a database that is open for writing, five times a second: checks that it
 * still owns its lock, starts flushes that are due, reserves automatic timestamps, sets the write
 * throttle by the compaction debt, and reports lost handles.
 *
 * <p>Runs on one thread at a time.
 */
final class PeriodicTasks {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String path;
  private final DatabaseOptions options;
  private final Services services;
  private final WritePath writePath;
  private final TableStores stores;
  private final Handles handles;
  private final Supplier<@Nullable Compactor> compactor;

  /**
   * @param path of the database, for messages
   * @param compactor returns null as long as there is none
   */
  PeriodicTasks(
      String path,
      DatabaseOptions options,
      Services services,
      WritePath writePath,
      TableStores stores,
      Handles handles,
      Supplier<@Nullable Compactor> compactor) {
    this.path = path;
    this.options = options;
    this.services = services;
    this.writePath = writePath;
    this.stores = stores;
    this.handles = handles;
    this.compactor = compactor;
  }

  /** Starts them; closing the result ends them. */
  Closeable start(Threads threads) {
    return threads.periodically(Threads.Purpose.TIMER, PERIOD_NANOS, this::run, this::warn);
  }

  private void run() {
    checkLock();
    writePath.flusher().tick(System.nanoTime());
    writePath.timestamps().renew();
    throttleWriters();
    handles.reportLost();
  }

  /** Ends all changes if the lock is lost, even while no change is made. */
  private void checkLock() {
    try {
      services.guard().requireOwned();
    } catch (IOException e) {
      // Health knows if the lock was lost; any other failure may not occur the next time.
      LOG.debug("{}: the lock could not be checked", path, e);
    }
    services.health().notifyListener();
  }

  private void throttleWriters() {
    Compactor present = compactor.get();
    if (present != null) {
      for (TableStore store : stores.all()) {
        store.pace(
            present.state(store.id()).debtBytes(),
            options.softCompactionDebtBytes(),
            options.hardCompactionDebtBytes());
      }
    }
  }

  private void warn(Throwable failure) {
    LOG.warn("{}: the periodic tasks failed, and will be retried", path, failure);
  }
}
