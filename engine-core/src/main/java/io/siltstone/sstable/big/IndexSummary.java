package io.siltstone.sstable.big;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.BufferedOutput;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The index summary ({@code Summary.db}): sampled keys of the index with their positions in {@code
 * Index.db}, from which a lookup begins.
 *
 * <pre>
 *   interval     int                   keys from one sample to the next at full sampling
 *   count        int                   samples, &gt; 0
 *   size         long                  bytes of offsets and samples
 *   level        int                   1 to 128: the share of samples that is kept, in 128ths
 *   full         int                   samples at full sampling
 *   offset[]     int, little-endian    of each sample, counted from the first offset
 *   sample[]     key, then long, little-endian: its position in Index.db
 *   first, last  int n, n bytes        keys of the table
 * </pre>
 *
 * All other integers are big-endian. Up to version nb, Cassandra wrote the little-endian ones in
 * the byte order of its machine; files of big-endian machines are read too. There is no checksum:
 * order and bounds are checked. Summaries are written at full sampling and read at any level.
 * Source: Cassandra {@code IndexSummary}, {@code IndexSummaryComponent}, versions na to oa.
 *
 * <p>The token of each sample is kept in memory, so that a search compares numbers. All samples are
 * off-heap and counted as {@link MemoryKind#INDEX_SUMMARY}; the caller that builds or opens a
 * summary closes it after the last search. Immutable, safe for use by all threads; searching
 * allocates nothing.
 */
public final class IndexSummary implements AutoCloseable {
  /** The sampling level at which all samples are kept. */
  static final int FULL_SAMPLING = 128;

  static final int HEADER_BYTES = 24;
  static final int OFFSET_BYTES = Integer.BYTES;
  static final int POSITION_BYTES = Long.BYTES;

  // For each sample in memory: its token, and its offset among the samples.
  private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;

  // Offsets are ints. Some room is left for the padding of allocators.
  private static final int MAX_SAMPLE_BYTES = Integer.MAX_VALUE - 4096;

  private final int interval;
  private final int level;
  private final int fullCount;
  private final int count;
  private final int sampleBytes;
  private final OffHeapBuffer slotMemory;
  private final OffHeapBuffer sampleMemory;
  private final PartitionKey firstKey;
  private final PartitionKey lastKey;
  private @Nullable ByteBuffer slots;
  private @Nullable ByteBuffer samples;

  private IndexSummary(
      int interval,
      int level,
      int fullCount,
      GrowingBuffer slots,
      GrowingBuffer samples,
      PartitionKey firstKey,
      PartitionKey lastKey) {
    this.interval = interval;
    this.level = level;
    this.fullCount = fullCount;
    this.count = slots.length() / SLOT_BYTES;
    this.sampleBytes = samples.length();
    this.firstKey = firstKey;
    this.lastKey = lastKey;
    this.slotMemory = slots.release();
    this.sampleMemory = samples.release();
    this.slots = slotMemory.bytes();
    this.samples = sampleMemory.bytes().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a file.
   *
   * @param partitioner of the table
   * @param indexLength length of its {@code Index.db}
   * @throws CorruptSSTableException if it cannot be a summary of that index
   * @throws io.siltstone.memory.OutOfBudgetException if the budget does not allow it
   */
  public static IndexSummary open(
      Directory directory,
      String name,
      Partitioner partitioner,
      long indexLength,
      MemoryBudget budget)
      throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      IndexSummaryReader in = new IndexSummaryReader(file);
      in.readHeader();
      try (Builder builder = new Builder(in.interval(), budget)) {
        builder.reserve(in.count(), in.sampleBytes());
        in.readSamples(builder, partitioner, indexLength);
        return builder.build(in.level(), in.fullCount(), in.firstKey(), in.lastKey());
      }
    }
  }

  /** Returns the number of samples, 1 or more. */
  public int size() {
    return count;
  }

  /**
   * Returns the number of keys from one sample to the next at full sampling ({@code
   * min_index_interval}).
   */
  public int interval() {
    return interval;
  }

  /** Returns the table's first key, which must not be changed. */
  public PartitionKey firstKey() {
    return firstKey;
  }

  /** Returns the table's last key, which must not be changed. */
  public PartitionKey lastKey() {
    return lastKey;
  }

  /** Returns its memory in bytes. */
  public long memoryBytes() {
    return (long) slotMemory.capacity() + sampleMemory.capacity();
  }

  /** Returns the position of a sample in the index. */
  public long position(int index) {
    return open(samples).getLong(end(index) - POSITION_BYTES);
  }

  /** Returns a copy of a sample's key. */
  public byte[] key(int index) {
    int start = start(index);
    byte[] key = new byte[end(index) - POSITION_BYTES - start];
    open(samples).get(start, key);
    return key;
  }

  /** Returns whether a sample has a key. */
  boolean hasKey(int index, PartitionKey key) {
    return compareBytes(index, key) == 0;
  }

  private int start(int index) {
    return open(slots).getInt(index * SLOT_BYTES + Long.BYTES);
  }

  private int end(int index) {
    return index == count - 1 ? sampleBytes : start(index + 1);
  }

  /**
   * Returns the last sample whose key is not greater than {@code key}, or -1 if all are greater.
   */
  public int floorIndex(PartitionKey key) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (compareSample(middle, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** Returns the key of the last sample before {@code key}, or null if there is none. */
  public @Nullable PartitionKey sampleBefore(PartitionKey key) {
    int index = floorIndex(key);
    if (index >= 0 && compareSample(index, key) == 0) {
      index--;
    }
    return index < 0 ? null : PartitionKey.of(key(index), open(slots).getLong(index * SLOT_BYTES));
  }

  private int compareSample(int index, PartitionKey key) {
    int order = Long.compare(open(slots).getLong(index * SLOT_BYTES), key.token());
    return order != 0 ? order : compareBytes(index, key);
  }

  private int compareBytes(int index, PartitionKey key) {
    ByteBuffer from = open(samples);
    int start = start(index);
    int length = end(index) - POSITION_BYTES - start;
    int common = Math.min(length, key.length());
    int i = 0;
    for (; i <= common - Long.BYTES; i += Long.BYTES) {
      // Bytes compare as unsigned, hence as the big-endian numbers that they make up.
      long sample = Long.reverseBytes(from.getLong(start + i));
      long other = BigEndian.getLong(key.bytes(), key.offset() + i);
      if (sample != other) {
        return Long.compareUnsigned(sample, other);
      }
    }
    for (; i < common; i++) {
      int order = Byte.compareUnsigned(from.get(start + i), key.bytes()[key.offset() + i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(length, key.length());
  }

  private static ByteBuffer open(@Nullable ByteBuffer buffer) {
    if (buffer == null) {
      throw new IllegalStateException("index summary is closed");
    }
    return buffer;
  }

  /**
   * Creates a file and makes its content durable.
   *
   * @param name of the file, which must not exist
   */
  public void write(Directory directory, String name, WriteIntent intent) throws IOException {
    ByteBuffer from = open(samples);
    try (WritableFile file = directory.create(name, intent)) {
      BufferedOutput out = new BufferedOutput(file);
      byte[] number = new byte[HEADER_BYTES];
      BigEndian.putInt(number, 0, interval);
      BigEndian.putInt(number, 4, count);
      BigEndian.putLong(number, 8, (long) count * OFFSET_BYTES + sampleBytes);
      BigEndian.putInt(number, 16, level);
      BigEndian.putInt(number, 20, fullCount);
      out.write(number, 0, HEADER_BYTES);
      for (int i = 0; i < count; i++) {
        BigEndian.putInt(number, 0, Integer.reverseBytes(start(i) + count * OFFSET_BYTES));
        out.write(number, 0, OFFSET_BYTES);
      }
      byte[] piece = new byte[Math.min(sampleBytes, 8192)];
      for (int at = 0; at < sampleBytes; at += piece.length) {
        int length = Math.min(piece.length, sampleBytes - at);
        from.get(at, piece, 0, length);
        out.write(piece, 0, length);
      }
      writeKey(out, firstKey, number);
      writeKey(out, lastKey, number);
      out.sync();
    }
  }

  private static void writeKey(BufferedOutput out, PartitionKey key, byte[] number)
      throws IOException {
    BigEndian.putInt(number, 0, key.length());
    out.write(number, 0, Integer.BYTES);
    out.write(key.bytes(), key.offset(), key.length());
  }

  /** Frees the memory. A second call does nothing. */
  @Override
  public void close() {
    slots = null;
    samples = null;
    slotMemory.close();
    sampleMemory.close();
  }

  @Override
  public String toString() {
    return "IndexSummary[samples=" + count + ", interval=" + interval + ", level=" + level + "]";
  }

  /**
   * Builds a summary from the keys of an index in their order. Confined to one thread; the owner
   * closes it, before or after {@link #build}.
   */
  public static final class Builder implements AutoCloseable {
    private final int interval;
    private final GrowingBuffer slots;
    private final GrowingBuffer samples;
    private long keys;
    private int keysToSample;
    private boolean isFull;
    private boolean isBuilt;

    /**
     * Creates a builder without keys.
     *
     * @param interval keys from one sample to the next ({@code min_index_interval}), 1 or more
     */
    public Builder(int interval, MemoryBudget budget) {
      if (interval < 1) {
        throw new IllegalArgumentException(
            "min_index_interval " + interval + ", allowed 1 or more");
      }
      this.interval = interval;
      this.slots = new GrowingBuffer(budget, MemoryKind.INDEX_SUMMARY);
      this.samples = new GrowingBuffer(budget, MemoryKind.INDEX_SUMMARY);
    }

    /**
     * Adds the next key of the index. Allocates only when the samples' memory has to grow.
     *
     * @param position of its entry in the index
     * @throws io.siltstone.memory.OutOfBudgetException if the budget does not allow another sample
     */
    public void add(PartitionKey key, long position) {
      if (isBuilt) {
        throw new IllegalStateException("the summary is built");
      }
      if (keysToSample == 0) {
        sample(key, position);
        keysToSample = interval;
      }
      keysToSample--;
      keys++;
    }

    private void reserve(int count, int sampleBytes) {
      slots.reserve(count * SLOT_BYTES);
      samples.reserve(sampleBytes);
    }

    /**
     * Adds a sample. As in Cassandra, samples are left out once their offsets would exceed an int.
     */
    void sample(PartitionKey key, long position) {
      long after = (long) samples.length() + key.length() + POSITION_BYTES;
      isFull |= after + slots.length() > MAX_SAMPLE_BYTES;
      if (!isFull) {
        slots.addLong(key.token());
        slots.addInt(samples.length());
        samples.add(key.bytes(), key.offset(), key.length());
        samples.addLong(Long.reverseBytes(position));
      }
    }

    /**
     * Returns the summary of the added keys; may be called once.
     *
     * @param first the first added key, taken over
     * @param last the last added key, taken over
     * @throws IllegalStateException if no key was added
     */
    public IndexSummary build(PartitionKey first, PartitionKey last) {
      if (keys == 0) {
        throw new IllegalStateException("there is no summary of an index without keys");
      }
      int fullCount = (int) Math.min(Integer.MAX_VALUE, (keys + interval - 1) / interval);
      return build(FULL_SAMPLING, fullCount, first, last);
    }

    private IndexSummary build(int level, int fullCount, PartitionKey first, PartitionKey last) {
      isBuilt = true;
      slots.trim();
      samples.trim();
      return new IndexSummary(interval, level, fullCount, slots, samples, first, last);
    }

    /** Frees the memory that no summary has taken over. A second call does nothing. */
    @Override
    public void close() {
      slots.close();
      samples.close();
    }
  }
}
