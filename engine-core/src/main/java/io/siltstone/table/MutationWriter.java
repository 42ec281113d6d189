package io.siltstone.table;

import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.commitlog.segment.LogTable;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.mutation.UpdateWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes mutations to the commit log and to the memtables, under the locks of the shards of their
 * partitions. Then the caller waits for the sync, without a lock.
 *
 * <p>For example, a put of an entry to a shard:
 *
 * <pre>
 *   wait          for the write throttle, and for memory if memtables are full
 *   lock          the shard
 *   encode        the change, with a timestamp of now
 *   reserve       its memory in the memtable; without it, unlock and begin again
 *   log           append the record to the commit log, unless the table has none
 *   apply         the change to the memtable: readers see it
 *   unlock        the shard
 *   await         the sync, as the sync mode requires
 * </pre>
 *
 * Memory is reserved before the change is logged, so that applying it cannot fail. If it fails all
 * the same, all changes of the database are ended, since log and memtable would differ.
 *
 * <p>A change of a table without {@link io.siltstone.schema.TableOptions#durableWrites} goes
 * through the same steps without being logged. Of a batch that changes tables of both kinds, the
 * record has the part of those that are logged.
 *
 * <p>Safe for all threads. A single change allocates no buffers once those of the shard have grown.
 */
public final class MutationWriter {
  /** Returned by a write that changes nothing. */
  public static final long NOTHING = 0;

  /** Returned by a conditional write whose conditions do not hold. */
  public static final long NOT_WRITTEN = -1;

  /** Returned by a write to tables that have no log: there is no sync to wait for. */
  private static final long NOT_LOGGED = -2;

  private final Services services;
  private final CommitLog log;
  private final Flusher flusher;
  private final Function<Mutation, TableStore> tables;
  private final AutomaticTimestamps timestamps;

  /**
   * @param tables finds the table of a mutation, or throws an {@link IllegalArgumentException}
   */
  public MutationWriter(
      Services services,
      CommitLog log,
      Flusher flusher,
      AutomaticTimestamps timestamps,
      Function<Mutation, TableStore> tables) {
    this.services = services;
    this.log = log;
    this.flusher = flusher;
    this.timestamps = timestamps;
    this.tables = tables;
  }

  /** A write that depends on what is there. */
  @FunctionalInterface
  public interface Decision {
    /**
     * Decides what to write. Called with the lock of the partition's shard held, perhaps more than
     * once.
     *
     * @return the mutation, or null for none
     */
    @Nullable Mutation decide() throws IOException;
  }

  /** The condition of a write. */
  @FunctionalInterface
  public interface Check {
    /**
     * Returns whether to write. Called with the lock of the partition's shard held, perhaps more
     * than once.
     */
    boolean holds() throws IOException;
  }

  /** A change of one partition, in the encoding of the definition. */
  @FunctionalInterface
  private interface Encoded {
    /**
     * Encodes the change. Called with the shard's lock held, perhaps more than once. Null for no
     * change.
     */
    @Nullable PartitionUpdate in(WriteShard shard, TableDefinition definition) throws IOException;
  }

  /** The changes of a batch. */
  @FunctionalInterface
  private interface Encoding {
    /** Returns the changes. Called with the locks of their shards held, perhaps more than once. */
    List<Mutation> mutations() throws IOException;
  }

  /**
   * Returns the maximum size of all changes of one write in bytes, each counted as by {@link
   * LogRecord#partBytes}.
   */
  public int maxRecordBytes() {
    return log.maxRecordBytes();
  }

  /**
   * Writes a mutation to the table that it was made for.
   *
   * @return the log's position, to wait for by {@link #awaitSynced}
   */
  public long write(Mutation mutation) throws IOException {
    return mutation.isEmpty() ? NOTHING : write(tables.apply(mutation), mutation);
  }

  /**
   * Writes a mutation to a table.
   *
   * @throws IllegalStateException if it was dropped
   */
  public long write(TableStore store, Mutation mutation) throws IOException {
    return mutation.isEmpty() ? NOTHING : writeIf(store, mutation, () -> mutation);
  }

  /**
   * Writes the mutation that a decision returns; no other write to the partition can come between
   * the two.
   *
   * @param key a mutation of that partition, which identifies it
   * @return the log's position, or {@link #NOT_WRITTEN} if the decision was not to write
   * @throws IllegalStateException if the table was dropped
   */
  public long writeIf(TableStore store, Mutation key, Decision decision) throws IOException {
    return write(
        store,
        store.shardOf(MutationFactory.keyOf(key)),
        (shard, definition) -> {
          Mutation mutation = decision.decide();
          if (mutation == null) {
            return null;
          }
          PartitionUpdate view = shard.view(definition);
          MutationFactory.wrap(definition.mutations().adapt(mutation), view);
          return view;
        });
  }

  /**
   * Writes a put or a deletion of an entry.
   *
   * @param index of the partition's shard
   * @return the log's position
   * @throws IllegalStateException if the table was altered so that it is no key-value table
   */
  public long write(TableStore store, int index, ValueChange change) throws IOException {
    return write(
        store, index, (shard, definition) -> encode(store, index, shard, definition, change));
  }

  /**
   * Writes a put or a deletion of an entry if a check holds; no other write to the partition can
   * come between the two.
   *
   * @return the log's position, or {@link #NOT_WRITTEN} if it does not hold
   */
  public long writeIf(TableStore store, int index, Check check, ValueChange change)
      throws IOException {
    return write(
        store,
        index,
        (shard, definition) ->
            check.holds() ? encode(store, index, shard, definition, change) : null);
  }

  private PartitionUpdate encode(
      TableStore store,
      int index,
      WriteShard shard,
      TableDefinition definition,
      ValueChange change) {
    UpdateWriter writer = shard.writer(definition, services.partitioner());
    encode(store, index, definition, change, writer);
    return writer.update();
  }

  /**
   * Encodes a change with a timestamp of now. The caller holds the shard's lock; for a range of
   * keys those of all shards.
   */
  private void encode(
      TableStore store,
      int index,
      TableDefinition definition,
      ValueChange change,
      UpdateWriter writer) {
    String violation = definition.keyValueViolation();
    if (violation != null) {
      throw new IllegalStateException(store + " was altered: " + violation);
    }
    change.encode(
        writer,
        change.isOfRange() ? store.timestamps().nextOfAll() : store.timestamps().next(index),
        definition.schema().options().defaultTimeToLive(),
        services.clock());
  }

  private long write(TableStore store, int index, Encoded change) throws IOException {
    long startedAt = System.nanoTime();
    long position = writeWithRoom(store, index, change);
    if (position > NOTHING || position == NOT_LOGGED) {
      store.countWrite(System.nanoTime() - startedAt, 1);
    }
    return position;
  }

  private long writeWithRoom(TableStore store, int index, Encoded change) throws IOException {
    MemtablePool.@Nullable Wait wait = null;
    try {
      while (true) {
        awaitPace(store);
        awaitRoom(store, wait);
        WriteShard shard = store.shards().lock(index);
        long space = 0;
        try {
          requireWritable(store);
          TableDefinition definition = store.definition();
          PartitionUpdate update = change.in(shard, definition);
          if (update == null) {
            return NOT_WRITTEN;
          }
          if (update.isEmpty()) {
            return NOTHING;
          }
          LogRecord record = shard.record().begin(RecordType.MUTATION);
          record.add(logTable(definition), update.bytes(), update.from(), update.length());
          // Checked before memory is reserved, which the memtable keeps.
          log.requireFits(record);
          timestamps.cover();
          Memtable memtable = store.memtables().active();
          space = memtable.spaceFor(update);
          memtable.reserve(memtable.shardOf(index), space);
          long position = definition.isLogged() ? log.append(record) : NOT_LOGGED;
          apply(store, index, memtable, update, true);
          return position;
        } catch (OutOfBudgetException e) {
          services.memory().memtables().requirePossible(Memtable.leastBytes(space));
          wait = services.memory().memtables().refused(wait, e, shortfall(store, index, space));
        } finally {
          shard.unlockAndNotify();
          services.health().notifyListener();
        }
      }
    } finally {
      end(wait);
    }
  }

  private static long shortfall(TableStore store, int index, long space) {
    if (space == 0) {
      return 0;
    }
    Memtable memtable = store.memtables().active();
    return memtable.shortfall(memtable.shardOf(index), space);
  }

  private static void end(MemtablePool.@Nullable Wait wait) {
    if (wait != null) {
      wait.close();
    }
  }

  /**
   * Writes mutations as one record, so that after a crash all of them are there or none.
   *
   * @return the log's position
   */
  public long write(List<Mutation> mutations) throws IOException {
    if (mutations.size() == 1) {
      return write(mutations.get(0));
    }
    // Several locks are always taken in the same order.
    BatchShards shards = new BatchShards();
    for (Mutation mutation : mutations) {
      if (!mutation.isEmpty()) {
        TableStore store = tables.apply(mutation);
        shards.add(store, store.shardOf(MutationFactory.keyOf(mutation)));
      }
    }
    return shards.isEmpty() ? NOTHING : write(shards, () -> mutations);
  }

  /**
   * Writes puts and deletions of entries and ranges as one record. Their timestamps are assigned
   * with the locks of all their shards held, so that of two batches the later one wins throughout.
   *
   * @return the log's position
   * @throws IllegalStateException if a table was dropped, or is no key-value table any more
   */
  public long write(ValueBatch batch) throws IOException {
    return batch.isEmpty() ? NOTHING : write(batch.targets(), () -> mutations(batch));
  }

  private List<Mutation> mutations(ValueBatch batch) {
    List<Mutation> mutations = new ArrayList<>(batch.size());
    batch.forEach(
        (store, index, change) -> {
          TableDefinition definition = store.definition();
          mutations.add(
              definition
                  .mutations()
                  .encode(writer -> encode(store, index, definition, change, writer)));
        });
    return mutations;
  }

  private long write(BatchShards shards, Encoding made) throws IOException {
    long startedAt = System.nanoTime();
    long position = writeWithRoom(shards, made);
    shards.countWrites(System.nanoTime() - startedAt);
    return position;
  }

  private long writeWithRoom(BatchShards shards, Encoding made) throws IOException {
    MemtablePool.@Nullable Wait wait = null;
    try {
      while (true) {
        for (TableStore store : shards.tables()) {
          awaitPace(store);
        }
        awaitRoom(shards.first(), wait);
        OrderedLocks locks = shards.lock();
        try {
          for (TableStore store : shards.tables()) {
            requireWritable(store);
          }
          shards.clearSizes();
          return writeLocked(made.mutations(), shards);
        } catch (OutOfBudgetException e) {
          services.memory().memtables().requirePossible(shards.leastBytes());
          wait = services.memory().memtables().refused(wait, e, shards.shortfall());
        } finally {
          locks.unlock();
          services.health().notifyListener();
        }
      }
    } finally {
      end(wait);
    }
  }

  private long writeLocked(List<Mutation> mutations, BatchShards shards) throws IOException {
    LogRecord all = new LogRecord().begin(RecordType.MUTATION);
    boolean isAllLogged = true;
    PartitionUpdate[] views = new PartitionUpdate[mutations.size()];
    BatchShards.Shard[] targets = new BatchShards.Shard[mutations.size()];
    for (int i = 0; i < views.length; i++) {
      Mutation mutation = mutations.get(i);
      if (mutation.isEmpty()) {
        continue;
      }
      TableStore store = tables.apply(mutation);
      TableDefinition definition = store.definition();
      PartitionUpdate view = new PartitionUpdate(definition.encoding());
      MutationFactory.wrap(definition.mutations().adapt(mutation), view);
      targets[i] = shards.addSize(store, store.shardOf(MutationFactory.keyOf(mutation)), view);
      all.add(logTable(definition), view.bytes(), view.from(), view.length());
      isAllLogged &= definition.isLogged();
      views[i] = view;
    }
    log.requireFits(all);
    timestamps.cover();
    shards.reserve(services.memory().memtables());
    LogRecord logged = isAllLogged ? all : loggedPart(views, targets);
    long position = logged.parts() > 0 ? log.append(logged) : NOT_LOGGED;
    for (int i = 0; i < views.length; i++) {
      if (views[i] != null) {
        BatchShards.Shard target = targets[i];
        apply(target.store(), target.index(), target.memtable(), views[i], false);
      }
    }
    return position;
  }

  /** Returns the record of those changes of a batch whose tables have a log. */
  private static LogRecord loggedPart(
      @Nullable PartitionUpdate[] views, BatchShards.Shard[] targets) {
    LogRecord record = new LogRecord().begin(RecordType.MUTATION);
    for (int i = 0; i < views.length; i++) {
      PartitionUpdate view = views[i];
      if (view != null && targets[i].store().definition().isLogged()) {
        record.add(
            logTable(targets[i].store().definition()), view.bytes(), view.from(), view.length());
      }
    }
    return record;
  }

  private static LogTable logTable(TableDefinition definition) {
    return Objects.requireNonNull(definition.log(), "not open for writing");
  }

  /**
   * Checked with the lock held: what failed while this thread waited for it may have changed the
   * table on disk.
   */
  private void requireWritable(TableStore store) throws IOException {
    services.health().requireGood();
    if (store.isDropped()) {
      throw new IllegalStateException(store + " was dropped");
    }
  }

  private void awaitPace(TableStore store) throws IOException {
    services.health().requireGood();
    store.pace().await();
  }

  private void awaitRoom(TableStore store, MemtablePool.@Nullable Wait wait) throws IOException {
    MemtablePool space = services.memory().memtables();
    if (space.isTaken() && !flusher.isFlushingHere()) {
      space.awaitTurn(wait);
    }
    // The pool can be full without being pressed, if all of it is being flushed.
    boolean isFlushComing = false;
    if (wait != null || space.isPressed() || space.isFull()) {
      isFlushComing = flusher.relieve();
      if (wait != null) {
        if (flusher.isFlushingHere()) {
          throw wait.cause();
        }
        wait.await(store.id(), flusher::relieveAll);
      } else if (space.isFull() && !flusher.isFlushingHere()) {
        space.awaitRoom(store.id(), flusher::relieveFull);
      }
    }
    if (wait == null && space.isAhead(isFlushComing) && !flusher.isFlushingHere()) {
      space.pace(store.id());
    }
  }

  /**
   * Applies a change that was logged, if its table is. If that fails, log and memtable differ, or
   * the memtables of a batch, and all changes are ended; the caller notifies the listener after the
   * locks are released.
   *
   * @param isInspected see {@link Memtable#apply(PartitionUpdate, boolean)}
   */
  private void apply(
      TableStore store, int index, Memtable memtable, PartitionUpdate view, boolean isInspected)
      throws IOException {
    try {
      memtable.apply(view, isInspected);
      store.timestamps().wrote(index, memtable);
      store.pace().wrote(view.length());
    } catch (IOException | RuntimeException | Error e) {
      services.health().failUntold("A change of %s was accepted, but not applied", store, e);
      throw e;
    }
  }

  /**
   * Waits until a write is as durable as the sync mode of the log promises.
   *
   * @param position that the write returned
   */
  public void awaitSynced(long position) throws IOException {
    log.awaitSynced(position);
  }

  /** Returns a stage that completes as {@link #awaitSynced} returns. */
  public CompletionStage<Void> synced(long position) {
    return position <= NOTHING ? CompletableFuture.completedStage(null) : log.synced(position);
  }
}
