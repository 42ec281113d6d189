package io.siltstone.table;

import io.siltstone.bytes.BigEndian;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.commitlog.segment.ReplayOptions;
import io.siltstone.commitlog.segment.ReplayVisitor;
import io.siltstone.commitlog.segment.ReplayedLog;
import io.siltstone.commitlog.segment.TableReplay;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.io.CorruptFileException;
import io.siltstone.liveset.View;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memtable.Memtable;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Replays the commit log at an opening: applies changes that are in no SSTable to the memtables,
 * each in the encoding in which it was logged, and repeats truncations that were interrupted.
 * Records of tables that do not exist are skipped and counted. Automatic timestamps continue after
 * those in the log.
 *
 * <p>Used once, by one thread, before the first write. {@link #end} is to be called afterwards.
 */
public final class LogReplay implements ReplayVisitor {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);
  private static final Marker REPORTED =
      MarkerFactory.getMarker(EngineListener.CorruptionFound.MARKER);

  /**
   * The generation in a truncation record of a table that was dropped. It has no effect on a table
   * that exists: that was created anew, or restored, since.
   */
  static final long DROPPED = -1;

  // The least memory of a memtable, or what it takes in addition to a part that needs more.
  private static final long LEAST_SLAB_BYTES = 4096;

  private final Services services;
  private final FlushWriter writer;
  private final LoggedTimestamps times;
  private final Map<UUID, Replayed> tables = new HashMap<>();
  private final Map<UUID, LeftOut> unknown = new TreeMap<>();
  // The position of the record that is being replayed.
  private CommitLogPosition present = CommitLogPosition.NONE;
  private long neededBytes;

  /**
   * @param stores the tables
   * @param automatic continue after the timestamps in the log; null for reading only
   */
  public LogReplay(
      Services services, Collection<TableStore> stores, @Nullable AutomaticTimestamps automatic) {
    this.services = services;
    this.writer = new FlushWriter(services, null, null, PipelineExecutors.NONE);
    this.times = new LoggedTimestamps(automatic);
    for (TableStore store : stores) {
      tables.put(store.id().id(), new Replayed(store));
    }
  }

  /** Returns how the log of this database is replayed: a lenient opening skips damaged parts. */
  public static ReplayOptions optionsOf(Services services) {
    ReplayOptions own = ReplayOptions.DEFAULT.of(services.hostId());
    return services.settings().isLenient() ? own.skippingDamage() : own;
  }

  /** Logs damage that was skipped in the log, and notifies the listener. */
  public static void reportDamage(ReplayedLog replayed, Services services) {
    for (CorruptFileException damage : replayed.damage()) {
      LOG.warn(REPORTED, "a damaged part of the commit log was skipped", damage);
      services
          .listener()
          .corruptionFound(new EngineListener.CorruptionFound(null, damage.path(), damage));
    }
  }

  /** The replay of one table. */
  private final class Replayed {
    private final TableStore store;
    // The positions of the log up to the flushed one, even if the SSTables are gone.
    private final CommitLogIntervals done;
    private final CommitLogIntervals flushed;
    // True if it is unknown which truncations were done. If so, a truncation does not drop these
    // SSTables: the last one that was done may have left them, or they came after it.
    private final boolean isUnknown;
    private final Set<Descriptor> kept;

    // The number of changes since the last truncation.
    private long applied;

    // The positions of the records in the active memtable; null if it has none.
    private @Nullable CommitLogPosition first;
    private @Nullable CommitLogPosition last;

    Replayed(TableStore store) {
      this.store = store;
      done = allFlushed();
      flushed = store.liveSet().report().quarantined().isEmpty() ? done : inSSTables();
      isUnknown = store.liveSet().flushed().damage().isPresent();
      kept = isUnknown ? liveTables() : Set.of();
    }

    private Set<Descriptor> liveTables() {
      View view = store.liveSet().acquire();
      try {
        return view.byFirstKey().stream().map(SSTable::descriptor).collect(Collectors.toSet());
      } finally {
        view.release();
      }
    }

    /**
     * Returns all positions up to the flushed one. Memtables are flushed in the order of the log:
     * all before the end of a flushed memtable was flushed, too, even if a compaction that left no
     * SSTable has removed the interval.
     */
    private CommitLogIntervals allFlushed() {
      return CommitLogIntervals.of(
          CommitLogPosition.NONE, store.liveSet().flushed().of(services.hostId()));
    }

    /**
     * Returns the intervals in live SSTables. If an SSTable is quarantined, the log may be the only
     * place that has its rows.
     */
    private CommitLogIntervals inSSTables() {
      CommitLogIntervals all = CommitLogIntervals.NONE;
      View view = store.liveSet().acquire();
      try {
        for (SSTable table : view.byFirstKey()) {
          all = all.union(ownIntervals(table));
        }
      } finally {
        view.release();
      }
      return all;
    }

    void apply(PartitionUpdate update, CommitLogPosition position) throws IOException {
      if (flushed.contains(position)) {
        return;
      }
      if (store.memtables().active().encoding() != update.encoding()) {
        seal(update.encoding());
      }
      applyWithRoom(update);
      first = first == null ? position : first;
      last = position;
      applied++;
    }

    /**
     * Applies a change; if memory is short, flushes first, even within a record: one part of it may
     * need more room than all before it have left.
     */
    private void applyWithRoom(PartitionUpdate update) throws IOException {
      try {
        store.memtables().active().apply(update);
      } catch (OutOfBudgetException e) {
        // Only a flush frees memory.
        if (!services.settings().isReadOnly()) {
          flushAll();
        }
        applyAlone(update);
      }
    }

    private void applyAlone(PartitionUpdate update) throws IOException {
      Memtable memtable = store.memtables().active();
      long needed =
          services.budget().limit()
              - services.budget().available()
              + memtable.spaceFor(update)
              + LEAST_SLAB_BYTES
              + MemtablePool.FLUSH_BYTES;
      try {
        memtable.apply(update);
      } catch (OutOfBudgetException e) {
        neededBytes = needed;
        throw e;
      }
    }

    void seal(RowEncoding next) {
      store
          .memory()
          .seal(
              first == null || last == null ? CommitLogIntervals.NONE : replayed(first, last),
              next);
      first = null;
      last = null;
    }

    /**
     * Returns the interval without the record that is being replayed, of which perhaps only a part
     * is applied: after another crash all of it is replayed again.
     */
    private CommitLogIntervals replayed(CommitLogPosition from, CommitLogPosition to) {
      CommitLogPosition end =
          to.equals(present)
              ? new CommitLogPosition(present.segmentId(), present.position() - 1)
              : to;
      return CommitLogIntervals.of(from.compareTo(end) < 0 ? from : end, end);
    }

    void truncate(long generation, CommitLogPosition position) throws IOException {
      if (generation == DROPPED) {
        return;
      }
      if (flushed.contains(position)) {
        // The truncation was done. What has come since, perhaps restored by hand, must stay.
        return;
      }
      applied = 0;
      seal(store.memtables().active().encoding());
      for (TableMemtables.Sealed next = store.memory().oldestSealed();
          next != null;
          next = store.memory().oldestSealed()) {
        store.memory().removeSealed(next);
      }
      // SSTables that a replay has flushed, now or before another crash, have greater generations.
      // If the truncation was done, only these are dropped: all others came later, whatever their
      // generation.
      store
          .liveSet()
          .truncation()
          .dropBelow(
              isUnknown || done.contains(position) ? 0 : generation,
              table ->
                  isBefore(position, ownIntervals(table)) && !kept.contains(table.descriptor()));
    }
  }

  private static boolean isBefore(CommitLogPosition position, CommitLogIntervals intervals) {
    return !intervals.intervals().isEmpty() && intervals.upperBound().compareTo(position) < 0;
  }

  /** Returns which part of this log an SSTable contains. */
  private CommitLogIntervals ownIntervals(SSTable table) {
    StatsMetadata stats = table.statistics().stats();
    return stats.originatingHostId().equals(Optional.of(services.hostId()))
        ? stats.commitLogIntervals()
        : CommitLogIntervals.NONE;
  }

  @Override
  public void segment(long createdMicros) {
    times.readSegment(createdMicros);
  }

  @Override
  public TableReplay table(UUID id, byte[] header) throws IOException {
    Replayed table = tables.get(id);
    if (table == null) {
      return (type, position, bytes, offset, length) -> {
        if (type == RecordType.MUTATION) {
          unknown.computeIfAbsent(id, any -> new LeftOut()).add(position);
        } else {
          // Earlier changes were given up: the table was truncated or dropped.
          unknown.remove(id);
        }
      };
    }
    RowEncoding logged = LoggedTableHeader.decode(header);
    Memtable active = table.store.memtables().active();
    PartitionUpdate view =
        new PartitionUpdate(active.encoding().isSameAs(logged) ? active.encoding() : logged);
    return (type, position, bytes, offset, length) -> {
      begin(position);
      if (type == RecordType.TRUNCATION) {
        table.truncate(truncationLimit(bytes, offset, length), position);
      } else {
        view.wrap(bytes, offset, length, services.partitioner());
        table.store.timestamps().note(times.read(view));
        table.apply(view, position);
      }
    };
  }

  /**
   * Returns the body of a truncation record.
   *
   * @param generation SSTables of lesser generations were dropped
   */
  static byte[] truncation(long generation) {
    byte[] body = new byte[Long.BYTES];
    BigEndian.putLong(body, 0, generation);
    return body;
  }

  private static long truncationLimit(byte[] bytes, int offset, int length) throws IOException {
    if (length != Long.BYTES) {
      throw new IOException("a truncation of " + length + " bytes, expected " + Long.BYTES);
    }
    return BigEndian.getLong(bytes, offset);
  }

  /**
   * Flushes if memory is short. This happens between two records, so that an SSTable contains
   * complete ones.
   */
  private void begin(CommitLogPosition record) throws IOException {
    if (!record.equals(present)) {
      present = record;
      if (services.memory().memtables().isPressed() && !services.settings().isReadOnly()) {
        flushAll();
      }
    }
  }

  private void flushAll() throws IOException {
    for (Replayed table : tables.values()) {
      table.seal(table.store.memtables().active().encoding());
      table.store.flushing.lock();
      try {
        writer.write(table.store);
      } finally {
        table.store.flushing.unlock();
      }
    }
  }

  /**
   * Seals what was replayed, so that it can be flushed; flushes it if the log would otherwise lack
   * memory for its buffer.
   *
   * @param logBytes the size of that buffer
   * @throws OutOfBudgetException if it has to be flushed, and there is no memory for that
   */
  public void end(long logBytes) throws IOException {
    present = CommitLogPosition.NONE;
    if (services.settings().isReadOnly()) {
      return;
    }
    MemoryBudget budget = services.budget();
    if (budget.available() < logBytes + MemtablePool.FLUSH_BYTES) {
      flushAll();
    }
    for (Replayed table : tables.values()) {
      table.seal(table.store.memtables().active().encoding());
    }
  }

  /**
   * Returns the bytes of the budget that were needed to apply the change that was refused memory; 0
   * if none was. If nothing can be flushed, the changes after it need more.
   */
  public long neededBytes() {
    return neededBytes;
  }

  /**
   * Returns what was skipped of each table that does not exist, except for changes before a record
   * that the table was truncated or dropped.
   */
  public Map<UUID, LeftOut> leftOut() {
    return Collections.unmodifiableMap(unknown);
  }

  /** Changes of one table that were skipped. Confined to the thread of the replay. */
  public static final class LeftOut {
    private final SortedSet<Long> segments = new TreeSet<>();
    private long changes;

    private void add(CommitLogPosition position) {
      segments.add(position.segmentId());
      changes++;
    }

    /** Returns the number of changes. */
    public long changes() {
      return changes;
    }

    /** Returns the ids of the segments that contain them, ascending. */
    public SortedSet<Long> segments() {
      return Collections.unmodifiableSortedSet(segments);
    }
  }

  /**
   * Returns the number of changes of partitions that were in no SSTable, and that no later
   * truncation has removed.
   */
  public long applied() {
    return tables.values().stream().mapToLong(table -> table.applied).sum();
  }
}
