package io.siltstone.commitlog.segment;

import io.siltstone.sstable.metadata.CommitLogPosition;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Options of a commit-log replay. Immutable.
 *
 * @param damage how damage is treated
 * @param upTo records after this position are left out, to restore an earlier state (point-in-time
 *     restore); a log that has such records cannot be continued
 * @param hostId identity of the database whose complete log it must be; null for segments of an
 *     archive, of any database
 */
public record ReplayOptions(Damage damage, CommitLogPosition upTo, @Nullable UUID hostId) {
  /** Replays all of the log; damage ends the replay with an exception. */
  public static final ReplayOptions DEFAULT =
      new ReplayOptions(
          Damage.REFUSE, new CommitLogPosition(Long.MAX_VALUE, Integer.MAX_VALUE), null);

  /** How damage is treated. A torn tail is no damage. */
  public enum Damage {
    /** The replay ends with an exception that names file and offset. */
    REFUSE,
    /**
     * The replay continues with the next readable record; {@link ReplayedLog#damage()} lists what
     * was skipped.
     */
    SKIP
  }

  /** Rejects null. */
  public ReplayOptions {
    Objects.requireNonNull(damage, "damage");
    Objects.requireNonNull(upTo, "upTo");
  }

  /** Returns a copy with which damage is skipped. */
  public ReplayOptions skippingDamage() {
    return new ReplayOptions(Damage.SKIP, upTo, hostId);
  }

  /** Returns a copy that leaves out the records after {@code position}. */
  public ReplayOptions upTo(CommitLogPosition position) {
    return new ReplayOptions(damage, position, hostId);
  }

  /** Returns a copy for the complete log of a given database. */
  public ReplayOptions of(UUID host) {
    return new ReplayOptions(damage, upTo, host);
  }
}
