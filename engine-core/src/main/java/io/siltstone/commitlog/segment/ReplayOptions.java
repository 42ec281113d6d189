package io.siltstone.commitlog.segment;

import io.siltstone.sstable.metadata.CommitLogPosition;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a log is replayed. Immutable.
 *
 * @param damage what happens where the log is damaged
 * @param upTo records behind it are left out, to restore a state of before; a log cannot be
 *     continued if there were any
 * @param hostId identity of the database whose log it must be, all that was not deleted of it; null
 *     for segments of an archive, of any database
 */
public record ReplayOptions(Damage damage, CommitLogPosition upTo, @Nullable UUID hostId) {
  /** All of the log; damage ends the replay with an exception. */
  public static final ReplayOptions DEFAULT =
      new ReplayOptions(
          Damage.REFUSE, new CommitLogPosition(Long.MAX_VALUE, Integer.MAX_VALUE), null);

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
    return new ReplayOptions(Damage.SKIP, upTo, hostId);
  }

  /** As these, without the records behind {@code position}. */
  public ReplayOptions upTo(CommitLogPosition position) {
    return new ReplayOptions(damage, position, hostId);
  }

  /** Returns these options for the whole log of a database, whose identity is given. */
  public ReplayOptions of(UUID host) {
    return new ReplayOptions(damage, upTo, host);
  }
}
