package io.siltstone.clock;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.TimeUuids;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates the cell paths of list elements: version 1 UUIDs, whose time is the order of the list.
 * Elements that are appended get later times than all before them, elements that are prepended
 * earlier ones.
 *
 * <pre>
 *   append    the ticks of the present time
 *   prepend   the same, mirrored at 2010-01-01, so that later ones are smaller
 * </pre>
 *
 * A tick is a tenth of a microsecond; no two paths have the same. There is one generator per
 * database, whose node differs from those of other databases that write to the same table. Safe for
 * use by all threads. Source: Cassandra {@code Lists}, {@code TimeUUID}.
 */
public final class ListPaths {
  /** Length of a path in bytes. */
  static final int LENGTH = TimeUuids.LENGTH;

  /** 2010-01-01 in ticks since 1970. */
  private static final long MIRROR = 1_262_304_000L * TimeUuids.TICKS_PER_SECOND;

  private final InstantSource source;
  private final long clockSequenceAndNode;
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

  /**
   * @param source of the present time; if it stands still or steps back, paths run ahead of it
   * @param node drawn at random once per database; its low 62 bits become the UUIDs' clock sequence
   *     and node
   */
  public ListPaths(InstantSource source, long node) {
    this.source = Objects.requireNonNull(source, "source");
    this.clockSequenceAndNode = TimeUuids.leastSignificantBits(node);
  }

  /** Returns the path of an element after all others. */
  public byte[] append() {
    return path(nextTicks());
  }

  /** Returns the path of an element before all others. */
  public byte[] prepend() {
    return path(2 * MIRROR - nextTicks());
  }

  private long nextTicks() {
    long now = TimeUuids.ticks(source.instant());
    return last.accumulateAndGet(now, (before, present) -> Math.max(present, before + 1));
  }

  private byte[] path(long ticks) {
    byte[] path = new byte[LENGTH];
    BigEndian.putLong(path, 0, TimeUuids.mostSignificantBits(ticks));
    BigEndian.putLong(path, Long.BYTES, clockSequenceAndNode);
    return path;
  }
}
