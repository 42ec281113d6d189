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
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes mutations: to the commit log and to the memtables, under the locks of the shards that
 * their partitions are in; waiting for the sync is left to the caller, who holds no lock then.
 *
 * <p>A write is first given the memory that it needs, then logged, then applied, which cannot fail
 * any more. Safe for all threads.
 */
public final class MutationWriter {
  /** What a write that changes nothing returns. */
  static final long NOTHING = 0;

  /** What a conditional write returns whose conditions do not hold. */
  public static final long NOT_WRITTEN = -1;

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

  /** A change that depends on what is there. */
  @FunctionalInterface
  public interface Decision {
    /**
     * Is asked with the lock of the partition's shard held, perhaps more than once.
     *
     * @return what to write, or null for nothing
     */
    @Nullable Mutation decide() throws IOException;
  }

  /** What must hold for a change to be written. */
  @FunctionalInterface
  interface Check {
    /** Is asked with the lock of the partition's shard held, perhaps more than once. */
    boolean holds() throws IOException;
  }

  /** A change of one partition, in the encoding of the definition. */
  @FunctionalInterface
  private interface Encoded {
    /** Is asked with the shard's lock held, perhaps more than once. Null for no change. */
    @Nullable PartitionUpdate in(WriteShard shard, TableDefinition definition) throws IOException;
  }

  /** Bytes of all changes of one write at most, each as {@link LogRecord#partBytes} counts it. */
  int maxRecordBytes() {
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
   * Writes what a decision gives for a partition, so that nobody else writes to it meanwhile.
   *
   * @param key a mutation of that partition, from which it is known
   * @return the log's position, or {@link #NOT_WRITTEN} if the decision was not to
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
   * Writes a change of one partition that is encoded where it is needed, without a mutation.
   *
   * @param index of the partition's shard
   * @param content writes the change, with timestamps; called with the shard's lock held, perhaps
   *     more than once
   * @return the log's position
   */
  long write(TableStore store, int index, Consumer<UpdateWriter> content) throws IOException {
    return write(
        store,
        index,
        (shard, definition) -> {
          UpdateWriter writer = shard.writer(definition, services.partitioner());
          content.accept(writer);
          return writer.update();
        });
  }

  /**
   * Writes a change of one partition if a check holds; no other write to the partition can come
   * between the two.
   *
   * @return the log's position, or {@link #NOT_WRITTEN} if it does not hold
   */
  long writeIf(TableStore store, int index, Check check, Consumer<UpdateWriter> content)
      throws IOException {
    return write(
        store,
        index,
        (shard, definition) -> {
          if (!check.holds()) {
            return null;
          }
          UpdateWriter writer = shard.writer(definition, services.partitioner());
          content.accept(writer);
          return writer.update();
        });
  }

  private long write(TableStore store, int index, Encoded change) throws IOException {
    long startedAt = System.nanoTime();
    long position = writeWithRoom(store, index, change);
    if (position > NOTHING) {
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
        WriteShard shard = store.shard(index);
        long space = 0;
        shard.lock.lock();
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
          LogRecord record = shard.record.begin(RecordType.MUTATION);
          record.add(logTable(definition), update.bytes(), update.from(), update.length());
          // First, because a memtable keeps what it has reserved.
          log.requireFits(record);
          timestamps.cover();
          Memtable memtable = store.memtables().active();
          space = memtable.spaceFor(update);
          memtable.reserve(index, space);
          long position = log.append(record);
          apply(store, index, memtable, update);
          return position;
        } catch (OutOfBudgetException e) {
          services.space().requirePossible(Memtable.leastBytes(space));
          wait =
              services
                  .space()
                  .refused(
                      wait, e, space == 0 ? 0 : store.memtables().active().shortfall(index, space));
        } finally {
          shard.unlockAndTell();
          services.health().tell();
        }
      }
    } finally {
      end(wait);
    }
  }

  private static void end(MemtablePool.@Nullable Wait wait) {
    if (wait != null) {
      wait.close();
    }
  }

  /** Writes mutations as one record, so that after a crash all are there or none. */
  public long write(List<Mutation> mutations) throws IOException {
    if (mutations.size() == 1) {
      return write(mutations.get(0));
    }
    // Locks are taken in one order, by whoever takes several.
    Map<Place, Share> places = new TreeMap<>();
    for (Mutation mutation : mutations) {
      if (!mutation.isEmpty()) {
        TableStore store = tables.apply(mutation);
        places.put(new Place(store, store.shardOf(MutationFactory.keyOf(mutation))), new Share());
      }
    }
    return places.isEmpty() ? NOTHING : write(places, () -> mutations);
  }

  /**
   * Writes mutations of one table that are made when nobody else writes to their partitions: so
   * that of two writes the later one has later timestamps throughout.
   *
   * @param shards of all their partitions
   * @param made gives them; called with the shards' locks held, perhaps more than once
   * @throws IllegalStateException if the table was dropped
   */
  long write(TableStore store, BitSet shards, Supplier<List<Mutation>> made) throws IOException {
    Map<Place, Share> places = new TreeMap<>();
    shards.stream().forEach(index -> places.put(new Place(store, index), new Share()));
    return write(places, made);
  }

  private long write(Map<Place, Share> places, Supplier<List<Mutation>> made) throws IOException {
    long startedAt = System.nanoTime();
    long position = writeWithRoom(places, made);
    long nanos = System.nanoTime() - startedAt;
    countWrites(places, nanos);
    return position;
  }

  /** Counts a batch once in each table; those of one table follow each other. */
  private static void countWrites(Map<Place, Share> places, long nanos) {
    TableStore store = null;
    int mutations = 0;
    for (Map.Entry<Place, Share> entry : places.entrySet()) {
      TableStore next = entry.getKey().store;
      if (store != null && next != store && mutations > 0) {
        store.countWrite(nanos, mutations);
        mutations = 0;
      }
      store = next;
      mutations += entry.getValue().mutations;
    }
    if (store != null && mutations > 0) {
      store.countWrite(nanos, mutations);
    }
  }

  private long writeWithRoom(Map<Place, Share> places, Supplier<List<Mutation>> made)
      throws IOException {
    TableStore first = places.keySet().iterator().next().store;
    OrderedLocks locks =
        new OrderedLocks(places.keySet().stream().map(place -> place.shard().lock).toList());
    MemtablePool.@Nullable Wait wait = null;
    try {
      while (true) {
        for (Place place : places.keySet()) {
          awaitPace(place.store);
        }
        awaitRoom(first, wait);
        locks.lock();
        try {
          for (Place place : places.keySet()) {
            requireWritable(place.store);
          }
          places.values().forEach(Share::clear);
          return writeLocked(made.get(), places);
        } catch (OutOfBudgetException e) {
          services.space().requirePossible(leastBytes(places));
          wait = services.space().refused(wait, e, shortfall(places));
        } finally {
          locks.unlock();
          services.health().tell();
        }
      }
    } finally {
      end(wait);
    }
  }

  private long writeLocked(List<Mutation> mutations, Map<Place, Share> places) throws IOException {
    LogRecord record = new LogRecord();
    record.begin(RecordType.MUTATION);
    PartitionUpdate[] views = new PartitionUpdate[mutations.size()];
    Place[] targets = new Place[mutations.size()];
    for (int i = 0; i < views.length; i++) {
      Mutation mutation = mutations.get(i);
      if (mutation.isEmpty()) {
        continue;
      }
      TableStore store = tables.apply(mutation);
      TableDefinition definition = store.definition();
      Place target = new Place(store, store.shardOf(MutationFactory.keyOf(mutation)));
      PartitionUpdate view = new PartitionUpdate(definition.encoding());
      MutationFactory.wrap(definition.mutations().adapt(mutation), view);
      Objects.requireNonNull(places.get(target)).add(store.memtables().active().spaceFor(view));
      record.add(logTable(definition), view.bytes(), view.from(), view.length());
      views[i] = view;
      targets[i] = target;
    }
    log.requireFits(record);
    timestamps.cover();
    reserve(places);
    long position = log.append(record);
    for (int i = 0; i < views.length; i++) {
      if (views[i] != null) {
        apply(targets[i].store, targets[i].index, targets[i].memtable(), views[i]);
      }
    }
    return position;
  }

  /**
   * Reserves the memory for all of a batch, or none of it. What is missing is looked at as a whole
   * first: a batch that took it shard by shard would be refused by what it had taken itself.
   */
  private void reserve(Map<Place, Share> places) {
    long missing = shortfall(places);
    if (missing > 0) {
      services.space().requireFree(missing);
    }
    List<Place> reserved = new ArrayList<>(places.size());
    try {
      places.forEach(
          (place, share) -> {
            place.memtable().reserve(place.index, share.bytes);
            reserved.add(place);
          });
    } catch (RuntimeException | Error e) {
      // Others have taken it meanwhile. No flush gives back what a shard without rows keeps.
      reserved.forEach(place -> place.memtable().unreserve(place.index));
      throw e;
    }
  }

  /** Returns how many bytes of the budget a batch is about to take. */
  private static long shortfall(Map<Place, Share> places) {
    long sum = 0;
    for (Map.Entry<Place, Share> entry : places.entrySet()) {
      Place place = entry.getKey();
      sum += place.memtable().shortfall(place.index, entry.getValue().bytes);
    }
    return sum;
  }

  /** Returns how many bytes of the budget empty memtables would take for a batch at least. */
  private static long leastBytes(Map<Place, Share> places) {
    long sum = 0;
    for (Share share : places.values()) {
      sum += Memtable.leastBytes(share.bytes);
    }
    return sum;
  }

  /** What a batch writes to one shard. */
  private static final class Share {
    private int mutations;
    private long bytes;

    void clear() {
      mutations = 0;
      bytes = 0;
    }

    void add(long more) {
      mutations++;
      bytes += more;
    }
  }

  /** A shard of a table. */
  private record Place(TableStore store, int index) implements Comparable<Place> {
    WriteShard shard() {
      return store.shard(index);
    }

    Memtable memtable() {
      return store.memtables().active();
    }

    @Override
    public int compareTo(Place other) {
      int order = store.id().id().compareTo(other.store.id().id());
      return order != 0 ? order : Integer.compare(index, other.index);
    }
  }

  private static LogTable logTable(TableDefinition definition) {
    return Objects.requireNonNull(definition.log(), "not open for writing");
  }

  /** What failed while the shard's lock was waited for may have changed the table on disk. */
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
    MemtablePool space = services.space();
    if (space.isTaken() && !flusher.isFlushingHere()) {
      space.awaitTurn(wait);
    }
    // Full without being pressed: of memtables that are to be flushed alone.
    if (wait != null || space.isPressed() || space.isFull()) {
      flusher.relieve();
      if (wait != null) {
        if (flusher.isFlushingHere()) {
          throw wait.cause();
        }
        wait.await(store.id(), flusher::relieveAll);
      } else if (space.isFull() && !flusher.isFlushingHere()) {
        space.awaitRoom(store.id(), flusher::relieveFull);
      }
    }
  }

  /**
   * What was logged must be in memory; if it is not, the two would drift apart. Its caller tells of
   * a failure when the locks are free.
   */
  private void apply(TableStore store, int index, Memtable memtable, PartitionUpdate view)
      throws IOException {
    try {
      memtable.apply(view);
      store.wrote(index, memtable);
      store.pace().wrote(view.length());
    } catch (IOException | RuntimeException | Error e) {
      services.health().failUntold("A change of %s was logged, but not applied", store, e);
      throw e;
    }
  }

  /**
   * Waits until what was written is as durable as the sync mode of the log promises.
   *
   * @param position what a write returned
   */
  public void awaitSynced(long position) throws IOException {
    log.awaitSynced(position);
  }

  /** As {@link #awaitSynced}, without waiting. */
  public CompletionStage<Void> synced(long position) {
    return position <= NOTHING ? CompletableFuture.completedStage(null) : log.synced(position);
  }
}
