package io.siltstone.liveset;

import io.siltstone.bytes.TimeUuids;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates the identifiers in the names of transaction logs: UUIDs of version 1, as Cassandra
 * requires. Each is later than the one before; the node is random for each generator. Safe for all
 * threads.
 */
final class TransactionIds {
  private final AtomicLong last = new AtomicLong();
  private final long node = TimeUuids.leastSignificantBits(ThreadLocalRandom.current().nextLong());

  UUID next() {
    long now = TimeUuids.ticks(Instant.now());
    long ticks = last.updateAndGet(before -> Math.max(before + 1, now));
    return new UUID(TimeUuids.mostSignificantBits(ticks), node);
  }
}
