package io.siltstone.table;

import io.siltstone.catalog.TimestampMark;
import io.siltstone.clock.WriteClock;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableId;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets automatic timestamps of a database that is opened again continue after all that were given
 * before, whatever the clock of the machine says then.
 *
 * <p>Timestamps are reserved ahead: the {@link TimestampMark} in the database's directory is
 * replaced before a greater timestamp is logged, and then goes {@link #AHEAD_MICROS} beyond it, so
 * that few writes have to wait for that. The next opening learns from the commit log which of the
 * reserved timestamps were given: each segment's header has the time that the clock had reached,
 * and what records have up to the mark may be automatic. What is beyond the mark was given by a
 * user. Without a log, all that was reserved counts as given. SSTables say nothing of the clock:
 * their timestamps may be those of users and of other databases.
 *
 * <p>Example: the clock of a machine is a year ahead, and is set right while the database is
 * closed. The mark lies a year ahead, and so do the records of the log. Automatic timestamps
 * continue from there, a microsecond for each write, until the clock has come so far.
 *
 * <p>{@link #continueAfter} and {@link #ended} are called before anybody writes; all else is safe
 * for all threads.
 */
public final class AutomaticTimestamps {
  /** How far beyond the last timestamp others are reserved. */
  static final long AHEAD_MICROS = TimeUnit.MINUTES.toMicros(10);

  // How far the clock of a database without a mark may have gone on after what is known of it.
  private static final long UNMARKED_MICROS = TimeUnit.DAYS.toMicros(1);

  // More than a second's fraction, and than many writes in a short time are ahead of the clock.
  private static final long TOLERANCE_MICROS = TimeUnit.SECONDS.toMicros(2);
  private static final long MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  private static final Logger LOG = LoggerFactory.getLogger(AutomaticTimestamps.class);

  private final Directory root;
  private final WriteClock clock;
  private final boolean isMarked;
  private boolean isLogged;
  // While the log is replayed: what is greater is no automatic timestamp.
  private long greatest;
  // What the file has.
  private volatile long reserved;
  private boolean isFailing;

  /**
   * @param root of the database
   * @param mark that it has, if it has one that can be read
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

  /** Takes in a timestamp that may be an automatic one, or one that a user gave. */
  void continueAfter(long timestampMicros) {
    if (timestampMicros <= greatest) {
      clock.continueAfter(timestampMicros);
    }
  }

  /** Takes in the time that the clock had reached when a segment of the log was begun. */
  void continueAfterSegment(long createdMicros) {
    isLogged = true;
    if (!isMarked) {
      greatest = Math.max(greatest, sum(createdMicros, UNMARKED_MICROS));
    }
    clock.continueAfter(Math.min(createdMicros, greatest));
  }

  /**
   * Ends the restoration, and reserves the timestamps of the first writes.
   *
   * @param isWhole whether nothing that the log had was lost
   */
  public void ended(boolean isWhole) throws IOException {
    boolean isSetBack = sum(micros(), AHEAD_MICROS) < reserved;
    if (isMarked && (!isLogged || !isWhole || isSetBack)) {
      clock.continueAfter(reserved);
    }
    reserve(micros());
  }

  /**
   * Sees to it that all timestamps that the clock has given are reserved. To be called before they
   * are logged; costs a file only after the clock of the machine has leapt ahead.
   */
  void cover() throws IOException {
    if (clock.lastTimestampMicros() > reserved) {
      reserve(clock.lastTimestampMicros());
    }
  }

  /** Reserves more timestamps if half of them were given; to be called now and then. */
  public void renew() {
    long last = clock.lastTimestampMicros();
    if (last > reserved - AHEAD_MICROS / 2) {
      try {
        reserve(last);
        isFailing = false;
      } catch (IOException e) {
        // Tried again, and a write that cannot do without it fails with it.
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
   * Tells the listener and the log if there is newer data than the clock, beyond what comes of many
   * writes in a short time.
   *
   * @param stores of which that is looked at
   * @param isOpening whether the last automatic timestamp counts, too
   */
  public void tellOfNewerData(
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

  /** Gives a copy of the database, which has no commit log, the last timestamp that was given. */
  public void copyTo(Directory copy) throws IOException {
    new TimestampMark(Math.max(0, clock.lastTimestampMicros())).write(copy);
  }

  private static long sum(long micros, long more) {
    return micros > Long.MAX_VALUE - more ? Long.MAX_VALUE : micros + more;
  }
}
