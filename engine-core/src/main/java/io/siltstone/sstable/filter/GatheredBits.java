package io.siltstone.sstable.filter;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A buffer for the bits of a {@link BloomFilter}. For a filter that is larger than the processor's
 * caches, bits are gathered by region and set a thousand at a time, so that a cache line of the
 * filter is loaded once for several bits.
 *
 * <pre>
 *   filter    | region 0, 8 KiB      | region 1             | ...
 *   gathered  | up to 1024 x short   | up to 1024 x short   | ...    a bit's place in its region
 * </pre>
 *
 * It takes at most a quarter of the filter's memory, 64 MiB, and an eighth of the free budget:
 * memory that only saves time must not make necessary allocations fail. If too little is free, or
 * the filter is small, bits are set at once. The caller that creates it closes it, before the
 * filter. Used by one thread at a time.
 */
public final class GatheredBits implements AutoCloseable {
  /** The number of bits of a region as a power of two: those that a short distinguishes. */
  private static final int REGION_SHIFT = 16;

  private static final int MAX_PER_REGION = 1024;

  /** With fewer bits per region, hardly two of them are in the same cache line. */
  private static final int MIN_PER_REGION = 16;

  private static final int MAX_BYTES = 64 << 20;
  private static final int SHARE_OF_WHAT_IS_LEFT = 8;

  /** The bytes that fit into the caches of a core beside other data. */
  private static final int SMALL_FILTER_BYTES = 1 << 20;

  private final BloomFilter filter;
  private final int perRegion;
  private final short[] counts;
  private @Nullable OffHeapBuffer memory;
  private @Nullable ByteBuffer gathered;

  private GatheredBits(BloomFilter filter, int regions, int perRegion) {
    this.filter = filter;
    this.perRegion = perRegion;
    this.counts = new short[regions];
  }

  /** Returns an empty buffer. */
  public static GatheredBits of(BloomFilter filter, MemoryBudget budget) {
    return of(filter, budget, SMALL_FILTER_BYTES);
  }

  /** Returns an empty buffer for filters larger than {@code smallFilterBytes}. */
  static GatheredBits of(BloomFilter filter, MemoryBudget budget, int smallFilterBytes) {
    if (filter.memoryBytes() <= smallFilterBytes) {
      return new GatheredBits(filter, 0, 0);
    }
    int regions = (int) ((filter.memoryBytes() * Byte.SIZE - 1) >>> REGION_SHIFT) + 1;
    long allowed = Math.min(MAX_BYTES, budget.available() / SHARE_OF_WHAT_IS_LEFT);
    int perRegion = (int) Math.min(MAX_PER_REGION, allowed / Short.BYTES / regions);
    if (perRegion < MIN_PER_REGION) {
      return new GatheredBits(filter, 0, 0);
    }
    GatheredBits bits = new GatheredBits(filter, regions, perRegion);
    try {
      bits.memory = budget.allocate(MemoryKind.BLOOM_FILTER, regions * perRegion * Short.BYTES);
      bits.gathered = bits.memory.bytes().order(ByteOrder.nativeOrder());
      return bits;
    } catch (OutOfBudgetException e) {
      // Other threads have taken the memory meanwhile.
      return new GatheredBits(filter, 0, 0);
    }
  }

  /** Adds bits that {@link BloomFilter#bitsOf} computed. */
  public void add(long[] bits, int count) {
    ByteBuffer into = gathered;
    if (into == null) {
      filter.setBits(bits, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      int region = (int) (bits[i] >>> REGION_SHIFT);
      int at = counts[region];
      into.putShort((region * perRegion + at) * Short.BYTES, (short) bits[i]);
      counts[region] = (short) (at + 1);
      if (at + 1 == perRegion) {
        set(into, region);
      }
    }
  }

  /** Sets all gathered bits. */
  public void finish() {
    ByteBuffer from = gathered;
    if (from != null) {
      for (int region = 0; region < counts.length; region++) {
        set(from, region);
      }
    }
  }

  private void set(ByteBuffer from, int region) {
    filter.setBits(
        (long) region << REGION_SHIFT, from, region * perRegion * Short.BYTES, counts[region]);
    counts[region] = 0;
  }

  /** Frees the memory. A second call does nothing. */
  @Override
  public void close() {
    gathered = null;
    if (memory != null) {
      memory.close();
      memory = null;
    }
  }
}
