package io.siltstone.kafka.streams.store;

import io.siltstone.Database;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.kafka.streams.host.StoreTable;
import io.siltstone.kafka.streams.internals.StoreMetrics;
import java.io.IOException;
import java.util.function.ToLongFunction;

/**
 * The metrics of a store: those that users of RocksDB know, under the same names, and the memory
 * budget. A value that cannot be had, as the store is closed meanwhile, is 0.
 */
final class Gauges {
  private final StoreTable handle;
  private final StoreMetrics metrics;

  private Gauges(StoreTable handle, StoreMetrics metrics) {
    this.handle = handle;
    this.metrics = metrics;
  }

  /** Adds the metrics of an open store. */
  static void add(OpenStore store, StoreMetrics metrics) {
    new Gauges(store.handle(), metrics).addAll(store);
  }

  private void addAll(OpenStore store) {
    ofTable(
        "size-all-mem-tables",
        "Memory of the memtables in bytes",
        of -> of.memtable().memory().offHeapBytes() + of.memtable().memory().heapBytes());
    ofTable(
        "num-entries-active-mem-table",
        "Number of entries in the memtable that takes the writes",
        of -> of.memtable().rows());
    ofTable(
        "num-immutable-mem-table",
        "Number of memtables that are being flushed",
        TableStatistics::memtablesFlushing);
    ofTable(
        "live-sst-files-size",
        "Size of the data files in bytes",
        of -> of.sstables().onDiskBytes());
    ofTable(
        "total-sst-files-size",
        "Size of the data files in bytes",
        of -> of.sstables().onDiskBytes());
    ofTable(
        "estimate-table-readers-mem",
        "Memory of filters, summaries and chunk offsets in bytes",
        of -> of.sstables().offHeapBytes());
    metrics.add(
        "estimate-num-keys",
        "Estimated number of entries",
        () -> store.isOpen() ? estimate(store) : 0L);
    ofDatabase(
        "block-cache-usage",
        "Memory of the chunk cache in bytes, which all stores share",
        of -> of.chunkCache().bytes());
    ofDatabase(
        "block-cache-capacity",
        "Capacity of the chunk cache in bytes, which all stores share",
        of -> of.chunkCache().capacityBytes());
    ofDatabase(
        "memory-budget-usage",
        "Off-heap memory in bytes of all stores of the application",
        of -> of.offHeap().bytes());
    ofDatabase(
        "memory-budget-limit",
        "Limit of the off-heap memory in bytes, which all stores of the JVM share",
        of -> of.offHeap().limitBytes());
  }

  private static long estimate(OpenStore store) {
    try {
      return store.estimatedEntries();
    } catch (RuntimeException e) {
      return 0;
    }
  }

  private void ofTable(String name, String description, ToLongFunction<TableStatistics> value) {
    Table table = handle.entries().table();
    metrics.add(
        name,
        description,
        () -> {
          try {
            return value.applyAsLong(table.statistics());
          } catch (IOException | RuntimeException e) {
            return 0L;
          }
        });
  }

  private void ofDatabase(
      String name, String description, ToLongFunction<DatabaseStatistics> value) {
    Database database = handle.database();
    metrics.add(
        name,
        description,
        () -> {
          try {
            return value.applyAsLong(database.statistics());
          } catch (IOException | RuntimeException e) {
            return 0L;
          }
        });
  }
}
