package io.siltstone.commitlog;

import io.siltstone.sstable.metadata.CommitLogPosition;
import java.util.Objects;

/**
 * How a log is replayed. Immutable.
 *
 * @param damage what happens where the log is damaged
 * @param upTo records behind it are left out, to restore a state of before; a log cannot be
 *     continued if there were any
 */
public record ReplayOptions(Damage damage, CommitLogPosition upTo) {
  /** All of the log; damage ends the replay with an exception. */
  public static final ReplayOptions DEFAULT =
      new ReplayOptions(Damage.REFUSE, new CommitLogPosition(Long.MAX_VALUE, Integer.MAX_VALUE));

  /** What happens where the log is damaged. A torn tail is no damage. */
  public enum Damage {
    /** An exception that names file and offset. */
    REFUSE,
    /** It is skipped to the next readable record, and told in {@link ReplayedLog#damage()}. */
    SKIP
  }

  /** Refuses null. */
  public ReplayOptions {
    Objects.requireNonNull(damage, "damage");
    Objects.requireNonNull(upTo, "upTo");
  }

  /** As these, with damage skipped. */
  public ReplayOptions skippingDamage() {
    return new ReplayOptions(Damage.SKIP, upTo);
  }

  /** As these, without the records behind {@code position}. */
  public ReplayOptions upTo(CommitLogPosition position) {
    return new ReplayOptions(damage, position);
  }
}
