package io.siltstone.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.compaction.task.CompactionTask;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.compaction.task.TaskProgress;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Item;
import io.siltstone.explain.PurgeOutcome;
import io.siltstone.explain.Source;
import io.siltstone.explain.Verdict;
import io.siltstone.explain.walk.Explanation;
import io.siltstone.explain.walk.KeySource;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.liveset.View;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.ModelTables;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.RandomPartitions;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What an explanation calls purgeable is exactly what a compaction of all SSTables at that time
 * drops. Repeat it with {@code -Dsiltstone.seed=N}, enlarge it with {@code -Dsiltstone.scale=N}.
 */
class ExplainedPurgeTest {
  private static final long EPOCH_SECONDS = 1_600_000_000L;
  private static final int SEEDS = 120;

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE ks.t (k int PRIMARY KEY, a int, b text)",
          "CREATE TABLE ks.t (k int, c int, a int, b text, PRIMARY KEY (k, c))",
          "CREATE TABLE ks.t (k int, c int, s int static, a int, m map<int, text>, l set<int>,"
              + " PRIMARY KEY (k, c))",
          "CREATE TABLE ks.t (k int, c int, d text, m map<text, int>, PRIMARY KEY (k, c, d))"
              + " WITH CLUSTERING ORDER BY (c DESC, d ASC)");

  private final Set<PurgeOutcome.Kind> seen = EnumSet.noneOf(PurgeOutcome.Kind.class);

  @Test
  void whatIsPurgeableGoesAndNothingElse() {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, (long) SEEDS * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    seeds.forEach(
        seed -> {
          try {
            run(new Random(seed));
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
          }
        });
    if (one == null) {
      assertThat(seen)
          .contains(
              PurgeOutcome.Kind.GOES,
              PurgeOutcome.Kind.LIVES,
              PurgeOutcome.Kind.GRACE,
              PurgeOutcome.Kind.OVERLAP);
    }
  }

  private void run(Random random) throws IOException {
    int grace = random.nextInt(3) * 8;
    String text = TABLES.get(random.nextInt(TABLES.size()));
    TableSchema schema =
        SchemaParser.parse(
                text + (text.contains("WITH") ? " AND" : " WITH") + " gc_grace_seconds = " + grace)
            .onlyTable();
    int count = 1 + random.nextInt(4);
    List<TableModel> models =
        RandomPartitions.overlapping(
            random,
            IntStream.range(0, count).mapToObj(i -> schema).toList(),
            FormatVersion.OA,
            1 + random.nextInt(5),
            1 + random.nextInt(8));
    // Data in memtables may be older than what was deleted.
    long leastInMemory =
        random.nextInt(3) == 0 ? EPOCH_SECONDS * 1_000_000 + random.nextInt(12) : Long.MAX_VALUE;
    Directory directory = new MemoryDirectory();
    // Closing the budget fails if anything was not released.
    try (MemoryBudget memory = PooledMemory.withLimit(1 << 30);
        LiveSet set =
            LiveSet.open(
                directory,
                schema,
                LiveSetOptions.builder(
                        (in, descriptor) ->
                            SSTable.open(in, descriptor, SSTableOptions.DEFAULT, memory))
                    .partitioner(models.get(0).partitioner())
                    .memtables((first, last) -> leastInMemory)
                    .build(),
                memory)) {
      TreeSet<PartitionKey> keys = new TreeSet<>();
      for (TableModel model : models) {
        try (Claim claim = set.beginFlush(CommitLogIntervals.NONE)) {
          ModelTables.write(
              model, claim.newOutput(OutputHints.of(model.header(), model.partitions().size())));
          claim.commit();
        }
        model.partitions().forEach(each -> keys.add(each.key()));
      }
      long now =
          random.nextInt(4) == 0
              ? DeletionTime.MAX_DELETION_TIME
              : EPOCH_SECONDS + random.nextInt(40);
      check(set, schema, keys, leastInMemory, now);
    }
  }

  private void check(
      LiveSet set, TableSchema schema, Set<PartitionKey> keys, long leastInMemory, long now)
      throws IOException {
    Map<PartitionKey, Set<String>> expected = new TreeMap<>();
    for (PartitionKey key : keys) {
      Set<String> stays = new TreeSet<>();
      for (Finding finding : explain(set, schema, key, leastInMemory, now)) {
        seen.add(finding.outcome().kind());
        if (finding.outcome().kind() != PurgeOutcome.Kind.GOES) {
          stays.add(line(finding));
        }
      }
      if (!stays.isEmpty()) {
        expected.put(key, stays);
      }
    }
    try (Claim claim =
        set.claim(
                set.live().tables().stream().map(LiveTable::descriptor).collect(Collectors.toSet()))
            .orElseThrow()) {
      var unused =
          new CompactionTask(claim, TaskOptions.builder(schema, now).build(), new TaskProgress())
              .run();
    }
    assertThat(content(set)).as("at %s", now).isEqualTo(expected);
  }

  private static List<Finding> explain(
      LiveSet set, TableSchema schema, PartitionKey key, long leastInMemory, long now)
      throws IOException {
    List<KeySource> sources = new ArrayList<>();
    List<PartitionReader> readers = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    View view = set.acquire();
    try {
      if (leastInMemory != Long.MAX_VALUE) {
        sources.add(
            new KeySource(new Source("memtable", Source.Kind.MEMTABLE, leastInMemory), null));
      }
      long[] hash = new long[2];
      Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
      for (SSTable table : view.newestFirst()) {
        if (table.mightContain(key, hash[0], hash[1])) {
          PartitionReader reader = table.reader();
          readers.add(reader);
          Source source =
              new Source(
                  table.descriptor().toString(),
                  Source.Kind.UNREPAIRED,
                  table.statistics().stats().minTimestamp());
          sources.add(new KeySource(source, reader.seek(key) ? reader : null));
        }
      }
      var unused = Explanation.explain(schema, null, sources, now, findings::add);
    } finally {
      for (PartitionReader reader : readers) {
        reader.close();
      }
      view.release();
    }
    return findings;
  }

  /** Expired cells that stay become tombstones with the time of their writing. */
  private static String line(Finding of) {
    boolean becomesTombstone = of.item() == Item.CELL && of.verdict() == Verdict.EXPIRED;
    return line(
        of.item(),
        of.item() == Item.RANGE_DELETION || of.location().isStatic() ? "" : of.location().place(),
        of.location().column(),
        of.location().path(),
        of.times().timestamp(),
        becomesTombstone ? 0 : of.times().ttl(),
        becomesTombstone
            ? of.times().localDeletionTime() - of.times().ttl()
            : of.times().localDeletionTime());
  }

  private static String line(
      Item item, String place, String column, String path, long timestamp, int ttl, long deleted) {
    return item + " " + place + " " + column + " " + path + " " + timestamp + " " + ttl + " "
        + deleted;
  }

  private static Map<PartitionKey, Set<String>> content(LiveSet set) throws IOException {
    Map<PartitionKey, Set<String>> all = new TreeMap<>();
    View view = set.acquire();
    try {
      for (SSTable table : view.byFirstKey()) {
        try (DataCursor cursor = table.scan()) {
          while (cursor.nextPartition()) {
            PartitionKey key = new PartitionKey();
            key.copyFrom(cursor.key());
            Set<String> lines = new TreeSet<>();
            if (!DeletionTime.isLive(cursor.deletionTimestamp())) {
              lines.add(
                  line(
                      Item.PARTITION_DELETION,
                      "",
                      "",
                      "",
                      cursor.deletionTimestamp(),
                      0,
                      cursor.deletionLocalTime()));
            }
            while (cursor.nextUnfiltered()) {
              add(cursor.unfiltered(), lines);
            }
            all.put(key, lines);
          }
        }
      }
    } finally {
      view.release();
    }
    return all;
  }

  private static void add(Unfiltered row, Set<String> lines) throws IOException {
    if (row.isMarker()) {
      if (row.clustering().kind().opens()) {
        lines.add(
            line(Item.RANGE_DELETION, "", "", "", row.openTimestamp(), 0, row.openLocalTime()));
      }
      return;
    }
    String place = row.isStatic() ? "" : place(row);
    if (row.hasDeletion()) {
      lines.add(
          line(
              Item.ROW_DELETION,
              place,
              "",
              "",
              row.deletionTimestamp(),
              0,
              row.deletionLocalTime()));
    }
    if (row.hasLiveness()) {
      lines.add(
          line(
              Item.ROW_LIVENESS,
              place,
              "",
              "",
              row.livenessTimestamp(),
              row.livenessTtl(),
              row.livenessExpirationTime()));
    }
    while (row.nextColumn()) {
      String column = row.column().name();
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        lines.add(
            line(
                Item.COLLECTION_DELETION,
                place,
                column,
                "",
                row.complexDeletionTimestamp(),
                0,
                row.complexDeletionLocalTime()));
      }
      while (row.nextCell()) {
        String path =
            row.isComplex()
                ? row.column()
                    .type()
                    .pathType()
                    .toCqlLiteral(row.bytes(), row.pathOffset(), row.pathLength())
                : "";
        lines.add(
            line(
                Item.CELL,
                place,
                column,
                path,
                row.cellTimestamp(),
                row.cellTtl(),
                row.cellLocalDeletionTime()));
      }
    }
  }

  private static String place(Unfiltered row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.clustering().size(); i++) {
      values.add(
          row.clustering().valueLength(i) < 0
              ? "null"
              : row.encoding()
                  .header()
                  .clusteringTypes()
                  .get(i)
                  .toCqlLiteral(
                      row.clustering().bytes(),
                      row.clustering().valueOffset(i),
                      row.clustering().valueLength(i)));
    }
    return values.isEmpty() ? "" : "(" + String.join(", ", values) + ")";
  }
}
