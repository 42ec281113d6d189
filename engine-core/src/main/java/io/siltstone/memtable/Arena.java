package io.siltstone.memtable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap arena of one memtable shard: memory that is allocated piece by piece and freed as a
 * whole.
 *
 * <p>It consists of slabs. The first are small, so that a rarely written table costs little; then
 * each is a quarter of all before it, up to {@link #SLAB_BYTES}. A reference to a piece is its
 * address divided by 8, as unsigned 32 bits, which limits an arena to 32 GiB. The address space is
 * divided into regions of 256 KiB; a slab begins with a region, and a larger one has several, each
 * with a view from its beginning to the slab's end, so that a piece may cross regions.
 *
 * <p>A writer first {@linkplain #reserve reserves} the space that an update may take; its
 * allocations then cannot fail. Optional pieces are allocated by {@link #tryAllocate}.
 *
 * <p>One writer at a time. Readers may follow references that they have read with {@link
 * #getIntAcquire} and the writer has written with {@link #putIntRelease}. {@link #close} returns
 * the memory to the budget, when there are no more readers.
 */
final class Arena {
  /** The null reference. */
  static final int NONE = 0;

  private static final int UNIT_BITS = 3;
  private static final int REGION_BITS = 18;
  private static final int REGION_SHIFT = REGION_BITS - UNIT_BITS;
  private static final int REGION_MASK = (1 << REGION_SHIFT) - 1;
  private static final int MAX_REGIONS = 1 << (Integer.SIZE - REGION_SHIFT);
  private static final int ALIGNMENT = 1 << UNIT_BITS;

  /** Maximum size of a slab in bytes, including padding. */
  static final int SLAB_BYTES = 1 << REGION_BITS;

  private static final int FIRST_SLAB_BYTES = 1024;

  // A slab, and a block of small pieces, is this part of all before it, so that no more than that
  // part is unused.
  private static final int GROWTH = 4;

  // The sizes of blocks of small pieces grow up to four pages.
  private static final int FIRST_BLOCK_BYTES = 128;
  private static final int MOST_BLOCK_BYTES = 16 * 1024;

  // The approximate size on the heap of a slab with its buffers and views.
  private static final int HEAP_BYTES_PER_SLAB = 256;

  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final MemoryBudget budget;
  private final int slabBytes;

  // Views by region. The array is replaced when it grows; readers see the views that they have
  // references into.
  private ByteBuffer[] regions = {};
  private int regionCount;
  private OffHeapBuffer[] slabs = {};
  private int slabCount;
  private long slabBytesInUse;

  // The free rests of two slabs, as byte addresses: the larger rest contains the reservation, the
  // other takes pieces that fit.
  private final long[] from = new long[2];
  private final long[] to = new long[2];
  private long reserved;

  // The rest that was replaced by the slab which the last reservation opened; null if it opened
  // none.
  private @Nullable Rest opened;

  private record Rest(int index, long from, long to, int regionCount, long slabBytesInUse) {}

  // The free rest of the present block of small pieces, as byte addresses.
  private long smallFrom;
  private long smallTo;
  private long blockBytesInUse;

  Arena(MemoryBudget budget, int slabBytes) {
    this.budget = budget;
    this.slabBytes = slabBytes;
  }

  /** Returns the space that a piece of {@code bytes} takes, with padding. */
  static long padded(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /**
   * Reserves space for pieces of {@code bytes} in all, {@linkplain #padded padding} included.
   * Replaces the previous reservation.
   *
   * @throws OutOfBudgetException if the budget is exhausted; nothing is reserved then
   */
  void reserve(long bytes) {
    reserved = 0;
    opened = null;
    if (Math.max(rest(0), rest(1)) < bytes) {
      int index = rest(0) <= rest(1) ? 0 : 1;
      Rest before = new Rest(index, from[index], to[index], regionCount, slabBytesInUse);
      openSlab(bytes);
      opened = before;
    }
    reserved = bytes;
  }

  /**
   * Returns the number of bytes that {@link #reserve} of {@code bytes} would take from the budget
   * now.
   */
  long shortfall(long bytes) {
    return Math.max(rest(0), rest(1)) >= bytes ? 0 : slabSize(bytes, nextSlabBytes());
  }

  /**
   * Returns the least number of bytes of the budget that an arena with pieces of {@code bytes}
   * takes.
   */
  static long leastSlabBytes(long bytes) {
    return slabSize(bytes, 0);
  }

  // Aligned buffers are larger by the alignment. The first eight bytes of the arena stay unused, as
  // their reference is the null reference.
  private static long slabSize(long pieceBytes, long minimum) {
    return Math.max(minimum, padded(pieceBytes) + 2 * ALIGNMENT);
  }

  /**
   * Undoes the last {@link #reserve}, of which nothing must have been allocated, and returns its
   * memory to the budget.
   */
  void unreserve() {
    reserved = 0;
    Rest before = opened;
    if (before == null) {
      return;
    }
    opened = null;
    OffHeapBuffer slab = slabs[--slabCount];
    slabBytesInUse = before.slabBytesInUse;
    Arrays.fill(regions, before.regionCount, regionCount, null);
    regionCount = before.regionCount;
    from[before.index] = before.from;
    to[before.index] = before.to;
    slab.close();
  }

  /** Returns the number of bytes reserved and not yet allocated. */
  long reserved() {
    return reserved;
  }

  /** Reduces the reservation. */
  void reduceReserved(long bytes) {
    reserved = Math.max(0, bytes);
  }

  /** Allocates a piece of the reservation. */
  int allocate(int bytes) {
    long size = padded(bytes);
    if (size > reserved) {
      throw new IllegalStateException(size + " bytes asked for, " + reserved + " are reserved");
    }
    reserved -= size;
    int smaller = rest(0) <= rest(1) ? 0 : 1;
    return take(rest(smaller) >= size ? smaller : 1 - smaller, size);
  }

  /**
   * Allocates a small piece of the reservation in a block of such pieces, if there is room for
   * blocks. A walk from one to the next then stays within few pages, which helps the processor's
   * caches and TLB. For small pieces that are read more often than the data they lead to.
   */
  int allocateSmall(int bytes) {
    long size = padded(bytes);
    if (smallTo - smallFrom < size && !openBlock(size)) {
      return allocate(bytes);
    }
    int reference = (int) (smallFrom >>> UNIT_BITS);
    smallFrom += size;
    return reference;
  }

  private boolean openBlock(long least) {
    int size =
        (int)
            Math.min(
                MOST_BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, padded(blockBytesInUse / GROWTH)));
    if (least > size) {
      return false;
    }
    // A small arena is not made larger for that.
    int block = size < MOST_BLOCK_BYTES ? allocateFree(size) : tryAllocate(size);
    if (block == NONE) {
      return false;
    }
    smallFrom = (block & 0xffff_ffffL) << UNIT_BITS;
    smallTo = smallFrom + size;
    blockBytesInUse += size;
    return true;
  }

  /**
   * Allocates a piece without touching the reservation.
   *
   * @return {@link #NONE} if the budget is exhausted
   */
  int tryAllocate(int bytes) {
    int piece = allocateFree(bytes);
    if (piece != NONE) {
      return piece;
    }
    long size = padded(bytes);
    try {
      return take(openSlab(size + reserved), size);
    } catch (OutOfBudgetException e) {
      return NONE;
    }
  }

  /** Allocates a piece without touching the reservation; NONE if no slab has room for it. */
  private int allocateFree(int bytes) {
    long size = padded(bytes);
    for (int i = 0; i < 2; i++) {
      if (rest(i) >= size && Math.max(rest(i) - size, rest(1 - i)) >= reserved) {
        return take(i, size);
      }
    }
    return NONE;
  }

  private long rest(int index) {
    return to[index] - from[index];
  }

  private int take(int index, long size) {
    int reference = (int) (from[index] >>> UNIT_BITS);
    from[index] += size;
    return reference;
  }

  private long nextSlabBytes() {
    return Math.min(slabBytes, Math.max(FIRST_SLAB_BYTES, slabBytesInUse / GROWTH));
  }

  /** Opens a slab with room for {@code least} bytes, which replaces the smaller rest. */
  private int openSlab(long least) {
    long size = slabSize(least, nextSlabBytes());
    int more = (int) Math.min(MAX_REGIONS, (size + SLAB_BYTES - 1) >>> REGION_BITS);
    if (size > Integer.MAX_VALUE || regionCount + more > MAX_REGIONS) {
      throw new OutOfBudgetException(
          "a memtable shard of "
              + slabBytesInUse
              + " bytes asks for "
              + size
              + " more; it takes 2 GiB at once and 32 GiB in all");
    }
    OffHeapBuffer slab =
        budget.allocateAligned(MemoryKind.MEMTABLE, (int) size - ALIGNMENT, ALIGNMENT);
    if (slabCount == slabs.length) {
      slabs = Arrays.copyOf(slabs, Math.max(4, 2 * slabCount));
    }
    slabs[slabCount++] = slab;
    slabBytesInUse += size;
    ByteBuffer[] views = regions;
    if (regionCount + more > views.length) {
      views = Arrays.copyOf(views, Math.max(regionCount + more, 2 * views.length));
    }
    ByteBuffer bytes = slab.bytes();
    long address = (long) regionCount << REGION_BITS;
    for (int i = 0; i < more; i++) {
      int start = i << REGION_BITS;
      if (start < bytes.capacity()) {
        views[regionCount++] = bytes.slice(start, bytes.capacity() - start);
      }
    }
    regions = views;
    int index = rest(0) <= rest(1) ? 0 : 1;
    from[index] = address == 0 ? ALIGNMENT : address;
    to[index] = address + (bytes.capacity() & -ALIGNMENT);
    return index;
  }

  /** Returns the number of bytes that it has of the budget. */
  long offHeapBytes() {
    return slabBytesInUse;
  }

  /** Returns the number of bytes that it has on the heap, about. */
  long heapBytes() {
    return slabCount * (long) HEAP_BYTES_PER_SLAB;
  }

  int getInt(int reference, int offset) {
    return (int) INT.get(region(reference), index(reference) + offset);
  }

  int getIntAcquire(int reference, int offset) {
    return (int) INT.getAcquire(region(reference), index(reference) + offset);
  }

  long getLong(int reference, int offset) {
    return (long) LONG.get(region(reference), index(reference) + offset);
  }

  void putInt(int reference, int offset, int value) {
    INT.set(region(reference), index(reference) + offset, value);
  }

  void putIntRelease(int reference, int offset, int value) {
    INT.setRelease(region(reference), index(reference) + offset, value);
  }

  void putLong(int reference, int offset, long value) {
    LONG.set(region(reference), index(reference) + offset, value);
  }

  /** Copies bytes of a piece to an array. */
  void read(int reference, int offset, byte[] target, int targetOffset, int length) {
    region(reference).get(index(reference) + offset, target, targetOffset, length);
  }

  /** Copies bytes of an array to a piece. */
  void write(int reference, int offset, byte[] source, int sourceOffset, int length) {
    region(reference).put(index(reference) + offset, source, sourceOffset, length);
  }

  /** Compares bytes of a piece with those of an array, unsigned. */
  int compare(
      int reference, int offset, int length, byte[] other, int otherOffset, int otherLength) {
    ByteBuffer region = region(reference);
    int at = index(reference) + offset;
    int common = Math.min(length, otherLength);
    int i = 0;
    for (; i <= common - Long.BYTES; i += Long.BYTES) {
      long left = (long) BIG_ENDIAN_LONG.get(region, at + i);
      long right = BigEndian.getLong(other, otherOffset + i);
      if (left != right) {
        return Long.compareUnsigned(left, right);
      }
    }
    for (; i < common; i++) {
      int order = Byte.compareUnsigned(region.get(at + i), other[otherOffset + i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(length, otherLength);
  }

  private ByteBuffer region(int reference) {
    return regions[reference >>> REGION_SHIFT];
  }

  private static int index(int reference) {
    return (reference & REGION_MASK) << UNIT_BITS;
  }

  /** Frees all memory. The arena must not be used afterwards. */
  void close() {
    regions = new ByteBuffer[0];
    for (int i = 0; i < slabCount; i++) {
      slabs[i].close();
    }
    slabs = new OffHeapBuffer[0];
    slabCount = 0;
    slabBytesInUse = 0;
  }
}
