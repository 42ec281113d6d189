package io.siltstone.mutation;

import io.siltstone.bytes.BigEndian;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the paths of list elements: version 1 UUIDs, by whose time a list is ordered. Elements that
 * are appended get later times than all before them, elements that are prepended earlier ones.
 *
 * <pre>
 *   append    ticks since 1582-10-15 of the present time
 *   prepend   the same, mirrored at 2010-01-01, so that later ones are smaller
 * </pre>
 *
 * A tick is a tenth of a microsecond; no two paths have the same one. One per database, with a node
 * that no other database has which writes to the same table. Safe for all threads. Source:
 * Cassandra {@code Lists}, {@code TimeUUID}.
 */
public final class ListPaths {
  /** Bytes of a path. */
  static final int LENGTH = 2 * Long.BYTES;

  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int NANOS_PER_TICK = 100;

  /** Ticks from 1582-10-15, where UUIDs begin, to 1970. */
  private static final long UUID_EPOCH = 0x01B2_1DD2_1381_4000L;

  /** 2010-01-01 in ticks since 1970. */
  private static final long MIRROR = 1_262_304_000L * TICKS_PER_SECOND;

  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;

  /** The variant of RFC 4122. */
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  /** What tells an invented node from a network card's address. */
  private static final long MULTICAST = 0x0000_0100_0000_0000L;

  private final InstantSource source;
  private final long clockSequenceAndNode;
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

  /**
   * @param source of the present time; where it stands still or steps back, paths run ahead of it
   * @param node drawn at random once per database; its low 62 bits become the UUIDs' clock sequence
   *     and node
   */
  public ListPaths(InstantSource source, long node) {
    this.source = Objects.requireNonNull(source, "source");
    this.clockSequenceAndNode = (node & ~VARIANT_MASK) | VARIANT | MULTICAST;
  }

  /** The path of an element behind all others. */
  byte[] append() {
    return path(nextTicks());
  }

  /** The path of an element before all others. */
  byte[] prepend() {
    return path(2 * MIRROR - nextTicks());
  }

  private long nextTicks() {
    Instant instant = source.instant();
    long now = instant.getEpochSecond() * TICKS_PER_SECOND + instant.getNano() / NANOS_PER_TICK;
    return last.accumulateAndGet(now, (before, present) -> Math.max(present, before + 1));
  }

  private byte[] path(long unixTicks) {
    long ticks = unixTicks + UUID_EPOCH;
    long most =
        (ticks << 32) | ((ticks >>> 16) & 0xffff_0000L) | 0x1000L | ((ticks >>> 48) & 0x0fffL);
    byte[] path = new byte[LENGTH];
    BigEndian.putLong(path, 0, most);
    BigEndian.putLong(path, Long.BYTES, clockSequenceAndNode);
    return path;
  }
}
