package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import io.siltstone.type.CqlTypes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.ShardManagerNoDisks;
import org.apache.cassandra.db.compaction.ShardTracker;
import org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy;
import org.apache.cassandra.db.compaction.TimeWindowCompactionStrategy;
import org.apache.cassandra.db.compaction.unified.Controller;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.CompactionParams;
import org.apache.cassandra.utils.Overlaps;
import org.apache.cassandra.utils.Pair;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The strategies decide like Cassandra's functions, over random tables and options, wherever these
 * can be called without SSTables.
 */
class StrategiesAgreeTest {
  private static final int CASES = 1500 * Integer.getInteger("interop.scale", 1);
  private static final long NOW = 1_800_000_000_000L;
  private static final long MIB = 1L << 20;

  // Accepted by Cassandra, rejected here: they have no meaning or no effect. The fanout is rejected
  // because Cassandra computes it with another size than the default, and fails when it needs that
  // level.
  private static final Set<String> REFUSED_HERE =
      Set.of(
          "fanout_size=32",
          "tombstone_threshold=NaN",
          "tombstone_threshold=Infinity",
          "bucket_low=NaN",
          "bucket_high=NaN",
          "bucket_high=Infinity",
          "only_purge_repaired_tombstones=maybe",
          "only_purge_repaired_tombstones=",
          "single_sstable_uplevel=maybe",
          "single_sstable_uplevel=",
          "sstable_growth=NaN",
          "target_sstable_size=NaN B",
          "scaling_parameters=T4,",
          "min_sstable_size=NaN B",
          "flush_size_override=InfinityB");

  // Rejected by Cassandra unless a system property allows it.
  private static final Set<String> REFUSED_THERE =
      Set.of(
          "unsafe_aggressive_sstable_expiration=true", "unsafe_aggressive_sstable_expiration=TRUE");

  private static final Map<String, List<String>> VALUES = new TreeMap<>();

  static {
    List<String> flags = List.of("true", "false", "TRUE", "maybe", "");
    List<String> numbers =
        List.of("0", "1", "2", "4", "32", "-1", "x", "1.5", "2147483648", "", "+4", " 4", "\u0664");
    List<String> sizes =
        List.of(
            "0B",
            "1MiB",
            "100MiB",
            "1GiB",
            "1.5 GB",
            "2*2^30B",
            "1.5*2^30B",
            "1e3*2^20B",
            "+1\tGiB",
            "-5MiB",
            "1G",
            "x",
            "700 MB",
            "NaN B");
    for (String name :
        List.of(
            "enabled",
            "log_all",
            "unchecked_tombstone_compaction",
            "only_purge_repaired_tombstones",
            "single_sstable_uplevel",
            "unsafe_aggressive_sstable_expiration")) {
      VALUES.put(name, flags);
    }
    for (String name :
        List.of(
            "min_threshold",
            "max_threshold",
            "tombstone_compaction_interval",
            "sstable_size_in_mb",
            "fanout_size",
            "compaction_window_size",
            "expired_sstable_check_frequency_seconds",
            "base_shard_count",
            "max_sstables_to_compact")) {
      VALUES.put(name, numbers);
    }
    VALUES.put(
        "tombstone_threshold", List.of("0.2", "0", "-0.1", "7", "NaN", "Infinity", "x", " 1f"));
    VALUES.put("bucket_low", List.of("0.5", "0", "-1", "2", "NaN", "x"));
    VALUES.put("bucket_high", List.of("1.5", "0.5", "0.4", "Infinity", "NaN", "x"));
    VALUES.put("min_sstable_size", List.of("0", "50", "-1", "0B", "1MiB", "900MiB", "NaN B", "x"));
    VALUES.put("provide_overlapping_tombstones", List.of("none", "ROW", "cell", "all"));
    VALUES.put(
        "compaction_window_unit",
        List.of("MINUTES", "HOURS", "DAYS", "SECONDS", "WEEKS", "days", "Hours"));
    VALUES.put(
        "timestamp_resolution",
        List.of("SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS", "DAYS", "seconds"));
    VALUES.put(
        "scaling_parameters",
        List.of("T4", "L10", "N", "T4, L10,N", "-8, 3", "T1", "t4", "", "T4,", "Q"));
    VALUES.put("target_sstable_size", sizes);
    VALUES.put("flush_size_override", List.of("0B", "1MiB", "100MiB", "x", "-1MiB", "InfinityB"));
    VALUES.put("sstable_growth", List.of("0", "1", "0.333", "33%", "1.1", "-0.1", "NaN", "x"));
    VALUES.put("overlap_inclusion_method", List.of("none", "SINGLE", "Transitive", "all"));
    VALUES.put("no_such_option", List.of("1"));
  }

  @BeforeAll
  static void start() {
    CassandraNode.get();
  }

  @Test
  void theSameOptionsAreAccepted() {
    Random random = new Random(1);
    List<String> names = List.copyOf(VALUES.keySet());
    int accepted = 0;
    List<String> different = new ArrayList<>();
    for (int i = 0; i < 10 * CASES; i++) {
      Map<String, String> options = new HashMap<>();
      options.put(
          "class",
          TableOptions.COMPACTION_STRATEGIES.get(
              random.nextInt(TableOptions.COMPACTION_STRATEGIES.size())));
      for (int j = random.nextInt(3); j >= 0; j--) {
        String name = names.get(random.nextInt(names.size()));
        List<String> values = VALUES.getOrDefault(name, List.of());
        options.put(name, values.get(random.nextInt(values.size())));
      }
      boolean isDeliberate =
          options.entrySet().stream()
              .map(Map.Entry::toString)
              .anyMatch(text -> REFUSED_HERE.contains(text) || REFUSED_THERE.contains(text));
      if (!isDeliberate) {
        boolean isAccepted = isAcceptedHere(options);
        if (isAccepted != isAcceptedThere(options)) {
          different.add((isAccepted ? "accepted here: " : "refused here: ") + options);
        }
        accepted += isAccepted ? 1 : 0;
      }
    }
    assertThat(different).isEmpty();
    assertThat(accepted).isGreaterThan(CASES / 2);
  }

  private static boolean isAcceptedHere(Map<String, String> options) {
    try {
      strategy(options);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isAcceptedThere(Map<String, String> options) {
    try {
      CompactionParams.fromMap(options).validate();
      return true;
    } catch (ConfigurationException | NumberFormatException e) {
      return false;
    }
  }

  private static Strategy strategy(Map<String, String> options) {
    return StrategyRegistry.of(
        TableSchema.builder("ks", "t")
            .partitionKey("k", CqlTypes.BLOB)
            .options(TableOptions.builder().compaction(options).build())
            .build());
  }

  private static Strategy strategy(String name, String... options) {
    Map<String, String> map = new HashMap<>();
    map.put("class", name);
    for (int i = 0; i < options.length; i += 2) {
      map.put(options[i], options[i + 1]);
    }
    return strategy(map);
  }

  private static LiveTable table(int generation, long bytes, long first, long last, long time) {
    return new LiveTable(
        Descriptor.of(FormatVersion.of("oa"), generation),
        new LiveTable.Size(bytes, bytes, 100, 100, 100),
        new LiveTable.KeySpan(
            PartitionKey.of(new byte[0], first), PartitionKey.of(new byte[0], last)),
        new LiveTable.Times(
            time,
            time,
            DeletionTime.NO_DELETION_TIME,
            DeletionTime.NO_DELETION_TIME,
            TombstoneHistogram.empty()),
        0,
        RepairState.UNREPAIRED,
        0,
        CompressionOptions.DEFAULT,
        LiveTable.Use.FREE);
  }

  private static Plan plan(Strategy strategy, List<LiveTable> tables) {
    return strategy.plan(
        new LiveTables(
            tables.stream().sorted(Comparator.comparing(LiveTable::firstKey)).toList(),
            Partitioner.MURMUR3,
            Long.MAX_VALUE,
            0),
        NOW);
  }

  private static Set<Set<LiveTable>> inputs(Plan plan) {
    Set<Set<LiveTable>> inputs = new HashSet<>();
    for (Job job : plan.jobs()) {
      inputs.add(new HashSet<>(job.inputs()));
    }
    return inputs;
  }

  @Test
  void bucketsHaveTheSameTables() {
    Random random = new Random(2);
    int same = 0;
    int merged = 0;
    for (int i = 0; i < CASES; i++) {
      int min = 2 + random.nextInt(4);
      long least = 20L * random.nextInt(3) * MIB;
      List<LiveTable> tables = new ArrayList<>();
      int count = random.nextInt(60);
      for (int j = 0; j < count; j++) {
        tables.add(table(j, 1 + (long) (MIB * Math.exp(10 * random.nextDouble())), 0, 1, 0));
      }
      Set<Set<LiveTable>> there = new HashSet<>();
      List<Pair<LiveTable, Long>> pairs =
          tables.stream().map(table -> Pair.create(table, table.onDiskBytes())).toList();
      for (List<LiveTable> bucket :
          SizeTieredCompactionStrategy.getBuckets(pairs, 1.5, 0.5, least)) {
        if (bucket.size() >= min) {
          there.add(new HashSet<>(bucket));
        }
      }
      Plan plan =
          plan(
              strategy(
                  "SizeTieredCompactionStrategy",
                  "min_threshold",
                  "" + min,
                  "max_threshold",
                  "1000",
                  "min_sstable_size",
                  "" + least),
              tables);
      same += inputs(plan).equals(there) ? 1 : 0;
      merged += plan.jobs().size();
    }
    assertThat(merged).isGreaterThan(CASES);
    // If two buckets fit, Cassandra takes either one, in the order of a hash table.
    assertThat(same).isGreaterThan(CASES * 95 / 100);
  }

  @Test
  void windowsBeginAtTheSameTime() {
    Random random = new Random(3);
    for (int i = 0; i < CASES; i++) {
      TimeUnit unit =
          List.of(TimeUnit.MINUTES, TimeUnit.HOURS, TimeUnit.DAYS).get(random.nextInt(3));
      int size = 1 + random.nextInt(50);
      long time = (long) (random.nextDouble() * (NOW - 100 * 86_400_000L));
      Plan plan =
          plan(
              strategy(
                  "TimeWindowCompactionStrategy",
                  "compaction_window_unit",
                  unit.name(),
                  "compaction_window_size",
                  "" + size,
                  "timestamp_resolution",
                  "MILLISECONDS"),
              List.of(
                  table(1, MIB, 0, 1, time), table(2, MIB, 0, 1, time), table(3, MIB, 0, 1, NOW)));
      long start = TimeWindowCompactionStrategy.getWindowBoundsInMillis(unit, size, time).left;
      assertThat(plan.jobs()).hasSize(1);
      assertThat(plan.jobs().get(0).reason())
          .startsWith("window of " + Instant.ofEpochMilli(start) + " is past");
    }
  }

  @Test
  void dataIsDividedByTheSameShards() {
    Random random = new Random(4);
    ShardManagerNoDisks space =
        new ShardManagerNoDisks(
            ColumnFamilyStore.fullWeightedRange(0, Murmur3Partitioner.instance));
    int divided = 0;
    for (int i = 0; i < CASES; i++) {
      Map<String, String> options = new HashMap<>();
      options.put("class", "UnifiedCompactionStrategy");
      options.put("base_shard_count", "" + (1 + random.nextInt(9)));
      options.put("sstable_growth", List.of("0", "1", "0.333", "50%").get(random.nextInt(4)));
      options.put("target_sstable_size", (1 + random.nextInt(3000)) + "MiB");
      if (random.nextBoolean()) {
        options.put("min_sstable_size", "0B");
      } else if (options.get("target_sstable_size").length() > 5) {
        options.put("min_sstable_size", "64MiB");
      }
      options.put("scaling_parameters", "N");
      if (!isAcceptedHere(options)) {
        continue;
      }
      long one = random.nextLong();
      long other = random.nextInt(3) == 0 ? Long.MAX_VALUE : random.nextLong();
      long first = Math.max(Long.MIN_VALUE + 1, Math.min(one, other));
      long last = Math.max(one, other);
      long bytes = (long) (MIB * Math.exp(13 * random.nextDouble()));
      List<LiveTable> tables =
          List.of(table(1, bytes, first, last, 0), table(2, bytes, first, last, 1));
      Map<String, String> there = new HashMap<>(options);
      there.remove("class");
      Controller controller = Controller.fromOptions(null, there);
      double density =
          2.0
              * bytes
              / space.rangeSpanned(new Range<>(new LongToken(first), new LongToken(last + 1)));
      ShardTracker shards = space.boundaries(controller.getNumShards(density));
      List<Long> ends = new ArrayList<>();
      shards.advanceTo(new LongToken(first));
      while (shards.shardEnd() instanceof LongToken end && end.token < last) {
        ends.add(end.token);
        shards.advanceTo(new LongToken(end.token + 1));
      }
      Plan plan = plan(strategy(options), tables);
      assertThat(plan.jobs()).hasSize(1);
      Split split = plan.jobs().get(0).split();
      assertThat(split instanceof Split.AtTokens at ? at.tokens() : List.of())
          .as("%s, %d bytes from %d to %d", options, 2 * bytes, first, last)
          .isEqualTo(ends);
      divided += ends.isEmpty() ? 0 : 1;
    }
    assertThat(divided).isGreaterThan(CASES / 4);
  }

  @Test
  void tablesAreOfTheSameDensityLevel() {
    Random random = new Random(5);
    Pattern level = Pattern.compile("level (\\d+) ");
    for (int i = 0; i < CASES; i++) {
      String scaling = List.of("T4", "L10", "N", "T8, L4, N", "T32").get(random.nextInt(5));
      int flushMib = 1 + random.nextInt(500);
      Map<String, String> options =
          Map.of("scaling_parameters", scaling, "flush_size_override", flushMib + "MiB");
      Controller controller = Controller.fromOptions(null, options);
      long bytes = (long) (MIB * Math.exp(15 * random.nextDouble()));
      int index = 0;
      double end =
          controller.getMaxLevelDensity(0, controller.getBaseSstableSize(controller.getFanout(0)));
      while (bytes >= end) {
        end = controller.getMaxLevelDensity(++index, end);
      }
      Plan plan =
          plan(
              strategy(
                  "UnifiedCompactionStrategy",
                  "scaling_parameters",
                  scaling,
                  "flush_size_override",
                  flushMib + "MiB"),
              List.of(table(1, bytes, Long.MIN_VALUE + 1, Long.MAX_VALUE, 0)));
      Matcher remark = level.matcher(plan.remarks().get(0));
      assertThat(remark.lookingAt()).isTrue();
      assertThat(Integer.parseInt(remark.group(1))).isEqualTo(index);
    }
  }

  @Test
  void theSameOverlappingTablesAreMerged() {
    Random random = new Random(6);
    int merged = 0;
    for (int i = 0; i < CASES; i++) {
      int threshold = 2 + random.nextInt(4);
      Overlaps.InclusionMethod inclusion =
          List.of(Overlaps.InclusionMethod.values()).get(random.nextInt(3));
      List<LiveTable> tables = new ArrayList<>();
      int count = random.nextInt(30);
      int longest = 1 + random.nextInt(300);
      for (int j = 0; j < count; j++) {
        long first = random.nextInt(1000);
        tables.add(table(j, 1, first, first + random.nextInt(longest), j));
      }
      List<Set<LiveTable>> sets =
          Overlaps.constructOverlapSets(
              new ArrayList<>(tables),
              (a, b) -> a.firstKey().compareTo(b.lastKey()) > 0,
              Comparator.comparing(LiveTable::firstKey),
              Comparator.comparing(LiveTable::lastKey));
      // The first ones that are taken: here the rest is examined again after tables are shared.
      List<Set<LiveTable>> there =
          Overlaps.assignOverlapsIntoBuckets(
              threshold,
              inclusion,
              sets,
              (all, from, to) -> {
                Set<LiveTable> bucket = new HashSet<>();
                all.subList(from, to).forEach(bucket::addAll);
                return bucket;
              });
      Set<Set<LiveTable>> here =
          inputs(
              plan(
                  strategy(
                      "UnifiedCompactionStrategy",
                      "scaling_parameters",
                      "T" + threshold,
                      "overlap_inclusion_method",
                      inclusion.name()),
                  tables));
      if (inclusion == Overlaps.InclusionMethod.TRANSITIVE) {
        Set<Set<LiveTable>> small = new HashSet<>(there);
        small.removeIf(bucket -> overlap(bucket) > threshold * threshold);
        assertThat(here).as("case %d", i).containsAll(small);
      } else if (!there.isEmpty()) {
        assertThat(here).as("case %d", i).isNotEmpty();
      } else {
        assertThat(here).as("case %d", i).isEmpty();
      }
      merged += here.size();
    }
    assertThat(merged).isGreaterThan(CASES / 2);
  }

  private static int overlap(Set<LiveTable> tables) {
    return tables.stream()
        .mapToInt(
            table ->
                (int)
                    tables.stream()
                        .filter(
                            other ->
                                other.firstKey().compareTo(table.firstKey()) <= 0
                                    && other.lastKey().compareTo(table.firstKey()) >= 0)
                        .count())
        .max()
        .orElse(0);
  }
}
