package io.siltstone.table;

import io.siltstone.catalog.TimestampMark;
import io.siltstone.clock.WriteClock;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.View;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the automatic timestamps of a reopened database continue after all that were given before,
 * even if the system clock was set back.
 *
 * <p>Timestamps are reserved ahead: the {@link TimestampMark} in the database's directory is
 * replaced before a greater timestamp is logged, and then lies {@link #AHEAD_MICROS} beyond it, so
 * that few writes have to wait for that. The next opening learns from the commit log which of the
 * reserved timestamps were given: each segment's header has the time that the clock had reached,
 * and the timestamps of records up to the mark may be automatic. Greater timestamps were given by
 * users. Without a log, all that was reserved counts as given. SSTables say nothing about the
 * clock: their timestamps may be those of users and of other databases. Those of tables that have
 * no log are an exception, since the log does not have their timestamps: if they are not greater
 * than the mark, they count as automatic.
 *
 * <p>Example: the system clock is a year ahead, and is corrected while the database is closed. The
 * mark lies a year ahead, and so do the records of the log. Automatic timestamps continue from
 * there, by a microsecond for each write, until the clock has caught up.
 *
 * <p>{@link #continueAfter}, {@link #ended} and {@link #begin} are called before the first write;
 * all other methods are safe for all threads.
 */
public final class AutomaticTimestamps {
  /** The time beyond the last timestamp for which others are reserved. */
  static final long AHEAD_MICROS = TimeUnit.MINUTES.toMicros(10);

  // The time that may have passed since the last known timestamp of a database without a mark.
  private static final long UNMARKED_MICROS = TimeUnit.DAYS.toMicros(1);

  // Many writes in a short time make timestamps run ahead of the clock by a fraction of a second;
  // this is more.
  private static final long TOLERANCE_MICROS = TimeUnit.SECONDS.toMicros(2);
  private static final long MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  private static final Logger LOG = LoggerFactory.getLogger(AutomaticTimestamps.class);

  private final Directory root;
  private final WriteClock clock;
  private final boolean isMarked;
  private boolean isLogged;
  // During replay: timestamps greater than this are not automatic.
  private long greatest;
  // The mark in the file.
  private volatile long reserved;
  private boolean isFailing;

  /**
   * @param root of the database
   * @param mark of the database; null if it has none that can be read
   */
  public AutomaticTimestamps(Directory root, WriteClock clock, @Nullable TimestampMark mark) {
    this.root = root;
    this.clock = clock;
    this.isMarked = mark != null;
    this.reserved = mark != null ? mark.micros() : 0;
    this.greatest = mark != null ? mark.micros() : sum(micros(), UNMARKED_MICROS);
  }

  private long micros() {
    return clock.reachedMicros();
  }

  /** Notes a timestamp that may be automatic or given by a user. */
  void continueAfter(long timestampMicros) {
    if (timestampMicros <= greatest) {
      clock.continueAfter(timestampMicros);
    }
  }

  /**
   * Notes the timestamps of an SSTable of a table that has no log. Those up to the mark may be
   * automatic; if greater ones hide the last of these, all that were reserved count as given.
   */
  private void continueAfterUnlogged(long leastMicros, long greatestMicros) {
    if (leastMicros <= greatest) {
      clock.continueAfter(Math.min(greatestMicros, greatest));
    }
  }

  /** Notes the timestamps of SSTables of a table that has no log, if this host has written them. */
  void continueAfterUnlogged(LiveSet liveSet, UUID host) {
    View view = liveSet.acquire();
    try {
      for (SSTable table : view.byFirstKey()) {
        StatsMetadata stats = table.statistics().stats();
        if (stats.originatingHostId().equals(Optional.of(host))) {
          continueAfterUnlogged(stats.minTimestamp(), stats.maxTimestamp());
        }
      }
    } finally {
      view.release();
    }
  }

  /** Notes the time that the clock had reached when a segment of the log was begun. */
  public void continueAfterSegment(long createdMicros) {
    isLogged = true;
    if (!isMarked) {
      greatest = Math.max(greatest, sum(createdMicros, UNMARKED_MICROS));
    }
    clock.continueAfter(Math.min(createdMicros, greatest));
  }

  /**
   * Ends the replay.
   *
   * @param isWhole whether nothing of the log was lost
   */
  public void ended(boolean isWhole) {
    boolean isSetBack = sum(micros(), AHEAD_MICROS) < reserved;
    if (isMarked && (!isLogged || !isWhole || isSetBack)) {
      clock.continueAfter(reserved);
    }
  }

  /**
   * Reserves the timestamps of the first writes. To be called when the log has been opened: a
   * database that was killed while it was created would otherwise have a mark but no log, so that
   * all that was reserved would count as given.
   */
  public void begin() throws IOException {
    reserve(micros());
  }

  /**
   * Reserves all timestamps that the clock has given. To be called before they are logged; writes
   * the file only if the system clock has leapt ahead.
   */
  void cover() throws IOException {
    if (clock.lastTimestampMicros() > reserved) {
      reserve(clock.lastTimestampMicros());
    }
  }

  /** Reserves more timestamps if half of them were given; to be called from time to time. */
  public void renew() {
    long last = clock.lastTimestampMicros();
    if (last > reserved - AHEAD_MICROS / 2) {
      try {
        reserve(last);
        isFailing = false;
      } catch (IOException e) {
        // This is retried; a write that needs a new reservation fails with the error.
        if (!isFailing) {
          LOG.warn("{}: no automatic timestamps can be reserved", root.path(), e);
        }
        isFailing = true;
      }
    }
  }

  private synchronized void reserve(long last) throws IOException {
    if (last > reserved - AHEAD_MICROS / 2) {
      long next = sum(last, AHEAD_MICROS);
      new TimestampMark(next).write(root);
      reserved = next;
    }
  }

  /**
   * Notifies the listener, and logs a warning, if there is data that is newer than the clock by
   * more than many writes in a short time cause.
   *
   * @param stores the tables to be checked
   * @param isOpening whether the last automatic timestamp is checked, too
   */
  public void notifyOfNewerData(
      Collection<TableStore> stores, GuardedListener listener, boolean isOpening) {
    long now = presentMicros();
    long limit = sum(now, TOLERANCE_MICROS);
    long newest = isOpening ? clock.lastTimestampMicros() : Long.MIN_VALUE;
    List<TableId> tables = new ArrayList<>();
    for (TableStore store : stores) {
      if (store.newestTimestamp() > limit) {
        tables.add(store.id());
        newest = Math.max(newest, store.newestTimestamp());
      }
    }
    if (newest > limit) {
      Duration behind = Duration.of(newest - now, ChronoUnit.MICROS);
      LOG.warn(
          "{}: the clock is {} behind the newest data{}; automatic timestamps continue after the"
              + " last automatic timestamp, and do not replace newer data of others",
          root.path(),
          behind,
          tables.isEmpty() ? "" : ", which " + tables + " have");
      listener.clockBehind(new EngineListener.ClockBehind(newest, behind, tables));
    }
  }

  private long presentMicros() {
    long seconds = clock.nowSeconds();
    return seconds > Long.MAX_VALUE / MICROS_PER_SECOND
        ? Long.MAX_VALUE
        : Math.max(0, seconds) * MICROS_PER_SECOND;
  }

  /**
   * Writes the last timestamp that was given into a copy of the database, which has no commit log.
   */
  public void copyTo(Directory copy) throws IOException {
    new TimestampMark(Math.max(0, clock.lastTimestampMicros())).write(copy);
  }

  private static long sum(long micros, long more) {
    return micros > Long.MAX_VALUE - more ? Long.MAX_VALUE : micros + more;
  }
}
