package io.siltstone.sstable;

import io.siltstone.cache.CachedFile;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.KeyIndex;
import io.siltstone.sstable.index.PartitionLookup;
import io.siltstone.sstable.index.PartitionSample;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An SSTable that is open for reading.
 *
 * <p>Immutable, safe for use by any number of threads. Each cursor or reader that it returns is for
 * one thread. The caller that opens an SSTable closes it, after all its cursors and readers.
 * Filter, summary and chunk offsets are off-heap and counted in the budget; its memory does not
 * grow with the size of a partition.
 */
public final class SSTable implements Closeable {
  private final Directory directory;
  private final Descriptor descriptor;
  private final Set<Component> components;
  private final Statistics statistics;
  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final SSTableData data;
  private final KeyCache keys;
  private final long keyTable;
  private final LateOpened<IndexParts> index;
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
      SSTableData data,
      KeyCache keys,
      LateOpened<IndexParts> index,
      PartitionKey firstKey,
      PartitionKey lastKey,
      long writtenAt) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.components = components;
    this.statistics = statistics;
    this.encoding = encoding;
    this.partitioner = partitioner;
    this.data = data;
    this.keys = keys;
    this.keyTable = keys.newTable();
    this.index = index;
    this.firstKey = firstKey;
    this.lastKey = lastKey;
    this.writtenAt = writtenAt;
    this.firstBytes = FirstBytes.of(statistics.stats().partitionSizes());
  }

  /** Opens an SSTable without caches, which suits tools and callers that read it once. */
  public static SSTable open(
      Directory directory, Descriptor descriptor, SSTableOptions options, MemoryBudget budget)
      throws IOException {
    return open(directory, descriptor, options, ReadCaches.NONE, budget);
  }

  /**
   * Opens an SSTable.
   *
   * @param directory the directory of its files
   * @param descriptor the version and generation in their names
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

  /**
   * Opens an SSTable whose files have not changed since it was last open. Index, summary and filter
   * are opened when they are first needed, if its first and last key are known without them, and so
   * are the data and the offsets of its chunks, if the {@link #dataFacts} were kept; the use then
   * throws what {@link #open(Directory, Descriptor, SSTableOptions, ReadCaches, MemoryBudget)}
   * would.
   */
  public static SSTable openUnchanged(
      Directory directory,
      Descriptor descriptor,
      KnownFiles files,
      SSTableOptions options,
      ReadCaches caches,
      MemoryBudget budget)
      throws IOException {
    return new SSTableOpening(directory, descriptor, options, caches, budget).openUnchanged(files);
  }

  /** Returns the version and generation with which the names of its files begin. */
  public Descriptor descriptor() {
    return descriptor;
  }

  /** Returns the directory of its files. */
  public Directory directory() {
    return directory;
  }

  /** Returns the components that exist. */
  public Set<Component> components() {
    return components;
  }

  /** Returns the contents of {@code Statistics.db}. */
  public Statistics statistics() {
    return statistics;
  }

  /** Returns types, columns and delta bases of its rows. */
  public SerializationHeader header() {
    return encoding.header();
  }

  /** Returns the encoding of its rows. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** Returns the partitioner that orders its partitions. */
  public Partitioner partitioner() {
    return partitioner;
  }

  /** Returns the key of the first partition. */
  public PartitionKey firstKey() {
    return firstKey;
  }

  /** Returns the key of the last partition. */
  public PartitionKey lastKey() {
    return lastKey;
  }

  /**
   * Returns whether its data has checksums; uncompressed data without a usable {@code CRC.db} has
   * none.
   */
  public boolean hasChecksums() {
    return data.hasChecksums();
  }

  /** Returns the compression of its data. */
  public CompressionOptions compression() {
    return data.compression();
  }

  /** Returns an approximate upper bound of the bytes of its data, written with a compression. */
  public long mostOnDisk(CompressionOptions written) {
    boolean isAlike =
        written.takesDictionary()
            ? written.equalsExceptDictionary(compression())
            : written.equals(compression());
    return isAlike ? onDiskLength() : dataLength();
  }

  /** Returns the uncompressed length of its data in bytes. */
  public long dataLength() {
    return data.length();
  }

  /**
   * Returns the completion time of its data file according to the file system, in milliseconds
   * since 1970.
   */
  public long writtenAt() {
    return writtenAt;
  }

  /** Returns the length of its data file in bytes. */
  public long onDiskLength() {
    return data.onDiskLength();
  }

  /**
   * Returns what {@link KnownFiles} has to know of its data, so that another opening need not open
   * it: a line of text; null if that is not possible.
   */
  public @Nullable String dataFacts() {
    return data.facts().toText();
  }

  /**
   * Opens data, index, summary and filter if they are not open yet. To be called before its files
   * are deleted, while there are readers that may yet need them.
   */
  public void openFiles() throws IOException {
    index.require();
    data.require();
  }

  /**
   * Opens its files once more, for salvage: even if index, summary or filter is damaged. The caller
   * closes the result.
   */
  public SSTable openForSalvage() throws IOException {
    return open(directory, descriptor, SSTableOptions.DEFAULT.withSalvage(true), data.budget());
  }

  /**
   * Returns the off-heap bytes of filter, summary and chunk offsets while it is open; those that no
   * read has needed yet take none.
   */
  public long offHeapBytes() {
    return filterOffHeapBytes() + summaryOffHeapBytes() + offsetsOffHeapBytes();
  }

  /** Returns the off-heap bytes of its bloom filter. */
  public long filterOffHeapBytes() {
    IndexParts open = index.ifOpen();
    return open == null ? 0 : open.filter().memoryBytes();
  }

  /** Returns the off-heap bytes of its index summary, which a trie index has not. */
  public long summaryOffHeapBytes() {
    IndexParts open = index.ifOpen();
    return open == null ? 0 : open.index().memoryBytes();
  }

  /** Returns the off-heap bytes of its chunk offsets. */
  public long offsetsOffHeapBytes() {
    return data.offsetsOffHeapBytes();
  }

  /**
   * Opens a cursor over a range of partitions, over the read-ahead path: the chunk cache is neither
   * read nor filled. The caller closes it.
   */
  public DataCursor scan(SequentialAccess access, PartitionRange range) throws IOException {
    return new RangeScan(this, data.open().file(), access).open(range);
  }

  /**
   * Copies uncompressed bytes of the data, without caches, so that the caller can measure how well
   * they compress.
   *
   * @param position in the uncompressed data
   * @return bytes copied: the length of the array, or fewer at the end of the data
   */
  public int copyData(long position, byte[] into) throws IOException {
    int copied = 0;
    try (ChunkSource chunks = data.open().file().openRandom()) {
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

  /** Opens the uncompressed data. The caller closes it. */
  ChunkSource openData(SequentialAccess access) throws IOException {
    return data.open().file().openSequential(access, 0, data.length());
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
   * Returns whether the SSTable may contain a key; false is certain. Compares the key with the
   * first and last key, then looks it up in the bloom filter; reads no file but the index, summary
   * and filter when they are first needed.
   *
   * @param h1 first half of the key's {@link io.siltstone.bytes.Murmur3Hash}
   * @param h2 second half of it
   */
  public boolean mightContain(PartitionKey key, long h1, long h2) throws IOException {
    return isInRange(key) && index.get().filter().mightContain(h1, h2);
  }

  /** Returns whether a key lies between the first and the last key, inclusive; reads no file. */
  public boolean isInRange(PartitionKey key) {
    return key.compareTo(firstKey) >= 0 && key.compareTo(lastKey) <= 0;
  }

  /**
   * Returns a key of the index that is less than the given one, with about a hundred keys between
   * them at most; null if there is none.
   */
  public @Nullable PartitionKey sampleBefore(PartitionKey key) throws IOException {
    try (DataKeys keys = keys()) {
      return index().sampleBefore(key, keys);
    }
  }

  /**
   * Returns partitions that are spread evenly over all of them by number. Reads some of the index
   * for each, and the key from the data if the index does not have it.
   *
   * @param most the maximum number of samples, 1 or more
   */
  public List<PartitionSample> samples(int most) throws IOException {
    try (DataKeys keys = keys()) {
      return index().samples(most, keys);
    }
  }

  /**
   * Opens a reader for point and slice reads, through the caches that the table was opened with.
   * The caller closes it.
   */
  public PartitionReader reader() throws IOException {
    openFiles();
    FileReads indexReads = new FileReads();
    CachedFile cached = data.open().cached();
    ChunkSource chunks = cached.openRandom();
    DataCursor rows = cursor(cached, chunks);
    try {
      PartitionLookup lookup =
          index().lookup(keys.lookup(keyTable), DataKeys.over(this, rows), indexReads);
      return new PartitionReader(
          this, lookup, rows, index().blocks(indexReads), chunks.reads(), indexReads);
    } catch (Throwable e) {
      Closeables.closeAfter(rows, e);
      throw e;
    }
  }

  private DataCursor cursor(CachedFile cached, ChunkSource chunks) {
    ByteSource source =
        cached.isOff() ? ByteSource.of(chunks) : ByteSource.ofCached(chunks, firstBytes);
    ByteWindow window = new ByteWindow(source, Component.DATA, source.unit(), false);
    return new DataCursor(window, encoding, descriptor.version(), partitioner, data.length());
  }

  /** Opens a source of the keys in the data. The caller closes it. */
  DataKeys keys() {
    return DataKeys.by(
        this,
        () -> {
          CachedFile cached = data.open().cached();
          return cursor(cached, cached.openRandom());
        });
  }

  /** Opens a lookup of keys in the index. The caller closes it. */
  PartitionLookup lookup() throws IOException {
    return index().lookup(keys.lookup(keyTable), keys(), new FileReads());
  }

  /** Opens a cursor over the entries of the index, from the first on. The caller closes it. */
  public KeyEntries indexEntries() throws IOException {
    return index().entries(keys());
  }

  /**
   * Opens a view of the index blocks of an entry, which can be moved from entry to entry. The
   * caller closes it.
   */
  public BlockIndex indexBlocks() throws IOException {
    return index().blocks(new FileReads());
  }

  /** Returns whether it has a {@code Digest.crc32}, which {@link #verifyDigest} checks. */
  boolean hasDigest() {
    return components.contains(Component.DIGEST);
  }

  /** Reads the whole data file and compares its CRC32 with {@code Digest.crc32}. */
  public void verifyDigest() throws IOException {
    if (!hasDigest()) {
      return;
    }
    String name = descriptor.fileName(Component.DIGEST);
    long expected = SSTableFiles.readDigest(directory, name);
    long found = ChunkedFile.digest(directory, descriptor.fileName(Component.DATA));
    if (expected != found) {
      throw new CorruptSSTableException(
          toString(),
          Component.DATA,
          CorruptFileException.WHOLE_FILE,
          "the CRC32 of the file is " + found + ", " + name + " says " + expected);
    }
  }

  BloomFilter filter() throws IOException {
    return index.get().filter();
  }

  /** Returns the index. */
  KeyIndex index() throws IOException {
    return index.get().index();
  }

  /** Returns the exception for damage of an entry of a key. */
  CorruptSSTableException indexCorrupt(long position, String reason) {
    return corrupt(descriptor.version().keyComponent(), position, reason);
  }

  /** Returns the exception for damage of index blocks. */
  CorruptSSTableException blocksCorrupt(long position, String reason) {
    return corrupt(descriptor.version().blockComponent(), position, reason);
  }

  /** Returns the exception for damage at a position of a component, or of the whole file. */
  CorruptSSTableException corrupt(Component component, long position, String reason) {
    return new CorruptSSTableException(
        directory.path() + "/" + descriptor.fileName(component), component, position, reason);
  }

  CorruptSSTableException dataCorrupt(long position, String reason) {
    return new CorruptSSTableException(toString(), Component.DATA, position, reason);
  }

  CorruptSSTableException dataOutOfOrder(String reason) {
    return CorruptSSTableException.ofKind(
        CorruptSSTableException.Kind.OUT_OF_ORDER, toString(), Component.DATA, 0, reason);
  }

  /** Returns the full path of the data file. */
  @Override
  public String toString() {
    return directory.path() + "/" + descriptor.fileName(Component.DATA);
  }

  @Override
  public void close() throws IOException {
    try (data) {
      index.close();
    }
  }
}
