package io.siltstone.kafka.judges.suites;

import java.util.Map;
import java.util.Optional;

/** Tests of Kafka's that are about RocksDB, and why. */
final class NotForSiltstone {
  private static final Map<String, String> REASONS = Map.of();

  private NotForSiltstone() {}

  /** Returns why a test is not run; empty if it is. */
  static Optional<String> reason(String test) {
    return Optional.ofNullable(REASONS.get(test));
  }
}
