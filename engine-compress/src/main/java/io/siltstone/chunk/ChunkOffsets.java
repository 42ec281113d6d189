package io.siltstone.chunk;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The offsets of the chunks of a file, packed: they take about two bytes per chunk, and never more
 * than three at chunk lengths up to 64 KiB; the file itself takes eight.
 *
 * <p>Offsets grow almost evenly. Therefore each offset is stored as its distance from a straight
 * line, in groups of 64, with as many bits as the greatest distance of the group needs:
 *
 * <pre>
 *   page     64 groups at most: their headers, then their distances
 *   header   long  line's beginning
 *            int   line's slope: bytes per chunk
 *            int   bits per distance (lowest 6), then where they begin: bit offset in the page
 * </pre>
 *
 * A lookup reads one header and one distance. The memory is off-heap and counted as {@link
 * MemoryKind#CHUNK_OFFSETS}. Immutable once built; safe for use by all threads. The owner closes
 * it; lookups then fail.
 */
public final class ChunkOffsets implements AutoCloseable {
  private static final int GROUP_BITS = 6;
  private static final int GROUP = 1 << GROUP_BITS;
  private static final int PAGE_BITS = 2 * GROUP_BITS;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int HEADER_BYTES = 16;
  private static final int WIDTH_BITS = 6;
  private static final int WIDTH_MASK = (1 << WIDTH_BITS) - 1;
  // A distance is read as part of a long, which may begin in the last byte of the distance.
  private static final int PADDING_BYTES = Long.BYTES;

  private final long count;
  private final List<OffHeapBuffer> memory;
  private volatile ByteBuffer[] pages;

  private ChunkOffsets(long count, List<OffHeapBuffer> memory) {
    this.count = count;
    this.memory = memory;
    this.pages =
        memory.stream()
            .map(buffer -> buffer.bytes().order(ByteOrder.LITTLE_ENDIAN))
            .toArray(ByteBuffer[]::new);
  }

  /** Returns the number of chunks. */
  public long count() {
    return count;
  }

  /** Returns its off-heap memory in bytes. */
  public long offHeapBytes() {
    return memory.stream().mapToLong(OffHeapBuffer::capacity).sum();
  }

  /**
   * Returns the offset of a chunk's first byte in the file.
   *
   * @throws IndexOutOfBoundsException if there is no such chunk
   * @throws IllegalStateException after close
   */
  public long get(long chunk) {
    if (chunk < 0 || chunk >= count) {
      throw new IndexOutOfBoundsException("chunk " + chunk + " of " + count);
    }
    ByteBuffer[] present = pages;
    int number = (int) (chunk >>> PAGE_BITS);
    if (number >= present.length) {
      throw new IllegalStateException("the file is closed");
    }
    ByteBuffer page = present[number];
    int header = (int) (chunk >>> GROUP_BITS & (GROUP - 1)) * HEADER_BYTES;
    int index = (int) chunk & (GROUP - 1);
    int place = page.getInt(header + 12);
    int width = place & WIDTH_MASK;
    int bit = (place >>> WIDTH_BITS) + index * width;
    long distance = page.getLong(bit >>> 3) >>> (bit & 7) & ((1L << width) - 1);
    return page.getLong(header) + (long) page.getInt(header + 8) * index + distance;
  }

  @Override
  public void close() {
    pages = new ByteBuffer[0];
    memory.forEach(OffHeapBuffer::close);
  }

  /**
   * Packs offsets, which are added in ascending order. Confined to one thread. The caller closes it
   * unless {@link #build} was called.
   */
  public static final class Builder implements AutoCloseable {
    private final MemoryBudget budget;
    private final List<OffHeapBuffer> full = new ArrayList<>();
    // It grows up to a page: most files have few chunks.
    private long[] pending = new long[GROUP];
    private int pendingCount;
    private long count;
    private boolean built;

    /** Creates a builder that allocates from {@code budget}. */
    public Builder(MemoryBudget budget) {
      this.budget = budget;
    }

    /** Adds the offset of the next chunk, which is greater than the one before. */
    public void add(long offset) {
      if (pendingCount == pending.length) {
        pending = Arrays.copyOf(pending, 2 * pendingCount);
      }
      pending[pendingCount++] = offset;
      count++;
      if (pendingCount == PAGE) {
        pack();
      }
    }

    /** Packs the remaining offsets. The result owns the memory. */
    public ChunkOffsets build() {
      if (pendingCount > 0) {
        pack();
      }
      built = true;
      return new ChunkOffsets(count, full);
    }

    private void pack() {
      int groups = (pendingCount + GROUP - 1) / GROUP;
      long[] bases = new long[groups];
      int[] slopes = new int[groups];
      int[] widths = new int[groups];
      long bits = 8L * groups * HEADER_BYTES;
      for (int g = 0; g < groups; g++) {
        int from = g * GROUP;
        int size = Math.min(GROUP, pendingCount - from);
        long slope = size == 1 ? 0 : (pending[from + size - 1] - pending[from]) / (size - 1);
        slopes[g] = (int) Math.min(Integer.MAX_VALUE, slope);
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
          long distance = pending[from + i] - (long) slopes[g] * i;
          least = Math.min(least, distance);
          greatest = Math.max(greatest, distance);
        }
        bases[g] = least;
        widths[g] = Long.SIZE - Long.numberOfLeadingZeros(greatest - least);
        bits += (long) widths[g] * size;
      }
      OffHeapBuffer buffer =
          budget.allocate(
              MemoryKind.CHUNK_OFFSETS, Math.toIntExact((bits + 7) / 8 + PADDING_BYTES));
      full.add(buffer);
      ByteBuffer page = buffer.bytes().order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < page.capacity(); i++) {
        page.put(i, (byte) 0);
      }
      int bit = 8 * groups * HEADER_BYTES;
      for (int g = 0; g < groups; g++) {
        page.putLong(g * HEADER_BYTES, bases[g]);
        page.putInt(g * HEADER_BYTES + 8, slopes[g]);
        page.putInt(g * HEADER_BYTES + 12, bit << WIDTH_BITS | widths[g]);
        int from = g * GROUP;
        int size = Math.min(GROUP, pendingCount - from);
        for (int i = 0; i < size; i++) {
          long distance = pending[from + i] - (long) slopes[g] * i - bases[g];
          int at = bit >>> 3;
          page.putLong(at, page.getLong(at) | distance << (bit & 7));
          bit += widths[g];
        }
      }
      Arrays.fill(pending, 0, pendingCount, 0);
      pendingCount = 0;
    }

    @Override
    public void close() {
      if (!built) {
        full.forEach(OffHeapBuffer::close);
      }
    }
  }
}
