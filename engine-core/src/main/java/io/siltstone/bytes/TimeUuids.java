package io.siltstone.bytes;

import java.time.Instant;
import java.util.UUID;

/**
 * Composes version 1 UUIDs ({@code timeuuid}) of a time in ticks of a tenth of a microsecond, a
 * clock sequence and a node. Source: RFC 4122.
 */
public final class TimeUuids {
  /** Length of a UUID in bytes. */
  public static final int LENGTH = 16;

  /** Number of ticks in a second. */
  public static final long TICKS_PER_SECOND = 10_000_000;

  private static final int NANOS_PER_TICK = 100;

  /** Number of ticks from 1582-10-15, the epoch of UUIDs, to 1970. */
  private static final long EPOCH = 0x01B2_1DD2_1381_4000L;

  private static final long VERSION = 0x1000;

  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;

  private static final long VARIANT = 0x8000_0000_0000_0000L;

  /** The bit that distinguishes a random node from the address of a network card. */
  private static final long MULTICAST = 0x0000_0100_0000_0000L;

  private TimeUuids() {}

  /**
   * Returns the ticks from 1970 to a moment, negative before; what is finer than a tick is dropped.
   */
  public static long ticks(Instant moment) {
    return moment.getEpochSecond() * TICKS_PER_SECOND + moment.getNano() / NANOS_PER_TICK;
  }

  /** Returns the ticks from 1970 to the time of a version 1 UUID. */
  public static long ticks(UUID uuid) {
    return uuid.timestamp() - EPOCH;
  }

  /**
   * Returns the first half of the UUID of a time.
   *
   * @param ticks since 1970; of the years 1582 to 5236
   */
  public static long mostSignificantBits(long ticks) {
    long time = ticks + EPOCH;
    return time << 32 | (time >>> 16 & 0xFFFF_0000L) | VERSION | (time >>> 48 & 0x0FFF);
  }

  /** Returns the time of a UUID in milliseconds since 1970; what is finer is dropped. */
  public static long millis(byte[] uuid) {
    long bits = BigEndian.getLong(uuid, 0);
    long time = bits >>> 32 | (bits & 0xFFFF_0000L) << 16 | (bits & 0x0FFF) << 48;
    return Math.floorDiv(time - EPOCH, TICKS_PER_SECOND / 1000);
  }

  /**
   * Returns the second half of the UUIDs of one generator.
   *
   * @param number random number of the generator, of which the low 62 bits are used
   */
  public static long leastSignificantBits(long number) {
    return (number & ~VARIANT_MASK) | VARIANT | MULTICAST;
  }
}
