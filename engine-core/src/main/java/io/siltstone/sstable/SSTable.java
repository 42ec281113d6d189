package io.siltstone.sstable;

import io.siltstone.cache.CachedFile;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadableFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.Statistics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An SSTable, opened for reading.
 *
 * <p>Immutable, safe for use by any number of threads. Each cursor or reader that it returns is for
 * one thread. Whoever opens an SSTable closes it, after all its cursors and readers. Filter,
 * summary and chunk offsets are off-heap and counted in the budget; no memory that it holds grows
 * with the size of a partition.
 */
public final class SSTable implements Closeable {
  private static final int INDEX_READ_BYTES = 4 * 1024;
  private static final int BLOCK_READ_BYTES = 256;
  private static final int INDEX_SCAN_BYTES = 64 * 1024;
  private static final int SCAN_WINDOW_BYTES = 128 * 1024;

  // What a point read copies of a cached chunk at first: nearly all partitions, if they are small.
  private static final double SHARE_IN_FIRST_BYTES = 0.95;
  private static final int LEAST_FIRST_BYTES = 256;
  private static final int MOST_FIRST_BYTES = 4 * 1024;
  private static final int FIRST_BYTES_OF_LARGE = 2 * 1024;

  private final Directory directory;
  private final Descriptor descriptor;
  private final Set<Component> components;
  private final Statistics statistics;
  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final ChunkedFile data;
  private final CachedFile cached;
  private final KeyCache keys;
  private final long keyTable;
  private final ReadableFile index;
  private final BloomFilter filter;
  private final IndexSummary summary;
  private final PartitionKey firstKey;
  private final PartitionKey lastKey;
  private final long writtenAt;
  private final int firstBytes;

  SSTable(
      Directory directory,
      Descriptor descriptor,
      Set<Component> components,
      Statistics statistics,
      RowEncoding encoding,
      Partitioner partitioner,
      ChunkedFile data,
      CachedFile cached,
      KeyCache keys,
      ReadableFile index,
      BloomFilter filter,
      IndexSummary summary,
      long writtenAt) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.components = components;
    this.statistics = statistics;
    this.encoding = encoding;
    this.partitioner = partitioner;
    this.data = data;
    this.cached = cached;
    this.keys = keys;
    this.keyTable = keys.newTable();
    this.index = index;
    this.filter = filter;
    this.summary = summary;
    this.firstKey = summary.firstKey();
    this.lastKey = summary.lastKey();
    this.writtenAt = writtenAt;
    this.firstBytes = firstBytes(statistics.stats().partitionSizes());
  }

  private static int firstBytes(EstimatedHistogram partitionSizes) {
    long size = partitionSizes.percentile(SHARE_IN_FIRST_BYTES);
    return size == 0 || size > MOST_FIRST_BYTES
        ? FIRST_BYTES_OF_LARGE
        : (int) Math.max(size, LEAST_FIRST_BYTES);
  }

  /** Opens an SSTable without caches, as tools and whoever reads it once do. */
  public static SSTable open(
      Directory directory, Descriptor descriptor, SSTableOptions options, MemoryBudget budget)
      throws IOException {
    return open(directory, descriptor, options, ReadCaches.NONE, budget);
  }

  /**
   * Opens an SSTable.
   *
   * @param directory the directory of its files
   * @param descriptor the first part of their names
   * @param caches the caches for point reads; not taken over, and to be closed after the SSTable
   * @param budget the budget for its off-heap memory
   * @throws CorruptSSTableException if a component is damaged, missing, or contradicts another
   * @throws io.siltstone.sstable.format.UnsupportedSSTableException if its partitioner or a type in
   *     its header is not supported
   * @throws NoSuchFileException if there is no such SSTable
   */
  public static SSTable open(
      Directory directory,
      Descriptor descriptor,
      SSTableOptions options,
      ReadCaches caches,
      MemoryBudget budget)
      throws IOException {
    return new SSTableOpening(directory, descriptor, options, caches, budget).open();
  }

  /** What the names of its files begin with. */
  public Descriptor descriptor() {
    return descriptor;
  }

  /** Where its files are. */
  public Directory directory() {
    return directory;
  }

  /** The files it has. */
  public Set<Component> components() {
    return components;
  }

  /** What {@code Statistics.db} says. */
  public Statistics statistics() {
    return statistics;
  }

  /** Types, columns and delta bases of its rows. */
  public SerializationHeader header() {
    return encoding.header();
  }

  /** The form of its rows. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** That ordered its partitions. */
  public Partitioner partitioner() {
    return partitioner;
  }

  /** Key of the first partition. */
  public PartitionKey firstKey() {
    return firstKey;
  }

  /** Key of the last partition. */
  public PartitionKey lastKey() {
    return lastKey;
  }

  /** Whether its data has checksums; uncompressed data without a usable {@code CRC.db} has not. */
  public boolean hasChecksums() {
    return data.hasChecksums();
  }

  /** How its data is compressed. */
  public CompressionOptions compression() {
    return data.compression();
  }

  /** Bytes that its data takes at most, nearly, if it is written with a compression. */
  public long mostOnDisk(CompressionOptions written) {
    return written.equals(compression()) ? onDiskLength() : dataLength();
  }

  /** Uncompressed bytes of its data. */
  public long dataLength() {
    return data.length();
  }

  /** When its data file was completed, in milliseconds since 1970, as the file system says. */
  public long writtenAt() {
    return writtenAt;
  }

  /** Bytes of its data file. */
  public long onDiskLength() {
    return data.onDiskLength();
  }

  /** Bytes off-heap that the table holds while it is open: filter, summary, chunk offsets. */
  public long offHeapBytes() {
    return filterOffHeapBytes() + summaryOffHeapBytes() + offsetsOffHeapBytes();
  }

  /** Bytes off-heap of its bloom filter. */
  public long filterOffHeapBytes() {
    return filter.memoryBytes();
  }

  /** Bytes off-heap of its index summary. */
  public long summaryOffHeapBytes() {
    return summary.memoryBytes();
  }

  /** Bytes off-heap that tell where its chunks begin. */
  public long offsetsOffHeapBytes() {
    return data.offsetsOffHeapBytes();
  }

  /**
   * Opens a cursor over a range of partitions, over the read-ahead path: the chunk cache is neither
   * asked nor filled. The caller closes it.
   */
  public DataCursor scan(SequentialAccess access, PartitionRange range) throws IOException {
    PartitionKey first = range.from();
    PartitionKey last = range.to();
    if (first == null && last == null) {
      return scan(access, 0, data.length());
    }
    long from = 0;
    long to = data.length();
    long fromEntry = 0;
    long toEntry = index.length();
    PartitionKey begin = new PartitionKey();
    try (PartitionLookup lookup =
        new PartitionLookup(
            this, IndexCursor.over(index, INDEX_READ_BYTES, false), keys.lookup(keyTable))) {
      if (first != null) {
        boolean isThere = lookup.seekCeiling(first);
        from = isThere ? lookup.dataPosition() : data.length();
        fromEntry = lookup.entryPosition();
        begin.copyFrom(isThere ? lookup.key() : first);
      }
      if (last != null && lookup.seekCeiling(last)) {
        to = lookup.dataPosition();
        toEntry = lookup.entryPosition();
      }
    }
    if (from > to || to > data.length()) {
      throw indexCorrupt(
          from > data.length() ? fromEntry : toEntry,
          "partitions from " + from + " to " + to + " of " + data.length());
    }
    DataCursor cursor = scan(access, from, to);
    cursor.expect(
        first == null || from == to ? null : begin, last, misplaced(from, fromEntry, toEntry));
    return cursor;
  }

  private BiFunction<Long, String, CorruptSSTableException> misplaced(
      long from, long fromEntry, long toEntry) {
    return (position, reason) -> indexCorrupt(position == from ? fromEntry : toEntry, reason);
  }

  /**
   * Copies uncompressed bytes of the data, past all caches: for whoever wants to know how they
   * compress.
   *
   * @param position in the uncompressed data
   * @return bytes copied: all that there is room for, or as many as are there
   */
  public int copyData(long position, byte[] into) throws IOException {
    int copied = 0;
    try (ChunkSource chunks = data.openRandom()) {
      while (copied < into.length) {
        int count = chunks.read(position + copied, into, copied, into.length - copied);
        if (count < 0) {
          break;
        }
        copied += count;
      }
    }
    return copied;
  }

  /** The uncompressed data. The caller closes it. */
  ChunkSource openData(SequentialAccess access) throws IOException {
    return data.openSequential(access, 0, data.length());
  }

  private DataCursor scan(SequentialAccess access, long from, long to) throws IOException {
    ByteSource source = ByteSource.of(data.openSequential(access, from, to));
    // Who reads little ahead, as one of very many, is short of heap too; and small tables are many.
    long useful = Math.min(to - from, access.readAheadBytes());
    int capacity = (int) Math.min(SCAN_WINDOW_BYTES, Math.max(2L * source.unit(), useful));
    ByteWindow window = new ByteWindow(source, Component.DATA, capacity, true);
    window.seek(from);
    return new DataCursor(window, encoding, descriptor.version(), partitioner, to);
  }

  /**
   * Scans a range of partitions so that another thread can close the cursor.
   *
   * @param cancelSignal see {@link DataCursor#cancelOn}
   */
  public DataCursor scan(SequentialAccess access, PartitionRange range, CancelSignal cancelSignal)
      throws IOException {
    DataCursor cursor = scan(access, range);
    cursor.cancelOn(cancelSignal);
    return cursor;
  }

  /** Scans a range of partitions with {@link SequentialAccess#SCAN}. */
  public DataCursor scan(PartitionRange range) throws IOException {
    return scan(SequentialAccess.SCAN, range);
  }

  /** Scans all partitions with {@link SequentialAccess#SCAN}. */
  public DataCursor scan() throws IOException {
    return scan(SequentialAccess.SCAN, PartitionRange.ALL);
  }

  /**
   * Whether the SSTable may contain a key; false is certain. Compares with the first and last key,
   * and asks the bloom filter; reads no file.
   *
   * @param h1 first half of the key's {@link io.siltstone.bytes.Murmur3Hash}
   * @param h2 second half of it
   */
  public boolean mightContain(PartitionKey key, long h1, long h2) {
    return isInRange(key) && filter.mightContain(h1, h2);
  }

  /** Whether a key lies between the first and the last, both included. In memory. */
  public boolean isInRange(PartitionKey key) {
    return key.compareTo(firstKey) >= 0 && key.compareTo(lastKey) <= 0;
  }

  /**
   * The greatest key before the given one of those that the summary has, one in {@code
   * min_index_interval}; null if it has none. In memory.
   */
  public @Nullable PartitionKey sampleBefore(PartitionKey key) {
    return summary.sampleBefore(key);
  }

  /**
   * Some of the partitions, spread evenly over all of them by number, of those that the summary
   * has. Reads a little of the index for each.
   *
   * @param most that there are, 1 or more
   */
  public List<PartitionSample> samples(int most) throws IOException {
    List<PartitionSample> samples = new ArrayList<>();
    try (PartitionLookup lookup =
        new PartitionLookup(
            this, IndexCursor.over(index, INDEX_READ_BYTES, false), keys.lookup(keyTable))) {
      int count = Math.min(most, summary.size());
      for (int i = 0; i < count; i++) {
        byte[] bytes = summary.key((int) ((long) i * summary.size() / count));
        PartitionKey key = PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
        if (!lookup.seekCeiling(key)) {
          throw indexCorrupt(
              index.length(), key + " is in the summary, and neither it nor a greater one here");
        }
        samples.add(new PartitionSample(key, lookup.dataPosition()));
      }
    }
    return samples;
  }

  /**
   * Opens a reader for point and slice reads, through the caches that the table was opened with.
   * The caller closes it.
   */
  public PartitionReader reader() {
    FileReads indexReads = new FileReads();
    PartitionLookup lookup =
        new PartitionLookup(
            this,
            IndexCursor.over(index, INDEX_READ_BYTES, false, indexReads),
            keys.lookup(keyTable));
    ChunkSource chunks = cached.openRandom();
    ByteSource source =
        cached.isOff() ? ByteSource.of(chunks) : ByteSource.ofCached(chunks, firstBytes);
    ByteWindow window = new ByteWindow(source, Component.DATA, source.unit(), false);
    DataCursor rows =
        new DataCursor(window, encoding, descriptor.version(), partitioner, data.length());
    return new PartitionReader(
        this, lookup, rows, indexBlocks(indexReads), chunks.reads(), indexReads);
  }

  /** Opens a cursor over the entries of the index, from the first on. The caller closes it. */
  public IndexCursor indexEntries() {
    return IndexCursor.over(index, INDEX_SCAN_BYTES, true);
  }

  /**
   * Opens the blocks of index entries, to be turned to one after the other. The caller closes it.
   */
  public IndexBlocks indexBlocks() {
    return indexBlocks(new FileReads());
  }

  private IndexBlocks indexBlocks(FileReads reads) {
    return new IndexBlocks(
        indexWindow(reads),
        indexWindow(reads),
        encoding,
        new ClusteringComparator(header().clusteringTypes()),
        descriptor.version());
  }

  private ByteWindow indexWindow(FileReads reads) {
    // A search looks at few bytes in each of many places.
    int unit = index.isMapped() ? BLOCK_READ_BYTES : INDEX_READ_BYTES;
    return new ByteWindow(
        ByteSource.of(index, unit, reads), Component.PRIMARY_INDEX, 2 * unit, false);
  }

  /** Whether it has a {@code Digest.crc32}, with which {@link #verifyDigest} compares. */
  boolean hasDigest() {
    return components.contains(Component.DIGEST);
  }

  /** Compares {@code Digest.crc32} with the data file, all of which it reads. */
  public void verifyDigest() throws IOException {
    if (!hasDigest()) {
      return;
    }
    String name = descriptor.fileName(Component.DIGEST);
    long expected = SSTableFiles.readDigest(directory, name);
    long found = ChunkedFile.digest(directory, descriptor.fileName(Component.DATA));
    if (expected != found) {
      throw new CorruptSSTableException(
          data.path(),
          Component.DATA,
          CorruptFileException.WHOLE_FILE,
          "the CRC32 of the file is " + found + ", " + name + " says " + expected);
    }
  }

  BloomFilter filter() {
    return filter;
  }

  IndexSummary summary() {
    return summary;
  }

  long indexLength() {
    return index.length();
  }

  CorruptSSTableException indexCorrupt(long position, String reason) {
    return new CorruptSSTableException(index.path(), Component.PRIMARY_INDEX, position, reason);
  }

  CorruptSSTableException dataCorrupt(long position, String reason) {
    return new CorruptSSTableException(data.path(), Component.DATA, position, reason);
  }

  CorruptSSTableException dataOutOfOrder(String reason) {
    return CorruptSSTableException.ofKind(
        CorruptSSTableException.Kind.OUT_OF_ORDER, data.path(), Component.DATA, 0, reason);
  }

  /** Full path of the data file. */
  @Override
  public String toString() {
    return data.path();
  }

  @Override
  public void close() throws IOException {
    try (data;
        index;
        cached) {
      filter.close();
      summary.close();
    }
  }
}
