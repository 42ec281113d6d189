package io.siltstone.campaigns.kill;

import io.siltstone.commitlog.SyncMode;
import java.util.List;

/**
 * Tells which rounds belong to one life, and which sync mode it has. Two databases that live for a
 * few kills come first, in each mode in turn, so that a run of a few rounds meets every mode; then
 * those that live for many, and so on. It depends on nothing but the number of the round, so that a
 * run that is resumed goes on in the same order.
 *
 * @param modes at least one, in their order
 */
record LifeSchedule(List<SyncMode> modes) {
  /** How many rounds a short life has. */
  static final int SHORT = 2;

  /** How many rounds a long life has. */
  static final int LONG = 25;

  LifeSchedule {
    modes = List.copyOf(modes);
  }

  /** Returns the sync mode of the life to which a round belongs. */
  SyncMode mode(long round) {
    long position = position(round);
    long shortRounds = shortRounds();
    long life = position < shortRounds ? position / SHORT : (position - shortRounds) / LONG;
    return modes.get((int) life);
  }

  /** Returns whether a life begins with a round, whatever became of the one before. */
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
