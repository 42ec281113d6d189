package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.host.StoreTable;
import io.siltstone.kafka.streams.internals.Restoring;
import io.siltstone.kafka.streams.table.StateCursor;
import io.siltstone.kafka.streams.table.StateTable;
import io.siltstone.kafka.streams.table.StoreState;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.query.Position;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open state store without its kind: reads, changes and commits of its table, its offsets and
 * its position. {@link StoreFailure} has the exceptions.
 *
 * <p><b>Commit.</b> Entries, offsets and position are one record. If the store is transactional,
 * its changes are staged until then, so that the table never has more than the changelog. Otherwise
 * the state gets a mark before the first change, which is removed when the store is closed: under
 * exactly-once a store that has it is refused with a {@link TaskCorruptedException}, upon which
 * Kafka wipes the task and restores it. The mark stays until then, so that a second opening is
 * refused as well. Nothing is written by a store that does not change, as when an application
 * begins and Kafka opens all stores to learn their offsets.
 *
 * <p>Changed by the thread of its task only; read by all threads. Source: RocksDBStore and
 * AbstractColumnFamilyAccessor of Kafka 4.4.
 */
final class OpenStore {
  private static final Logger LOG = LoggerFactory.getLogger(OpenStore.class);

  private static final long RESTORE_CHECK_SECONDS = 10;

  private final String name;
  private final StateStoreContext context;
  private final TaskId task;
  private final Settings settings;
  private final StoreTable handle;
  private final StateTable table;
  // The thread that opened the store, and the one that changed it last: those of its task.
  private final Thread opener = Thread.currentThread();
  private volatile Thread worker = opener;
  private final Set<StateCursor> cursors = ConcurrentHashMap.newKeySet();
  private volatile boolean isOpen = true;

  // Guarded by the committed position, which queries lock.
  private final Position committed;
  private Position pending = Position.emptyPosition();
  private Map<TopicPartition, Long> offsets;
  private long streamTime;
  private long committedStreamTime;
  // Whether the table has the mark of a store that is open.
  private boolean isMarked;
  // Since the last commit: changes, and records that were restored.
  private boolean isChanged;
  private boolean isRestored;

  private OpenStore(
      String name,
      StateStoreContext context,
      Settings settings,
      StoreTable handle,
      StateTable table,
      StoreState state) {
    this.name = name;
    this.context = context;
    this.task = context.taskId();
    this.settings = settings;
    this.handle = handle;
    this.table = table;
    committed = state.position();
    offsets = state.offsets();
    streamTime = state.streamTime();
    committedStreamTime = streamTime;
    isMarked = state.isOpen() && !settings.isTransactional();
  }

  /**
   * Opens a store. A global store that may contain more than its topic, or is damaged, begins with
   * an empty table.
   *
   * @throws TaskCorruptedException if it may contain more than its changelog, or is damaged
   * @throws ProcessorStateException if it cannot be opened
   */
  static OpenStore open(String name, String format, StoreTables tables, StateStoreContext context) {
    Settings settings = Settings.of(context);
    try {
      return openTable(name, format, tables, context, settings);
    } catch (TaskCorruptedException e) {
      if (!settings.isGlobal()) {
        throw e;
      }
      // Kafka wipes tasks, and no task has this store.
      LOG.warn("global store {} is restored as a whole", name, e);
      return openTable(name, format, tables, context, settings);
    }
  }

  private static OpenStore openTable(
      String name,
      String format,
      StoreTables tables,
      StateStoreContext context,
      Settings settings) {
    StoreTable handle;
    try {
      handle = tables.open(context, name, format);
    } catch (IOException | RuntimeException e) {
      throw new ProcessorStateException("store " + name + " cannot be opened", e);
    }
    try {
      StateTable table =
          new StateTable(
              handle.database(), handle.entries(), settings.isTransactional(), handle.restores());
      StoreState state = table.state();
      if (state.isOpen() && settings.isExactlyOnce()) {
        if (settings.isGlobal()) {
          handle.giveUp();
        }
        throw new TaskCorruptedException(
            Set.of(context.taskId()),
            new ProcessorStateException(
                "store "
                    + name
                    + " was not closed, and may contain changes that were not committed; under"
                    + " exactly-once it has to be restored"));
      }
      if (settings.isTransactional() && state.isOpen()) {
        table.commit(state.withOpen(false));
      }
      OpenStore opened = new OpenStore(name, context, settings, handle, table, state);
      handle.repeat(opened::endSlowRestore, RESTORE_CHECK_SECONDS);
      return opened;
    } catch (Throwable e) {
      RuntimeException thrown =
          new StoreFailure(name, context.taskId(), handle).toThrow(true, "opened", e);
      try {
        handle.close();
      } catch (IOException | RuntimeException also) {
        thrown.addSuppressed(also);
      }
      throw thrown;
    }
  }

  private RuntimeException failed(String what, Throwable e) {
    if (!isOpen) {
      InvalidStateStoreException closed = closed();
      closed.addSuppressed(e);
      return closed;
    }
    Thread present = Thread.currentThread();
    return new StoreFailure(name, task, handle)
        .toThrow(present == worker || present == opener, what, e);
  }

  private InvalidStateStoreException closed() {
    return new InvalidStateStoreException("Store " + name + " is currently closed");
  }

  void requireOpen() {
    if (!isOpen) {
      throw closed();
    }
  }

  boolean isOpen() {
    return isOpen;
  }

  StateStoreContext context() {
    return context;
  }

  Settings settings() {
    return settings;
  }

  StoreTable handle() {
    return handle;
  }

  // Reads.

  byte @Nullable [] get(byte[] key, boolean committedOnly) {
    requireOpen();
    try {
      return table.get(key, committedOnly);
    } catch (IOException | RuntimeException e) {
      throw failed("read", e);
    }
  }

  /** Returns a cursor, to be closed by the caller, or with the store. */
  StateCursor cursor(
      byte @Nullable [] from,
      byte @Nullable [] to,
      boolean toInclusive,
      boolean forward,
      boolean committedOnly) {
    requireOpen();
    try {
      StateCursor cursor = table.cursor(from, to, toInclusive, forward, committedOnly);
      cursors.add(cursor);
      if (!isOpen) {
        // The close may not have seen it.
        close(cursor);
        throw closed();
      }
      return cursor;
    } catch (IOException | RuntimeException e) {
      throw failed("read", e);
    }
  }

  boolean next(StateCursor cursor) {
    requireOpen();
    try {
      return cursor.next();
    } catch (IOException | RuntimeException e) {
      throw failed("read", e);
    }
  }

  void seek(StateCursor cursor, byte[] key) {
    requireOpen();
    try {
      cursor.seek(key);
    } catch (IOException | RuntimeException e) {
      throw failed("read", e);
    }
  }

  void close(StateCursor cursor) {
    cursors.remove(cursor);
    try {
      cursor.close();
    } catch (IOException | RuntimeException e) {
      throw failed("read", e);
    }
  }

  long estimatedEntries() {
    requireOpen();
    try {
      return table.estimatedEntries();
    } catch (IOException | RuntimeException e) {
      throw failed("read", e);
    }
  }

  long uncommittedBytes() {
    return isOpen ? table.uncommittedBytes() : 0;
  }

  // Changes.

  /** A change of the table. */
  @FunctionalInterface
  interface Change {
    void make(StateTable table) throws IOException;
  }

  /** Changes the table, by a record of the input that is being processed. */
  void change(Change change) {
    requireOpen();
    worker = Thread.currentThread();
    synchronized (committed) {
      isChanged = true;
      try {
        if (!isMarked && !settings.isTransactional()) {
          table.commit(new StoreState(true, committedStreamTime, offsets, committed));
          isMarked = true;
        }
        change.make(table);
      } catch (IOException | RuntimeException e) {
        throw failed("written", e);
      }
      Position position = settings.isTransactional() ? pending : committed;
      context
          .recordMetadata()
          .ifPresent(
              record -> {
                if (record.topic() != null) {
                  position.withComponent(record.topic(), record.partition(), record.offset());
                }
              });
    }
  }

  /** Restores a record of the changelog. */
  @FunctionalInterface
  interface RestoredRecord {
    void restore(ConsumerRecord<byte[], byte[]> record, StateTable.Restore into) throws IOException;
  }

  /** Ends a restore of several records. */
  @FunctionalInterface
  interface RestoreEnd {
    void end(StateTable.Restore into) throws IOException;
  }

  /** Takes records of the changelog into the table. */
  void restore(
      Iterable<ConsumerRecord<byte[], byte[]>> records, RestoredRecord each, RestoreEnd end) {
    requireOpen();
    // Kafka restores by another thread than the one that opens stores.
    worker = Thread.currentThread();
    synchronized (committed) {
      isRestored = true;
      try {
        StateTable.Restore restore = table.restore();
        Position restored = committed.copy();
        for (ConsumerRecord<byte[], byte[]> record : records) {
          if (settings.hasPositions()) {
            Restoring.mergePosition(record, restored);
          }
          each.restore(record, restore);
        }
        end.end(restore);
        committed.merge(restored);
      } catch (IOException | RuntimeException e) {
        throw failed("restored", e);
      }
    }
  }

  private void endSlowRestore() {
    try {
      table.endSlowRestore();
    } catch (IOException | RuntimeException e) {
      // The next commit, read or restored record fails as well, where Kafka can be told.
      LOG.warn("a restore of store {} of task {} failed", name, task, e);
    }
  }

  /** Observes a timestamp; returns the greatest that was observed. */
  long observe(long timestamp) {
    synchronized (committed) {
      streamTime = Math.max(streamTime, timestamp);
      return streamTime;
    }
  }

  long streamTime() {
    synchronized (committed) {
      return streamTime;
    }
  }

  /** Returns what {@link #streamTime} was at the last commit. */
  long committedStreamTime() {
    synchronized (committed) {
      return committedStreamTime;
    }
  }

  // Offsets and position.

  void commit(Map<TopicPartition, Long> changed) {
    requireOpen();
    worker = Thread.currentThread();
    synchronized (committed) {
      Map<TopicPartition, Long> next = new HashMap<>();
      // An empty map says that all offsets are to be forgotten, a null that one is.
      if (!changed.isEmpty()) {
        next.putAll(offsets);
        changed.forEach(
            (partition, offset) -> {
              if (offset == null) {
                next.remove(partition);
              } else {
                next.put(partition, offset);
              }
            });
      }
      boolean isNew = isChanged || isRestored || streamTime != committedStreamTime;
      if (!isNew && next.equals(offsets)) {
        return; // The table has it already.
      }
      Position position = committed.copy().merge(pending);
      try {
        table.commit(new StoreState(isMarked, streamTime, next, position));
      } catch (IOException | RuntimeException e) {
        throw failed("committed", e);
      }
      offsets = next;
      committedStreamTime = streamTime;
      isChanged = false;
      isRestored = false;
      committed.merge(pending);
      pending = Position.emptyPosition();
    }
    handle.committed();
  }

  @Nullable Long committedOffset(TopicPartition partition) {
    requireOpen();
    synchronized (committed) {
      return offsets.get(partition);
    }
  }

  /** Returns a copy of the position. */
  Position position(boolean committedOnly) {
    synchronized (committed) {
      Position position = committed.copy();
      return committedOnly ? position : position.merge(pending);
    }
  }

  /** Closes the cursors, marks the store as closed, and ends the use of its table. */
  void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    Exception failure = null;
    for (StateCursor cursor : cursors) {
      try {
        cursor.close();
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
    }
    synchronized (committed) {
      try {
        table.endRestore();
      } catch (IOException | RuntimeException e) {
        // No offsets of it are written, so that it is repeated.
        LOG.warn("a restore of store {} of task {} failed", name, task, e);
      }
      table.close();
      // Under exactly-once a close without a commit is one after a failure, upon which Kafka wipes
      // the store; if it dies before it does, the mark tells the next opening.
      boolean isWritten = isMarked || isRestored;
      if (isWritten && !settings.isTransactional() && !(settings.isExactlyOnce() && isChanged)) {
        try {
          table.commit(new StoreState(false, streamTime, offsets, committed));
        } catch (IOException | RuntimeException e) {
          // The mark stays, so that the store is restored under exactly-once.
          LOG.warn("store {} of task {} could not be marked as closed", name, task, e);
        }
      }
    }
    try {
      handle.close();
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    if (failure != null) {
      throw new ProcessorStateException("store " + name + " could not be closed", failure);
    }
  }
}
