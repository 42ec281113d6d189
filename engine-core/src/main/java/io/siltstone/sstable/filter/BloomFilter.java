package io.siltstone.sstable.filter;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bloom filter over the partition keys of one table ({@code Filter.db}).
 *
 * <pre>
 *   hashes   int          bits per key, 1 to 20
 *   words    int          &gt; 0
 *   bits     byte x 8 x words   bit n is bit n % 8 of byte n / 8
 * </pre>
 *
 * All integers big-endian; there is no checksum. Source: Cassandra {@code BloomFilterSerializer},
 * {@code OffHeapBitSet}, versions na to oa.
 *
 * <p>Keys are represented by their {@link io.siltstone.bytes.Murmur3Hash}, with any partitioner.
 * The bits are off-heap, in pieces of up to 1 GiB, and counted as {@link MemoryKind#BLOOM_FILTER};
 * the caller that creates or opens a filter closes it after the last lookup. One thread adds keys;
 * after safe publication, any number of threads look keys up. Lookups and additions allocate
 * nothing.
 */
public final class BloomFilter implements AutoCloseable {
  private static final int HEADER_BYTES = 8;
  private static final int MAX_HASHES = 20;
  private static final int MAX_SEGMENT_SHIFT = 30;
  private static final int ZEROS_BYTES = 8192;

  private final int hashes;
  private final long bits;
  private final long inverse;
  private final int inverseShift;
  private final int segmentShift;
  private final List<OffHeapBuffer> memory;
  private ByteBuffer @Nullable [] segments;

  // Counted while keys are added: their bits, and the bits that were not set before.
  private long bitsGiven;
  private long bitsSet;

  private BloomFilter(int hashes, int words, int segmentShift, List<OffHeapBuffer> memory) {
    this.hashes = hashes;
    this.segmentShift = segmentShift;
    this.bits = words * 64L;
    int floor = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(bits, 2));
    boolean isPowerOfTwo = Long.bitCount(bits) <= 1;
    this.inverseShift = isPowerOfTwo ? floor - 1 : floor;
    this.inverse =
        isPowerOfTwo
            ? Long.MIN_VALUE
            : BigInteger.ONE
                .shiftLeft(Long.SIZE + floor)
                .divide(BigInteger.valueOf(bits))
                .add(BigInteger.ONE)
                .longValue();
    this.memory = memory;
    this.segments = memory.stream().map(OffHeapBuffer::bytes).toArray(ByteBuffer[]::new);
  }

  /**
   * Creates an empty filter.
   *
   * @param expectedKeys approximate number of keys; more keys raise the rate of false positives
   * @param falsePositives accepted share of absent keys that pass the filter ({@code
   *     bloom_filter_fp_chance}), 0.0000671 to 1; at 1 the filter is {@link #alwaysPresent}
   * @throws IllegalArgumentException if a number is out of range
   * @throws io.siltstone.memory.OutOfBudgetException if the budget does not allow it
   */
  public static BloomFilter create(long expectedKeys, double falsePositives, MemoryBudget budget) {
    return create(expectedKeys, falsePositives, budget, MAX_SEGMENT_SHIFT);
  }

  /** Creates a filter as the public method does, in pieces of {@code 1 << segmentShift} bytes. */
  static BloomFilter create(
      long expectedKeys, double falsePositives, MemoryBudget budget, int segmentShift) {
    if (falsePositives == 1) {
      return alwaysPresent();
    }
    FilterSize size = FilterSize.of(falsePositives);
    int words = size.words(expectedKeys);
    BloomFilter filter =
        new BloomFilter(size.hashes(), words, segmentShift, allocate(words, budget, segmentShift));
    filter.clear();
    return filter;
  }

  /** Returns the filter that every key passes. It has neither memory nor a file. */
  public static BloomFilter alwaysPresent() {
    return new BloomFilter(0, 0, MAX_SEGMENT_SHIFT, List.of());
  }

  /**
   * Reads a file. An empty file is {@link #alwaysPresent}, as in Cassandra.
   *
   * @throws CorruptFileException if its length and its header do not agree
   * @throws io.siltstone.memory.OutOfBudgetException if the budget does not allow it
   */
  public static BloomFilter open(Directory directory, String name, MemoryBudget budget)
      throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      if (file.length() == 0) {
        return alwaysPresent();
      }
      if (file.length() < HEADER_BYTES) {
        throw new CorruptFileException(
            file.path(), CorruptFileException.WHOLE_FILE, "has " + file.length() + " bytes");
      }
      byte[] header = new byte[HEADER_BYTES];
      file.readFully(0, ByteBuffer.wrap(header));
      int hashes = BigEndian.getInt(header, 0);
      if (hashes < 1 || hashes > MAX_HASHES) {
        throw new CorruptFileException(
            file.path(), 0, "hash count " + hashes + ", allowed 1 to " + MAX_HASHES);
      }
      int words = BigEndian.getInt(header, 4);
      if (words < 1 || file.length() != HEADER_BYTES + words * 8L) {
        throw new CorruptFileException(
            file.path(),
            4,
            "word count " + words + " in a file of " + file.length() + " bytes, header included");
      }
      BloomFilter filter =
          new BloomFilter(
              hashes, words, MAX_SEGMENT_SHIFT, allocate(words, budget, MAX_SEGMENT_SHIFT));
      try {
        filter.fill(file);
      } catch (Throwable e) {
        filter.close();
        throw e;
      }
      return filter;
    }
  }

  private static List<OffHeapBuffer> allocate(int words, MemoryBudget budget, int segmentShift) {
    List<OffHeapBuffer> memory = new ArrayList<>();
    try {
      for (long left = words * 8L; left > 0; left -= 1L << segmentShift) {
        int size = (int) Math.min(left, 1L << segmentShift);
        memory.add(budget.allocate(MemoryKind.BLOOM_FILTER, size));
      }
    } catch (Throwable e) {
      memory.forEach(OffHeapBuffer::close);
      throw e;
    }
    return memory;
  }

  private void clear() {
    byte[] zeros = new byte[ZEROS_BYTES];
    for (ByteBuffer segment : segments()) {
      ByteBuffer target = segment.duplicate();
      while (target.hasRemaining()) {
        target.put(zeros, 0, Math.min(zeros.length, target.remaining()));
      }
    }
  }

  private void fill(ReadableFile file) throws IOException {
    long position = HEADER_BYTES;
    for (ByteBuffer segment : segments()) {
      ByteBuffer target = segment.duplicate();
      int length = target.remaining();
      file.readFully(position, target);
      position += length;
    }
  }

  /** Returns whether it has no bits and every key passes. */
  public boolean isAlwaysPresent() {
    return hashes == 0;
  }

  /** Returns its memory in bytes. */
  public long memoryBytes() {
    return bits / 8;
  }

  /**
   * Adds a key; does nothing if it {@link #isAlwaysPresent}.
   *
   * @param h1 first half of the key's hash
   * @param h2 second half of the key's hash
   */
  public void add(long h1, long h2) {
    ByteBuffer[] into = segments();
    long hash = h2;
    for (int i = 0; i < hashes; i++) {
      bitsSet += set(into, bit(hash));
      hash += h1;
    }
    bitsGiven += hashes;
  }

  /** Returns the number of bits of each key, which {@link #bitsOf} computes. */
  public int bitsPerKey() {
    return hashes;
  }

  /**
   * Computes the bits of a key, to be {@linkplain #setBits set} later. Safe for use by all threads.
   *
   * @param to receives {@link #bitsPerKey} bits from index {@code at} on
   */
  public void bitsOf(long h1, long h2, long[] to, int at) {
    long hash = h2;
    for (int i = 0; i < hashes; i++) {
      to[at + i] = bit(hash);
      hash += h1;
    }
  }

  /**
   * Adds keys by their bits, many at a time: a filter is larger than the processor's caches, so the
   * memory accesses of many bits overlap.
   */
  public void setBits(long[] from, int count) {
    ByteBuffer[] into = segments();
    int changed = 0;
    for (int i = 0; i < count; i++) {
      changed += set(into, from[i]);
    }
    bitsSet += changed;
    bitsGiven += count;
  }

  /**
   * Sets bits of a region that is contiguous in memory.
   *
   * @param first bit of the region, a multiple of its size
   * @param from has {@code count} shorts at {@code at}: the index of each bit in the region
   */
  void setBits(long first, ByteBuffer from, int at, int count) {
    ByteBuffer segment = segments()[(int) (first >>> (segmentShift + 3))];
    int base = (int) (first >>> 3) & ((1 << segmentShift) - 1);
    int changed = 0;
    for (int i = 0; i < count; i++) {
      int bit = from.getShort(at + i * Short.BYTES);
      int target = base + ((bit & 0xffff) >>> 3);
      int before = segment.get(target);
      changed += ~before >>> (bit & 7) & 1;
      segment.put(target, (byte) (before | (1 << (bit & 7))));
    }
    bitsSet += changed;
    bitsGiven += count;
  }

  /** Sets a bit; returns 1 if it was not set before, else 0. */
  private int set(ByteBuffer[] into, long bit) {
    ByteBuffer segment = into[(int) (bit >>> (segmentShift + 3))];
    int at = (int) (bit >>> 3) & ((1 << segmentShift) - 1);
    int before = segment.get(at);
    segment.put(at, (byte) (before | (1 << (bit & 7))));
    return ~before >>> (bit & 7) & 1;
  }

  /** Returns the number of bits of added keys; each key has {@link #bitsPerKey}. */
  public long bitsGiven() {
    return bitsGiven;
  }

  /** Returns the number of bits that are set by added keys. */
  public long bitsSet() {
    return bitsSet;
  }

  /**
   * Returns {@code abs(hash % bits)}, computed by a multiplication: a division takes several times
   * as long. As {@code inverse = floor(2^(64 + n) / bits) + 1} with {@code 2^n <= bits}, the upper
   * half of the product is exact for all numbers up to 2^63 (Granlund and Montgomery, 1994); for
   * powers of two it is {@code 2^(64 + n - 1) / bits}.
   */
  private long bit(long hash) {
    // The result is 2^63 for Long.MIN_VALUE, as an unsigned rather than a negative number.
    long value = Math.abs(hash);
    long product = Math.multiplyHigh(value, inverse) + value + (value >> 63 & inverse);
    return value - (product >>> inverseShift) * bits;
  }

  /**
   * Returns whether a key may have been added; false is certain.
   *
   * @param h1 first half of the key's hash
   * @param h2 second half of the key's hash
   */
  public boolean mightContain(long h1, long h2) {
    ByteBuffer[] from = segments();
    long hash = h2;
    for (int i = 0; i < hashes; i++) {
      long bit = bit(hash);
      int at = (int) (bit >>> 3) & ((1 << segmentShift) - 1);
      if ((from[(int) (bit >>> (segmentShift + 3))].get(at) & (1 << (bit & 7))) == 0) {
        return false;
      }
      hash += h1;
    }
    return true;
  }

  /**
   * Writes it as a whole file.
   *
   * @throws IllegalStateException if it {@link #isAlwaysPresent}: such a table has no file
   */
  public void write(WritableFile file) throws IOException {
    if (isAlwaysPresent()) {
      throw new IllegalStateException("a filter that lets every key through has no file");
    }
    ByteBuffer[] from = segments();
    byte[] header = new byte[HEADER_BYTES];
    BigEndian.putInt(header, 0, hashes);
    BigEndian.putInt(header, 4, (int) (bits / 64));
    file.write(ByteBuffer.wrap(header));
    for (ByteBuffer segment : from) {
      file.write(segment.duplicate());
    }
  }

  private ByteBuffer[] segments() {
    ByteBuffer[] open = segments;
    if (open == null) {
      throw new IllegalStateException("bloom filter is closed");
    }
    return open;
  }

  /** Frees the memory. A second call does nothing. */
  @Override
  public void close() {
    segments = null;
    memory.forEach(OffHeapBuffer::close);
  }

  @Override
  public String toString() {
    return "BloomFilter[hashes=" + hashes + ", bits=" + bits + "]";
  }
}
