package io.siltstone.tools.inspect;

import io.siltstone.Table;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Explained;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.PartitionSample;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.tools.terminal.TableStrategy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measures a table: statistics of all SSTables, a sample of their data, and a sample of keys in all
 * SSTables. It reads a few MiB, however large the table is. Used once.
 */
final class FactsGatherer implements Closeable {
  private static final int MOST_KEYS = 100;
  private static final long MOST_WALKED = 20_000;
  private static final int MOST_ROWS = 500;
  private static final long MOST_FINDINGS = 2000;
  private static final int CHUNK_OFFSET_BYTES = 3;
  private static final int CASSANDRA_OFFSET_BYTES = 8;
  private static final int[] CHUNK_KIB = {4, 8, 16, 32, 64, 128, 256};
  private static final double MICROS = 1e6;

  private final Table table;
  private final TableSchema schema;
  private final @Nullable TableTraffic traffic;
  private final long nowMillis;
  private final List<SSTable> sstables = new ArrayList<>();

  private FactsGatherer(Table table, @Nullable TableTraffic traffic, long nowMillis) {
    this.table = table;
    this.schema = table.schema();
    this.traffic = traffic;
    this.nowMillis = nowMillis;
  }

  /**
   * Measures a table.
   *
   * @param traffic how the table is used; null if that is not known
   */
  static TableFacts gather(
      InspectedTable of, @Nullable TableTraffic traffic, MemoryBudget memory, long nowMillis)
      throws IOException {
    LiveTables live = of.table().live();
    try (FactsGatherer gatherer = new FactsGatherer(of.table(), traffic, nowMillis)) {
      gatherer.open(of, live, memory);
      return gatherer.facts(live);
    }
  }

  /** Returns what compressors make of a sample of a table's data. */
  static List<CompressorTrial> compressors(InspectedTable of, MemoryBudget memory, long nowMillis)
      throws IOException {
    try (FactsGatherer gatherer = new FactsGatherer(of.table(), null, nowMillis)) {
      gatherer.open(of, of.table().live(), memory);
      return gatherer.compressors(DataSample.of(gatherer.sstables));
    }
  }

  private void open(InspectedTable of, LiveTables live, MemoryBudget memory) throws IOException {
    for (LiveTable each : live.tables()) {
      try {
        sstables.add(SSTable.open(of.files(), each.descriptor(), SSTableOptions.DEFAULT, memory));
      } catch (NoSuchFileException e) {
        // Another process has compacted it meanwhile; the remaining SSTables are measured.
      }
    }
  }

  private List<CompressorTrial> compressors(DataSample sample) throws IOException {
    long data = sstables.stream().mapToLong(SSTable::dataLength).sum();
    return new CompressorTrials(sample, sstables.size(), data, nowMillis).run();
  }

  private TableFacts facts(LiveTables live) throws IOException {
    long onDisk = live.onDiskBytes();
    long data = live.tables().stream().mapToLong(LiveTable::dataBytes).sum();
    List<LiveTable> others =
        live.tables().stream()
            .filter(
                each -> !each.compression().equalsExceptDictionary(schema.options().compression()))
            .toList();
    NavigableMap<Long, Long> partitionSizes = partitionSizes();
    long median = percentile(partitionSizes, 0.5);
    DataSample sample = DataSample.of(sstables);
    Keys keys = keys();
    double cells = live.tables().stream().mapToDouble(LiveTable::cells).sum();
    long gcBefore = nowMillis / 1000 - schema.options().gcGraceSeconds();
    double droppable =
        live.tables().stream()
            .mapToDouble(each -> each.droppableTombstoneRatio(gcBefore) * each.cells())
            .sum();
    return new TableFacts(
        table.toString(),
        schema,
        new TableFacts.DataSize(
            live.tables().size(),
            onDisk,
            data,
            others.size(),
            others.stream().mapToLong(LiveTable::onDiskBytes).sum(),
            live.tables().stream().mapToLong(LiveTable::rows).sum(),
            debtBytes(live),
            flushBytes(live)),
        new TableFacts.PartitionSizes(
            live.tables().stream().mapToLong(LiveTable::partitions).sum(),
            median,
            percentile(partitionSizes, 0.95),
            percentile(partitionSizes, 1)),
        new TableFacts.ChunkTrials(
            sample.bytes(), chunkLengths(sample, data, median), compressors(sample)),
        new TableFacts.KeySample(
            keys.count,
            keys.count == 0 ? 0 : (double) keys.sstables / keys.count,
            keys.mostSSTables,
            keys.share(keys.shadowed),
            keys.share(keys.tombstones)),
        new TableFacts.WriteTimes(
            timeClustering(),
            keys.pairs == 0 ? Double.NaN : (double) keys.inOrder / keys.pairs,
            keys.spans == 0 ? 0 : keys.span / keys.spans / Math.max(1, span()),
            ttl(),
            Math.round(span() / MICROS)),
        cells == 0 ? 0 : droppable / cells,
        traffic);
  }

  // Sizes.

  private NavigableMap<Long, Long> partitionSizes() {
    TreeMap<Long, Long> sizes = new TreeMap<>();
    for (SSTable each : sstables) {
      EstimatedHistogram histogram = stats(each).partitionSizes();
      for (int bucket = 0; bucket < histogram.buckets(); bucket++) {
        if (histogram.countIn(bucket) > 0) {
          sizes.merge(histogram.limit(bucket), histogram.countIn(bucket), Long::sum);
        }
      }
    }
    return sizes;
  }

  private static StatsMetadata stats(SSTable of) {
    return of.statistics().stats();
  }

  private static long percentile(NavigableMap<Long, Long> counts, double share) {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    long seen = 0;
    for (Map.Entry<Long, Long> each : counts.entrySet()) {
      seen += each.getValue();
      if (seen >= share * all) {
        return each.getKey();
      }
    }
    return 0;
  }

  /**
   * Returns the size of a flush since the table was opened, or else the size of smaller SSTables.
   */
  private static long flushBytes(LiveTables live) {
    if (live.flushBytes() > 0) {
      return live.flushBytes();
    }
    long[] sizes = live.tables().stream().mapToLong(LiveTable::onDiskBytes).sorted().toArray();
    return sizes.length == 0 ? 0 : sizes[sizes.length / 4];
  }

  /** Returns the debt even if compaction is turned off, as if it were turned on. */
  private long debtBytes(LiveTables live) {
    Map<String, String> turnedOn = new TreeMap<>(schema.options().compaction());
    turnedOn.computeIfPresent(
        TableFacts.ENABLED, (name, value) -> value.equalsIgnoreCase("false") ? "true" : value);
    TableSchema compacted =
        schema.withOptions(schema.options().toBuilder().compaction(turnedOn).build());
    return TableStrategy.of(compacted).plan(live, nowMillis).debtBytes();
  }

  // Chunks.

  private List<ChunkFigures> chunkLengths(DataSample sample, long dataBytes, long median)
      throws IOException {
    CompressionOptions present = schema.options().compression();
    CompressionOptions tried = present.isEnabled() ? present : CompressionOptions.DEFAULT;
    TreeSet<Integer> lengths = new TreeSet<>();
    for (int kib : CHUNK_KIB) {
      lengths.add(kib * 1024);
    }
    lengths.add(tried.chunkLengthBytes());
    List<ChunkFigures> figures = new ArrayList<>();
    for (int length : lengths) {
      double ratio = sample.ratio(tried.withChunkLengthInKb(length / 1024));
      figures.add(figures(length, ratio, dataBytes, median));
    }
    return figures;
  }

  /**
   * Estimates the chunks that a read fetches: those that contain the bytes it needs, wherever these
   * begin.
   */
  static ChunkFigures figures(int length, double ratio, long dataBytes, long median) {
    double chunks = 1 + (TableFacts.touchedBytes(median) - 1.0) / length;
    if (median > TableFacts.INDEX_BLOCK_BYTES) {
      // The head of a wide partition is read as well.
      chunks += 1;
    }
    long count = (dataBytes + length - 1) / length;
    return new ChunkFigures(
        length,
        ratio,
        dataBytes * ratio,
        // A read cannot fetch more than the whole table.
        Math.min(chunks * length, (double) dataBytes) * ratio,
        count * CHUNK_OFFSET_BYTES,
        count * CASSANDRA_OFFSET_BYTES);
  }

  // Keys.

  /** Sums over sampled keys in all SSTables. */
  private static final class Keys {
    int count;
    long sstables;
    int mostSSTables;
    long findings;
    long shadowed;
    long tombstones;
    long pairs;
    long inOrder;
    double span;
    long spans;

    double share(long of) {
      return findings == 0 ? 0 : (double) of / findings;
    }

    void add(Explained of) {
      count++;
      sstables += of.sstables();
      mostSSTables = Math.max(mostSSTables, of.sstables());
      findings += of.findings().count();
      shadowed += of.findings().shadowed();
      tombstones += of.findings().tombstones();
    }
  }

  private Keys keys() throws IOException {
    Keys keys = new Keys();
    for (PartitionKey key : sampledKeys()) {
      Query query =
          table
              .query()
              .partition(key)
              .nowSeconds(nowMillis / 1000)
              .perPartitionLimit(MOST_ROWS)
              .build();
      long[] left = {MOST_FINDINGS};
      Explained found = table.explain(query, finding -> left[0]-- > 0);
      if (found.sstables() > 0) {
        keys.add(found);
        addOrder(keys, query);
      }
    }
    return keys;
  }

  /** Returns a sample of keys, from each SSTable in proportion to its partitions. */
  private List<PartitionKey> sampledKeys() throws IOException {
    TreeSet<PartitionKey> keys = new TreeSet<>();
    long partitions =
        sstables.stream().mapToLong(each -> stats(each).partitionSizes().count()).sum();
    for (SSTable each : sstables) {
      long share = stats(each).partitionSizes().count() * MOST_KEYS / Math.max(1, partitions);
      addKeys(each, (int) Math.max(1, share), keys);
    }
    List<PartitionKey> all = new ArrayList<>(keys);
    List<PartitionKey> some = new ArrayList<>();
    int count = Math.min(MOST_KEYS, all.size());
    for (int i = 0; i < count; i++) {
      some.add(all.get((int) ((long) i * all.size() / count)));
    }
    return some;
  }

  /**
   * Takes samples of the index, or of a small SSTable all of its keys, as it has too few samples.
   */
  private static void addKeys(SSTable of, int most, Set<PartitionKey> keys) throws IOException {
    long partitions = stats(of).partitionSizes().count();
    if (partitions > MOST_WALKED) {
      for (PartitionSample sample : of.samples(most)) {
        keys.add(sample.key());
      }
      return;
    }
    long distance = Math.max(1, partitions / most);
    try (KeyEntries entries = of.indexEntries()) {
      for (long i = 0; entries.next(); i++) {
        if (i % distance == 0) {
          PartitionKey key = new PartitionKey();
          key.copyFrom(entries.key());
          keys.add(key);
        }
      }
    }
  }

  private String timeClustering() {
    List<Column> columns = schema.clusteringColumns();
    if (columns.isEmpty()) {
      return "";
    }
    String type = columns.get(0).type().unreversed().cqlName();
    return type.equals("timestamp") || type.equals("timeuuid") || type.equals("date")
        ? columns.get(0).name()
        : "";
  }

  /** Compares the order of rows with the order in which they were written. */
  private void addOrder(Keys keys, Query query) throws IOException {
    boolean isDescending =
        !schema.clusteringColumns().isEmpty()
            && schema.clusteringColumns().get(0).type().isReversed();
    try (PartitionCursor cursor = table.cursor(QueryFactory.readsOf(query).get(0))) {
      long before = Long.MIN_VALUE;
      long least = Long.MAX_VALUE;
      long greatest = Long.MIN_VALUE;
      int rows = 0;
      while (rows < MOST_ROWS && (rows > 0 || cursor.nextPartition()) && cursor.nextUnfiltered()) {
        Unfiltered row = cursor.unfiltered();
        rows++;
        long written = row.isMarker() || row.isStatic() ? Long.MIN_VALUE : written(row);
        if (written == Long.MIN_VALUE) {
          continue;
        }
        if (before != Long.MIN_VALUE && before != written) {
          keys.pairs++;
          keys.inOrder += written > before != isDescending ? 1 : 0;
        }
        before = written;
        least = Math.min(least, written);
        greatest = Math.max(greatest, written);
      }
      if (greatest >= least) {
        keys.span += greatest - least;
        keys.spans++;
      }
    }
  }

  private static long written(Unfiltered row) throws IOException {
    if (row.hasLiveness()) {
      return row.livenessTimestamp();
    }
    return row.nextColumn() && row.nextCell() ? row.cellTimestamp() : Long.MIN_VALUE;
  }

  // Times.

  private double span() {
    long least = sstables.stream().mapToLong(each -> stats(each).minTimestamp()).min().orElse(0);
    long greatest = sstables.stream().mapToLong(each -> stats(each).maxTimestamp()).max().orElse(0);
    return greatest <= least ? 0 : (double) greatest - least;
  }

  /** Returns the greatest time to live if everything but tombstones expires, else 0. */
  private long ttl() {
    // The least time to live does not tell, because it is 0 for a deleted cell.
    boolean all =
        sstables.stream()
            .allMatch(each -> stats(each).maxLocalDeletionTime() != DeletionTime.NO_DELETION_TIME);
    return all ? sstables.stream().mapToLong(each -> stats(each).maxTtl()).max().orElse(0) : 0;
  }

  @Override
  public void close() throws IOException {
    for (SSTable each : sstables) {
      each.close();
    }
  }
}
