package io.siltstone.table;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RetentionCursor;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.event.EngineListener;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.liveset.AtomicFlush;
import io.siltstone.liveset.AtomicFlushes;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memtable.Memtable;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.statistics.MemtableStatistics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes: writes the sealed memtables of tables to SSTables. If a flush fails, the memtable stays
 * readable, and its rows are in the commit log, unless its table has none. The failure ends all
 * changes of the database, unless nothing on the disk depends on it, as with a lack of memory,
 * space or file descriptors: then the flush is retried later. Files that verification has refused
 * are written once more, at once.
 *
 * <p>Safe for all threads.
 */
final class FlushWriter {
  private static final Logger LOG = LoggerFactory.getLogger(FlushWriter.class);

  // With helping threads a flush takes four times the buffers, so it has none if reads may need the
  // memory.
  private static final long ROOM_FOR_HELPERS = 4 << 20;

  /** The memtable has content that SSTables of the written version cannot contain. */
  private static final class CannotBeStoredException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    CannotBeStoredException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final Services services;
  private final @Nullable CommitLog log;
  private final @Nullable AtomicFlushes atomic;
  private final PipelineExecutors executors;

  /**
   * @param log from which flushed changes are discarded; null before there is one
   * @param atomic begins flushes of several tables; null during a replay, which flushes each alone
   * @param executors idle threads that compress and sync for the flush
   */
  FlushWriter(
      Services services,
      @Nullable CommitLog log,
      @Nullable AtomicFlushes atomic,
      PipelineExecutors executors) {
    this.services = services;
    this.log = log;
    this.atomic = atomic;
    this.executors = executors;
  }

  /**
   * Writes all sealed memtables of a table, oldest first. The caller holds {@link
   * TableStore#flushing}.
   */
  void write(TableStore store) throws IOException {
    for (TableMemtables.Sealed next = store.memory().oldestSealed();
        next != null;
        next = store.memory().oldestSealed()) {
      services.health().requireGood();
      TableMemtables.Sealed sealed = next;
      try {
        writeVerified(store, () -> writeAlone(store, sealed));
        succeeded(store);
      } catch (IOException | RuntimeException | Error e) {
        failed(List.of(store), e);
        throw e;
      }
      release(store, sealed);
    }
  }

  /**
   * Writes the sealed memtables of several tables, so that after a crash all of them are in
   * SSTables or none. If one of them cannot be written, all stay as they are.
   *
   * @param memtables all that were sealed at one moment of each table, oldest first. The caller
   *     holds {@link TableStore#flushing} of each
   */
  void writeTogether(Map<TableStore, List<TableMemtables.Sealed>> memtables) throws IOException {
    if (memtables.isEmpty()) {
      return;
    }
    services.health().requireGood();
    try {
      writeVerified(memtables.keySet(), () -> writeAtomically(memtables));
      memtables.keySet().forEach(FlushWriter::succeeded);
    } catch (IOException | RuntimeException | Error e) {
      failed(memtables.keySet(), e);
      throw e;
    }
    memtables.forEach((store, all) -> all.forEach(each -> release(store, each)));
  }

  private static void succeeded(TableStore store) {
    store.isStarved = false;
    store.flushRetry().succeeded();
  }

  private void failed(Collection<TableStore> stores, Throwable e) {
    Object subject = stores.size() == 1 ? stores.iterator().next() : stores;
    if (e instanceof OutOfBudgetException) {
      // The disk is in order: the flush is retried when readers have released memory.
      notifyOfFailure(stores, e);
      stores.forEach(store -> store.isStarved = true);
    } else if (e instanceof IOException failure && Retryable.is(failure)) {
      LOG.warn("a memtable of {} could not be written, which is tried again", subject, e);
      stores.forEach(store -> store.flushRetry().failed(failure, System.nanoTime()));
      notifyOfFailure(stores, e);
    } else {
      services.health().failUntold("A memtable of %s could not be written", subject, e);
      notifyOfFailure(stores, e);
      services.health().notifyListener();
    }
  }

  private void notifyOfFailure(Collection<TableStore> stores, Throwable e) {
    for (TableStore store : stores) {
      services.listener().flushFailed(new EngineListener.FlushFailed(store.id(), e));
    }
  }

  /** Releases a memtable that is in an SSTable. */
  private void release(TableStore store, TableMemtables.Sealed sealed) {
    store.memory().removeSealed(sealed);
    if (log != null && !sealed.intervals().intervals().isEmpty()) {
      log.discard(store.id().id(), sealed.intervals().upperBound());
    }
    // Notified again after the memtable was released: tombstones that its oldest rows protected
    // can be purged now.
    store.liveSet().notifyObserver(LiveSetChange.nothing(LiveSetChange.Cause.FLUSH));
  }

  /** Writes memtables. May be called again after it has failed. */
  @FunctionalInterface
  private interface Attempt {
    void run() throws IOException;
  }

  /**
   * Writes memtables, and once more if verification refuses the files. The second attempt succeeds
   * if a bit was flipped in memory or on its way to the disk. If it is refused as well, the writer
   * has a defect, or the machine has: to try again would not help, and the commit log, which has
   * all the rows, must not grow without end.
   */
  private static void writeVerified(Object tables, Attempt attempt) throws IOException {
    try {
      attempt.run();
    } catch (OutputVerificationException refused) {
      LOG.warn(
          "a memtable of {} was written, and verification refused the files; it is written once"
              + " more",
          tables,
          refused);
      try {
        attempt.run();
      } catch (IOException | RuntimeException | Error e) {
        e.addSuppressed(refused);
        throw e;
      }
    }
  }

  private boolean hasRoomForHelpers() {
    MemoryBudget budget = services.budget();
    return budget.available() >= ROOM_FOR_HELPERS;
  }

  /**
   * Returns the header of the SSTable: that of the memtable, so that rows are copied as they are;
   * unless all that was written is older than the base of its timestamps, as in a database that is
   * filled with old rows. Each timestamp would then take nine bytes, so the least of them becomes
   * the base, as in Cassandra. The base of deletion times stays, as these are those of the clock.
   */
  private static SerializationHeader header(SerializationHeader of, MemtableStatistics statistics) {
    EncodingStats stats = of.stats();
    if (statistics.times().maxTimestamp() >= stats.minTimestamp()) {
      return of;
    }
    return of.withStats(
        new EncodingStats(
            Math.min(statistics.times().minTimestamp(), stats.minTimestamp()),
            stats.minLocalDeletionTime(),
            stats.minTtl()));
  }

  private void writeAlone(TableStore store, TableMemtables.Sealed sealed) throws IOException {
    services
        .listener()
        .flushCompleted(
            write(
                store,
                sealed,
                () ->
                    store.liveSet().beginFlush(sealed.intervals(), sealed.memtable().keyRanges())));
  }

  private void writeAtomically(Map<TableStore, List<TableMemtables.Sealed>> memtables)
      throws IOException {
    List<EngineListener.FlushCompleted> completed = new ArrayList<>();
    try (AtomicFlush flush = atomicFlushes().begin()) {
      for (Map.Entry<TableStore, List<TableMemtables.Sealed>> entry : memtables.entrySet()) {
        TableStore store = entry.getKey();
        for (TableMemtables.Sealed sealed : entry.getValue()) {
          completed.add(
              write(
                  store,
                  sealed,
                  () ->
                      flush.begin(
                          store.liveSet(), sealed.intervals(), sealed.memtable().keyRanges())));
        }
      }
      flush.commit();
    }
    completed.forEach(services.listener()::flushCompleted);
  }

  private AtomicFlushes atomicFlushes() {
    return Objects.requireNonNull(atomic, "the log is being replayed");
  }

  /**
   * Writes a memtable.
   *
   * @param begin begins the flush
   * @return what has happened when the flush is committed
   */
  private EngineListener.FlushCompleted write(
      TableStore store, TableMemtables.Sealed sealed, Supplier<Claim> begin) throws IOException {
    MemtableStatistics statistics = sealed.memtable().statistics();
    try (FlushProgress.Run progress =
        services.memory().memtables().progress().begin(sealed.bytes(), statistics.rows())) {
      return write(store, sealed, begin, statistics, progress);
    }
  }

  private EngineListener.FlushCompleted write(
      TableStore store,
      TableMemtables.Sealed sealed,
      Supplier<Claim> begin,
      MemtableStatistics statistics,
      FlushProgress.Run progress)
      throws IOException {
    Memtable memtable = sealed.memtable();
    long start = System.nanoTime();
    services
        .listener()
        .flushStarted(new EngineListener.FlushStarted(store.id(), statistics.dataBytes()));
    OutputHints hints =
        OutputHints.of(
                header(memtable.encoding().header(), statistics),
                Math.max(1, statistics.partitions()))
            .withExecutors(hasRoomForHelpers() ? executors : PipelineExecutors.NONE);
    // All batches that the memtable has a part of are in the log before this position.
    long logged = log == null ? 0 : log.end();
    List<Descriptor> outputs;
    long bytes;
    try (Claim flush = begin.get()) {
      if (log != null) {
        // The disk syncs while rows are written.
        log.requestSync(logged);
      }
      SSTableWriter writer = flush.newOutput(hints);
      try (PartitionCursor scan = shown(memtable.scan(PartitionRange.ALL), store)) {
        while (scan.nextPartition()) {
          write(scan, writer, progress);
        }
      } catch (IllegalArgumentException e) {
        // It was replayed from a log that was written with another formatVersion.
        throw new CannotBeStoredException(
            store
                + " has what SSTables of formatVersion "
                + services.settings().version().text()
                + " cannot hold: "
                + e.getMessage(),
            e);
      }
      // Nothing is left if the retention floor hides all of the memtable.
      boolean isEmpty = writer.partitions() == 0;
      outputs = isEmpty ? List.of() : List.of(writer.descriptor());
      if (!isEmpty) {
        writer.finish();
      }
      bytes = isEmpty ? 0 : writer.onDiskLength();
      if (log != null) {
        // Otherwise one half of a batch could become durable in this table, while the log loses the
        // other.
        log.sync(logged);
      }
      flush.commit();
    }
    return new EngineListener.FlushCompleted(
        store.id(), outputs, bytes, Duration.ofNanos(System.nanoTime() - start));
  }

  /** Leaves out what the retention floor of the table hides, if it has one. */
  private static PartitionCursor shown(PartitionCursor scan, TableStore store) {
    RetentionFloor floor = store.liveSet().retention().present();
    return floor == null ? scan : new RetentionCursor(scan, floor, null);
  }

  private static void write(PartitionCursor scan, SSTableWriter writer, FlushProgress.Run progress)
      throws IOException {
    writer.startPartition(scan.key(), scan.deletionTimestamp(), scan.deletionLocalTime());
    while (scan.nextUnfiltered()) {
      writer.add(scan.unfiltered());
      progress.wroteRow();
    }
    writer.endPartition();
  }
}
