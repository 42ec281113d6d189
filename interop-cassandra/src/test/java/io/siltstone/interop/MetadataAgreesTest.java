package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.sstable.metadata.PartitionCollector;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatisticsCollector;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.sstable.metadata.MetadataComponent;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FilterFactory;
import org.apache.cassandra.utils.IFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Components other than data and index, and tokens: this engine reads what Cassandra wrote to the
 * same values and writes it to the same bytes.
 */
class MetadataAgreesTest {

  private static final int WINDOW_BYTES = 1 << 16;

  private final PooledMemory memory = PooledMemory.unlimited();
  private final MemoryDirectory scratch = new MemoryDirectory();

  @TempDir Path exported;

  static LongStream seeds() {
    return RandomCases.seeds(6);
  }

  @AfterEach
  void allMemoryIsGivenBack() {
    memory.close();
  }

  @ParameterizedTest
  @EnumSource(Partitioner.class)
  void tokensAgree(Partitioner partitioner) {
    IPartitioner theirs =
        partitioner == Partitioner.MURMUR3
            ? Murmur3Partitioner.instance
            : ByteOrderedPartitioner.instance;
    assertThat(partitioner.className()).isEqualTo(theirs.getClass().getCanonicalName());
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<DecoratedKey> decorated = new ArrayList<>();
    List<PartitionKey> keys = new ArrayList<>();
    long[] hash = new long[2];
    long[] theirHash = new long[2];
    for (int i = 0; i < 2000; i++) {
      byte[] key = new byte[i % 65];
      random.nextBytes(key);
      DecoratedKey their = theirs.decorateKey(ByteBuffer.wrap(key));
      long token = partitioner.token(key, 0, key.length, hash);
      their.filterHash(theirHash);
      assertThat(hash).as("seed %s, length %s", seed, key.length).isEqualTo(theirHash);
      assertThat(partitioner.token(key, 0, key.length)).isEqualTo(token);
      assertThat(partitioner.formatToken(key, 0, key.length))
          .as("seed %s, length %s", seed, key.length)
          .isEqualTo(their.getToken().toString());
      PartitionKey our = new PartitionKey();
      our.wrap(key, 0, key.length, token);
      keys.add(our);
      decorated.add(their);
    }
    for (int i = 1; i < keys.size(); i++) {
      int other = random.nextInt(i);
      assertThat(Integer.signum(keys.get(i).compareTo(keys.get(other))))
          .as("seed %s", seed)
          .isEqualTo(Integer.signum(decorated.get(i).compareTo(decorated.get(other))));
    }
  }

  @Test
  void filtersAreMadeTheSame() throws IOException {
    CassandraNode.get();
    Random random = new Random(1);
    for (double chance : new double[] {0.0000671, 0.001, 0.01, 0.0317, 0.1, 0.3, 0.393, 0.7}) {
      for (int count : new int[] {0, 1, 7, 1000}) {
        Path file = exported.resolve("filter");
        try (IFilter theirs = FilterFactory.getFilter(count, chance);
            BloomFilter ours = BloomFilter.create(count, chance, memory)) {
          for (int i = 0; i < count; i++) {
            byte[] key = new byte[random.nextInt(40)];
            random.nextBytes(key);
            theirs.add(Murmur3Partitioner.instance.decorateKey(ByteBuffer.wrap(key)));
            add(ours, key);
          }
          try (var out = new File(file).newOutputStream(File.WriteMode.OVERWRITE)) {
            theirs.serialize(out, false);
          }
          assertThat(written(ours))
              .as("chance %s, %s keys", chance, count)
              .isEqualTo(Files.readAllBytes(file));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void flushedTablesAgree(long seed) throws IOException {
    try (RandomCases.Case test = RandomCases.runInSelected(CassandraNode.get(), seed)) {
      test.table().flush();
      for (Path data : test.table().export(exported)) {
        Table table = new Table(data, "seed " + seed);
        table.statisticsAgree();
        table.filterAgrees(true);
        table.summaryAgrees(test.table().metadata().params.minIndexInterval);
        // Last, because opening the files with another interval makes Cassandra delete the summary.
        table.collectedStatisticsAreTheSame();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void compactedTablesAgree(long seed) throws IOException {
    try (RandomCases.Case test = RandomCases.runInSelected(CassandraNode.get(), seed)) {
      test.table().flush();
      new RandomWorkload(seed + 1_000_000, test.table(), CassandraNode.get().options()).run(50);
      test.table().flush();
      test.table().compact();
      for (Path data : test.table().export(exported)) {
        Table table = new Table(data, "seed " + seed);
        table.statisticsAgree();
        // Sized by an estimate of the number of merged keys.
        table.filterAgrees(false);
        table.summaryAgrees(test.table().metadata().params.minIndexInterval);
        // Last, because opening the files with another interval makes Cassandra delete the summary.
        table.collectedStatisticsAreTheSame();
      }
    }
  }

  @Test
  void manyKeysAndTombstonesAgree() throws IOException {
    CassandraNode node = CassandraNode.get();
    String name = node.newTableName();
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE ks."
                + name
                + " (k text, c int, v int, PRIMARY KEY (k, c)) WITH min_index_interval = 16")) {
      Random random = new Random(5);
      // More than a sparse list of hashes takes, and more times than a histogram has.
      for (int i = 0; i < 9000; i++) {
        String key = "key " + i;
        String where = " WHERE k = '" + key + "' AND c = " + random.nextInt(100);
        String cql =
            i % 3 == 0
                ? "DELETE FROM ks." + name + " USING TIMESTAMP " + i + where
                : "UPDATE ks." + name + " USING TIMESTAMP " + i + " SET v = 1" + where;
        table.execute(cql, 1_600_000_000L + random.nextInt(10_000_000), List.of());
      }
      table.flush();
      for (Path data : table.export(exported)) {
        Table files = new Table(data, "9000 keys");
        files.statisticsAgree();
        files.filterAgrees(true);
        files.summaryAgrees(16);
        files.collectedStatisticsAreTheSame();
        double estimate = files.statistics.compaction().cardinality().estimate();
        assertThat(estimate).isBetween(8700.0, 9300.0);
        assertThat(files.statistics.stats().tombstoneTimes().size()).isEqualTo(100);
      }
    }
  }

  private static void add(BloomFilter filter, byte[] key) {
    long[] hash = new long[2];
    Murmur3Hash.hash(key, 0, key.length, hash);
    filter.add(hash[0], hash[1]);
  }

  private byte[] written(BloomFilter filter) throws IOException {
    deleteIfPresent("filter");
    try (WritableFile file = scratch.create("filter", WriteIntent.FLUSH)) {
      filter.write(file);
    }
    return scratchContent("filter");
  }

  private void deleteIfPresent(String name) throws IOException {
    if (scratch.exists(name)) {
      scratch.delete(name);
    }
  }

  private byte[] scratchContent(String name) throws IOException {
    try (ReadableFile file = scratch.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      assertThat(file.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
      return bytes;
    }
  }

  /** The files of one SSTable that Cassandra wrote. */
  private final class Table {
    private final Path data;
    private final String what;
    private final Directory directory;
    private final Descriptor descriptor;
    private final Statistics statistics;
    private final Partitioner partitioner;

    Table(Path data, String what) throws IOException {
      this.data = data;
      this.what = what + ", " + data.getFileName();
      this.directory = NioDirectory.open(exported);
      this.descriptor = Descriptor.parse(data.getFileName().toString());
      this.statistics =
          Statistics.read(
              directory, descriptor.fileName(Component.STATISTICS), descriptor.version());
      this.partitioner = Partitioner.ofClassName(statistics.validation().partitioner());
    }

    private byte[] content(Component component) throws IOException {
      return Files.readAllBytes(data.resolveSibling(descriptor.fileName(component)));
    }

    private byte[] written(Statistics ours) throws IOException {
      deleteIfPresent("statistics");
      ours.write(scratch, "statistics", descriptor.version(), WriteIntent.FLUSH);
      return scratchContent("statistics");
    }

    void statisticsAgree() throws IOException {
      assertThat(written(statistics)).as(what).isEqualTo(content(Component.STATISTICS));
      org.apache.cassandra.io.sstable.Descriptor theirs =
          org.apache.cassandra.io.sstable.Descriptor.fromFileWithComponent(
                  new File(data), CassandraNode.KEYSPACE, "table")
              .left;
      Map<MetadataType, MetadataComponent> components =
          theirs.getMetadataSerializer().deserialize(theirs, EnumSet.allOf(MetadataType.class));
      validationAgrees(
          org.apache.cassandra.io.sstable.metadata.ValidationMetadata.class.cast(
              component(components, MetadataType.VALIDATION)));
      statsAgree(
          org.apache.cassandra.io.sstable.metadata.StatsMetadata.class.cast(
              component(components, MetadataType.STATS)));
      headersAgree(
          org.apache.cassandra.db.SerializationHeader.Component.class.cast(
              component(components, MetadataType.HEADER)));
      long theirKeys =
          org.apache.cassandra.io.sstable.metadata.CompactionMetadata.class
              .cast(component(components, MetadataType.COMPACTION))
              .cardinalityEstimator
              .cardinality();
      assertThat((double) statistics.compaction().cardinality().estimate())
          .as(what)
          .isBetween(theirKeys * 0.98, theirKeys * 1.02);
    }

    private MetadataComponent component(
        Map<MetadataType, MetadataComponent> components, MetadataType type) {
      return Objects.requireNonNull(components.get(type), type.name());
    }

    private void validationAgrees(
        org.apache.cassandra.io.sstable.metadata.ValidationMetadata theirs) {
      assertThat(statistics.validation().partitioner()).isEqualTo(theirs.partitioner);
      assertThat(statistics.validation().bloomFilterFpChance())
          .isEqualTo(theirs.bloomFilterFPChance);
    }

    private void statsAgree(org.apache.cassandra.io.sstable.metadata.StatsMetadata theirs) {
      StatsMetadata ours = statistics.stats();
      histogramsAgree(ours.partitionSizes(), theirs.estimatedPartitionSize);
      histogramsAgree(ours.cellsPerPartition(), theirs.estimatedCellPerPartitionCount);
      assertThat(text(ours.commitLogIntervals()))
          .as(what)
          .isEqualTo(theirs.commitLogIntervals.toString());
      assertThat(ours.minTimestamp()).as(what).isEqualTo(theirs.minTimestamp);
      assertThat(ours.maxTimestamp()).as(what).isEqualTo(theirs.maxTimestamp);
      assertThat(ours.minLocalDeletionTime()).as(what).isEqualTo(theirs.minLocalDeletionTime);
      assertThat(ours.maxLocalDeletionTime()).as(what).isEqualTo(theirs.maxLocalDeletionTime);
      assertThat(ours.minTtl()).as(what).isEqualTo(theirs.minTTL);
      assertThat(ours.maxTtl()).as(what).isEqualTo(theirs.maxTTL);
      assertThat(ours.compressionRatio()).as(what).isEqualTo(theirs.compressionRatio);
      tombstonesAgree(ours.tombstoneTimes(), theirs.estimatedTombstoneDropTime);
      assertThat(ours.level()).as(what).isEqualTo(theirs.sstableLevel);
      assertThat(ours.repairedAt()).as(what).isEqualTo(theirs.repairedAt);
      coveredAgrees(ours.coveredClustering(), theirs);
      assertThat(ours.hasLegacyCounterShards()).as(what).isEqualTo(theirs.hasLegacyCounterShards);
      assertThat(ours.totalColumnsSet()).as(what).isEqualTo(theirs.totalColumnsSet);
      assertThat(ours.totalRows()).as(what).isEqualTo(theirs.totalRows);
      assertThat(ours.pendingRepair())
          .as(what)
          .isEqualTo(Optional.ofNullable(theirs.pendingRepair).map(id -> id.asUUID()));
      assertThat(ours.isTransient()).as(what).isEqualTo(theirs.isTransient);
      assertThat(ours.originatingHostId())
          .as(what)
          .isEqualTo(Optional.ofNullable(theirs.originatingHostId));
      assertThat(ours.hasPartitionDeletions())
          .as(what)
          .isEqualTo(theirs.hasPartitionLevelDeletions);
      assertThat(ours.keyRange())
          .as(what)
          .isEqualTo(
              Optional.ofNullable(theirs.firstKey)
                  .map(first -> new KeyRange(array(first), array(theirs.lastKey))));
      assertThat(Double.valueOf(ours.tokenSpaceCoverage()))
          .as(what)
          .isEqualTo(Double.valueOf(theirs.tokenSpaceCoverage));
    }

    private void histogramsAgree(
        EstimatedHistogram ours, org.apache.cassandra.utils.EstimatedHistogram theirs) {
      long[] limits = theirs.getBucketOffsets();
      assertThat(ours.buckets()).isEqualTo(limits.length);
      for (int i = 0; i < limits.length; i++) {
        assertThat(ours.limit(i)).as(what).isEqualTo(limits[i]);
        assertThat(ours.countIn(i)).as(what).isEqualTo(theirs.getBuckets(false)[i]);
      }
      assertThat(ours.count()).as(what).isEqualTo(theirs.count());
      assertThat(ours.min()).as(what).isEqualTo(theirs.min());
      assertThat(ours.max()).as(what).isEqualTo(theirs.max());
      assertThat((long) Math.ceil(ours.mean())).as(what).isEqualTo(theirs.mean());
      for (double share : new double[] {0, 0.5, 0.95, 1}) {
        assertThat(ours.percentile(share)).as(what).isEqualTo(theirs.percentile(share));
      }
    }

    private void tombstonesAgree(
        TombstoneHistogram ours, org.apache.cassandra.utils.streamhist.TombstoneHistogram theirs) {
      List<String> ourTimes = new ArrayList<>();
      for (int i = 0; i < ours.size(); i++) {
        ourTimes.add(ours.time(i) + " " + ours.countAt(i));
      }
      List<String> theirTimes = new ArrayList<>();
      theirs.<RuntimeException>forEach((time, count) -> theirTimes.add(time + " " + count));
      assertThat(ourTimes).as(what).isEqualTo(theirTimes);
      for (long time = 1_600_000_000L; time < Integer.MAX_VALUE; time += 7_654_321) {
        assertThat(ours.countUpTo(time)).as(what).isEqualTo(theirs.sum((double) time));
      }
    }

    private void coveredAgrees(
        CoveredClustering ours, org.apache.cassandra.io.sstable.metadata.StatsMetadata theirs) {
      ClusteringBound<?> start = theirs.coveredClustering.start();
      ClusteringBound<?> end = theirs.coveredClustering.end();
      assertThat(ours.startKind().name()).as(what).isEqualTo(start.kind().name());
      assertThat(ours.endKind().name()).as(what).isEqualTo(end.kind().name());
      assertThat(ours.startSize()).as(what).isEqualTo(start.size());
      assertThat(ours.endSize()).as(what).isEqualTo(end.size());
      for (int i = 0; i < start.size(); i++) {
        assertThat(ours.startValue(i)).as(what).isEqualTo(array(start.bufferAt(i)));
      }
      for (int i = 0; i < end.size(); i++) {
        assertThat(ours.endValue(i)).as(what).isEqualTo(array(end.bufferAt(i)));
      }
    }

    private void headersAgree(org.apache.cassandra.db.SerializationHeader.Component theirs) {
      SerializationHeader ours = statistics.header();
      assertThat(ours.keyType().className()).isEqualTo(theirs.getKeyType().toString());
      assertThat(ours.clusteringTypes().stream().map(CqlType::className))
          .as(what)
          .isEqualTo(theirs.getClusteringTypes().stream().map(AbstractType::toString).toList());
      columnsAgree(ours.staticColumns(), theirs.getStaticColumns());
      columnsAgree(ours.regularColumns(), theirs.getRegularColumns());
      assertThat(ours.stats())
          .as(what)
          .isEqualTo(
              new EncodingStats(
                  theirs.getEncodingStats().minTimestamp,
                  theirs.getEncodingStats().minLocalDeletionTime,
                  theirs.getEncodingStats().minTTL));
    }

    private void columnsAgree(List<HeaderColumn> ours, Map<ByteBuffer, AbstractType<?>> theirs) {
      List<String> expected = new ArrayList<>();
      theirs.forEach(
          (name, type) ->
              expected.add(new String(array(name), StandardCharsets.UTF_8) + " " + type));
      assertThat(ours.stream().map(column -> column.name() + " " + column.type().className()))
          .as(what)
          .containsExactlyElementsOf(expected);
    }

    /** Walks through the data like a writer. */
    void collectedStatisticsAreTheSame() throws IOException {
      StatsMetadata stats = statistics.stats();
      StatisticsCollector collector =
          new StatisticsCollector(statistics.header(), descriptor.version());
      PartitionCollector partitions = new PartitionCollector();
      deleteIfPresent("data");
      try (WritableFile file = scratch.create("data", WriteIntent.OTHER)) {
        file.write(ByteBuffer.wrap(new CassandraJudge(CassandraNode.get()).uncompressedData(data)));
      }
      try (ReadableFile file = scratch.open("data", ReadIntent.SCAN);
          DataCursor cursor =
              new DataCursor(
                  new ByteWindow(
                      ByteSource.of(file, WINDOW_BYTES), Component.DATA, 2 * WINDOW_BYTES, true),
                  new RowEncoding(
                      statistics.header(), descriptor.version().hasUnsignedDeletionTimes()),
                  descriptor.version(),
                  partitioner,
                  file.length())) {
        PartitionKey first = new PartitionKey();
        PartitionKey last = new PartitionKey();
        while (cursor.nextPartition()) {
          if (cursor.partitionPosition() == 0) {
            first.copyFrom(cursor.key());
          }
          last.copyFrom(cursor.key());
          collector.partitionDeletion(cursor.deletionTimestamp(), cursor.deletionLocalTime());
          long cells = 0;
          while (cursor.nextUnfiltered()) {
            cells += collect(cursor.unfiltered(), collector, stats.coveredClustering());
          }
          partitions.add(cursor.key(), cursor.position() - cursor.partitionPosition(), cells);
        }
        partitions.keyRange(first, last);
      }
      collector.commitLogIntervals(stats.commitLogIntervals());
      collector.tokenSpaceCoverage(stats.tokenSpaceCoverage());
      UUID host = stats.originatingHostId().orElse(null);
      Statistics collected =
          collector.finish(
              partitions,
              statistics.validation().partitioner(),
              statistics.validation().bloomFilterFpChance(),
              stats.compressionRatio(),
              stats.level(),
              stats.repair(),
              host);
      // Differing fields are easier to read than differing bytes.
      assertThat(collected.stats().toString()).as(what).isEqualTo(toStringOf(collected, stats));
      assertThat(written(collected)).as(what).isEqualTo(content(Component.STATISTICS));
    }

    /**
     * Returns the collected statistics with those values that version nb does not record taken
     * over.
     */
    private String toStringOf(Statistics collected, StatsMetadata stats) {
      if (descriptor.version().hasCoveredClustering()) {
        return stats.toString();
      }
      StatsMetadata known = collected.stats();
      return stats
          .toString()
          .replace(stats.coveredClustering().toString(), known.coveredClustering().toString())
          .replace(
              "hasPartitionDeletions=" + stats.hasPartitionDeletions(),
              "hasPartitionDeletions=" + known.hasPartitionDeletions());
    }

    private long collect(
        Unfiltered unfiltered, StatisticsCollector collector, CoveredClustering covered)
        throws IOException {
      Clustering clustering = unfiltered.clustering();
      if (unfiltered.isMarker()) {
        collector.bound(clustering);
        collector.deletion(unfiltered.deletionTimestamp(), unfiltered.deletionLocalTime());
        if (clustering.kind().isBoundary()) {
          collector.deletion(unfiltered.openTimestamp(), unfiltered.openLocalTime());
        }
        return 0;
      }
      if (unfiltered.isEmpty()) {
        return 0;
      }
      if (clustering.kind() == ClusteringKind.CLUSTERING) {
        collector.clustering(clustering);
        assertThat(covered.mightContain(clustering)).as(what).isTrue();
      }
      if (unfiltered.hasLiveness()) {
        collector.liveness(
            unfiltered.livenessTimestamp(),
            unfiltered.livenessTtl(),
            unfiltered.livenessExpirationTime());
      }
      if (unfiltered.hasDeletion()) {
        collector.deletion(unfiltered.deletionTimestamp(), unfiltered.deletionLocalTime());
      }
      long cells = 0;
      int columns = 0;
      unfiltered.rewind();
      while (unfiltered.nextColumn()) {
        if (unfiltered.isComplex() && !DeletionTime.isLive(unfiltered.complexDeletionTimestamp())) {
          collector.deletion(
              unfiltered.complexDeletionTimestamp(), unfiltered.complexDeletionLocalTime());
        }
        long before = cells;
        while (unfiltered.nextCell()) {
          collector.cell(
              unfiltered.cellTimestamp(), unfiltered.cellTtl(), unfiltered.cellLocalDeletionTime());
          if (unfiltered.column().type().isCounter() && !unfiltered.isCellTombstone()) {
            collector.counterValue(
                unfiltered.bytes(), unfiltered.valueOffset(), unfiltered.valueLength());
          }
          cells++;
        }
        columns += cells > before ? 1 : 0;
      }
      collector.endRow(columns);
      return cells;
    }

    /** Returns the entries of Index.db. */
    private List<byte[]> keys(IndexSummary.Builder builder) throws IOException {
      List<byte[]> keys = new ArrayList<>();
      String name = descriptor.fileName(Component.PRIMARY_INDEX);
      try (ReadableFile file = directory.open(name, ReadIntent.SCAN);
          IndexCursor index =
              new IndexCursor(
                  new ByteWindow(
                      ByteSource.of(file, WINDOW_BYTES),
                      Component.PRIMARY_INDEX,
                      2 * WINDOW_BYTES,
                      true),
                  file.length())) {
        PartitionKey key = new PartitionKey();
        while (index.next()) {
          byte[] bytes =
              Arrays.copyOfRange(
                  index.keyBytes(), index.keyOffset(), index.keyOffset() + index.keyLength());
          key.wrap(bytes, 0, bytes.length, partitioner.token(bytes, 0, bytes.length));
          builder.add(key, index.position());
          keys.add(bytes);
        }
      }
      return keys;
    }

    void filterAgrees(boolean isSizedByKeys) throws IOException {
      double chance = statistics.validation().bloomFilterFpChance();
      String name = descriptor.fileName(Component.FILTER);
      assertThat(directory.exists(name)).as(what).isEqualTo(chance < 1);
      if (chance >= 1) {
        return;
      }
      try (IndexSummary.Builder builder = new IndexSummary.Builder(1, memory);
          BloomFilter theirs = BloomFilter.open(directory, name, memory)) {
        List<byte[]> keys = keys(builder);
        long[] hash = new long[2];
        for (byte[] key : keys) {
          Murmur3Hash.hash(key, 0, key.length, hash);
          assertThat(theirs.mightContain(hash[0], hash[1])).as(what).isTrue();
        }
        assertThat(MetadataAgreesTest.this.written(theirs))
            .as(what)
            .isEqualTo(content(Component.FILTER));
        if (isSizedByKeys) {
          try (BloomFilter ours = BloomFilter.create(keys.size(), chance, memory)) {
            keys.forEach(key -> add(ours, key));
            assertThat(MetadataAgreesTest.this.written(ours))
                .as(what)
                .isEqualTo(content(Component.FILTER));
          }
        }
      }
    }

    void summaryAgrees(int interval) throws IOException {
      String name = descriptor.fileName(Component.SUMMARY);
      byte[] original = content(Component.SUMMARY);
      long indexLength = directory.length(descriptor.fileName(Component.PRIMARY_INDEX));
      try (IndexSummary.Builder builder = new IndexSummary.Builder(interval, memory)) {
        List<byte[]> keys = keys(builder);
        try (IndexSummary rebuilt =
                builder.build(key(keys.get(0)), key(keys.get(keys.size() - 1)));
            IndexSummary read =
                IndexSummary.open(directory, name, partitioner, indexLength, memory)) {
          for (IndexSummary summary : List.of(rebuilt, read)) {
            deleteIfPresent("summary");
            summary.write(scratch, "summary", WriteIntent.FLUSH);
            assertThat(scratchContent("summary")).as(what).isEqualTo(original);
          }
          for (int i = 0; i < keys.size(); i++) {
            byte[] key = keys.get(i);
            assertThat(read.floorIndex(key(key))).as(what).isEqualTo(i / interval);
          }
          assertThat(read.firstKey().toByteArray()).as(what).isEqualTo(keys.get(0));
          assertThat(read.lastKey().toByteArray()).as(what).isEqualTo(keys.get(keys.size() - 1));
        }
      }
    }

    private PartitionKey key(byte[] bytes) {
      return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
    }

    private String text(CommitLogIntervals intervals) {
      StringBuilder text = new StringBuilder("{");
      for (CommitLogIntervals.Interval interval : intervals.intervals()) {
        text.append(text.length() == 1 ? "" : ", ")
            .append(theirs(interval.start()))
            .append('=')
            .append(theirs(interval.end()));
      }
      return text.append('}').toString();
    }

    private org.apache.cassandra.db.commitlog.CommitLogPosition theirs(
        io.siltstone.sstable.metadata.CommitLogPosition position) {
      return new org.apache.cassandra.db.commitlog.CommitLogPosition(
          position.segmentId(), position.position());
    }

    private byte[] array(ByteBuffer buffer) {
      return ByteBufferUtil.getArray(buffer);
    }
  }
}
