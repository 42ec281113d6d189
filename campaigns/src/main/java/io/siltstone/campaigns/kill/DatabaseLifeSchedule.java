package io.siltstone.campaigns.kill;

import io.siltstone.commitlog.SyncMode;
import java.util.List;

/**
 * Determines which rounds belong to one life, and its sync mode. Two short lives in each mode come
 * first, so that a run of a few rounds covers every mode; then long ones, and so on. The schedule
 * depends only on the number of the round, so that a resumed run continues in the same order.
 *
 * @param modes at least one, in their order
 */
record DatabaseLifeSchedule(List<SyncMode> modes) {
  /** Number of rounds of a short life. */
  static final int SHORT = 2;

  /** Number of rounds of a long life. */
  static final int LONG = 25;

  DatabaseLifeSchedule {
    modes = List.copyOf(modes);
  }

  /** Returns the sync mode of the life to which a round belongs. */
  SyncMode mode(long round) {
    long position = position(round);
    long shortRounds = shortRounds();
    long life = position < shortRounds ? position / SHORT : (position - shortRounds) / LONG;
    return modes.get((int) life);
  }

  /** Returns whether a life begins with a round, whatever happened in the one before. */
  boolean isFirst(long round) {
    long position = position(round);
    long shortRounds = shortRounds();
    return position < shortRounds ? position % SHORT == 0 : (position - shortRounds) % LONG == 0;
  }

  private long shortRounds() {
    return (long) SHORT * modes.size();
  }

  private long position(long round) {
    return round % (modes.size() * (long) (SHORT + LONG));
  }
}
