package io.siltstone.table;

import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.SSTable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks the greatest timestamps of a table, and assigns greater ones to the writes of a key-value
 * store, so that of two writes to a key the later one wins, whatever the clock says.
 *
 * <p>Safe for all threads, if each method is called with the locks that it names.
 */
final class TableTimestamps {
  /**
   * The greatest timestamp after which a key-value store has more timestamps left than it can have
   * writes.
   */
  static final long LAST_USABLE = Long.MAX_VALUE - (1L << 52);

  private final TableId id;
  private final WriteShard[] shards;
  private final WriteClock clock;
  private final AtomicLong newest = new AtomicLong(DeletionTime.NO_TIMESTAMP);

  TableTimestamps(TableId id, WriteShard[] shards, WriteClock clock) {
    this.id = id;
    this.shards = shards;
    this.clock = clock;
  }

  /** Notes a timestamp of data of SSTables or of the commit log. */
  void note(long micros) {
    newest.accumulateAndGet(micros, Math::max);
  }

  /** Notes the timestamps of all SSTables, and of deletions of ranges of keys. */
  void noteAll(LiveSet liveSet) {
    note(liveSet.keyRanges().newestTimestamp());
    View view = liveSet.acquire();
    try {
      for (SSTable table : view.byFirstKey()) {
        note(table.statistics().stats().maxTimestamp());
      }
    } finally {
      view.release();
    }
  }

  /** Returns the greatest timestamp that was noted; {@link DeletionTime#NO_TIMESTAMP} for none. */
  long newestNoted() {
    return newest.get();
  }

  /** Notes the timestamps of what was applied to a shard. The caller holds its lock. */
  void wrote(int index, Memtable memtable) {
    WriteShard shard = shards[index];
    shard.newestTimestamp =
        Math.max(shard.newestTimestamp, memtable.maxTimestamp(memtable.shardOf(index)));
  }

  /**
   * Returns the greatest timestamp that was noted or written; {@link DeletionTime#NO_TIMESTAMP} for
   * none. The caller holds the locks of all shards.
   */
  long newestOfAll() {
    long greatest = newest.get();
    for (WriteShard shard : shards) {
      greatest = Math.max(greatest, shard.newestTimestamp);
    }
    return greatest;
  }

  /** Returns the greatest timestamp that a shard may have. The caller holds its lock. */
  long newestOf(int index) {
    return Math.max(newest.get(), shards[index].newestTimestamp);
  }

  /**
   * Returns a timestamp for a write to a shard of a key-value store: the automatic one, or one
   * greater than all that the shard has, if that is greater. The caller holds the shard's lock.
   *
   * @throws IllegalStateException if the table has a timestamp greater than {@link #LAST_USABLE}
   */
  long next(int index) {
    long next = after(newestOf(index));
    shards[index].newestTimestamp = next;
    return next;
  }

  /** Returns one timestamp for all shards, as {@link #next}. The caller holds all locks. */
  long nextOfAll() {
    long next = after(newestOfAll());
    for (WriteShard shard : shards) {
      shard.newestTimestamp = next;
    }
    return next;
  }

  private long after(long greatest) {
    if (greatest > LAST_USABLE) {
      throw new IllegalStateException(
          id
              + " has data of the timestamp "
              + greatest
              + ", and nothing written to a store would be sure to replace it: allowed are"
              + " timestamps up to "
              + LAST_USABLE
              + "; read the entries and put them into another store");
    }
    return Math.max(clock.nextTimestampMicros(), greatest + 1);
  }
}
