package io.siltstone.kafka.streams.internals;

import org.apache.kafka.streams.state.internals.WithRetentionPeriod;

/**
 * A store that says for how long it keeps windows, so that Kafka restores no more of its changelog.
 *
 * <p>Uses {@code WithRetentionPeriod}, since a supplier's retention period is not asked for when a
 * store is restored. Kafka 4.3 does not have it: {@link Support#isKnown} has to be asked before a
 * class that implements this is used.
 */
public interface Retention extends WithRetentionPeriod {
  /**
   * Asks whether this version of Kafka has the interface. Apart, as the interface may be missing.
   */
  final class Support {
    private static final boolean IS_KNOWN = isPresent();

    private Support() {}

    private static boolean isPresent() {
      try {
        Class.forName(
            "org.apache.kafka.streams.state.internals.WithRetentionPeriod",
            false,
            Retention.Support.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }

    /** Returns whether stores can say for how long they keep windows. */
    public static boolean isKnown() {
      return IS_KNOWN;
    }
  }
}
