package io.siltstone.liveset;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes UUIDs of version 1, which Cassandra wants in the names of transaction logs. Each is later
 * than the one before; the node is drawn at random for each maker. Safe for all threads.
 */
final class TimeUuids {
  // 100 ns intervals from 1582-10-15 to 1970-01-01 (RFC 4122).
  private static final long EPOCH = 0x01B2_1DD2_1381_4000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  // RFC 4122: the multicast bit marks a node that is no network address.
  private static final long RANDOM_NODE = 0x0000_0100_0000_0000L;

  private final AtomicLong last = new AtomicLong();
  private final long clockAndNode =
      VARIANT | RANDOM_NODE | ThreadLocalRandom.current().nextLong() >>> 2;

  UUID next() {
    Instant now = Instant.now();
    long ticks = now.getEpochSecond() * 10_000_000 + now.getNano() / 100 + EPOCH;
    long time = last.updateAndGet(before -> Math.max(before + 1, ticks));
    long most = time << 32 | (time >>> 16 & 0xFFFF_0000L) | 0x1000 | (time >>> 48 & 0x0FFF);
    return new UUID(most, clockAndNode);
  }
}
