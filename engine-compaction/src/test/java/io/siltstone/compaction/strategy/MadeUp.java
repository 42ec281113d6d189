package io.siltstone.compaction.strategy;

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
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An invented SSTable without files, described piece by piece; everything else has plain values.
 */
public final class MadeUp {
  public static final long NOW = 1_800_000_000_000L;
  public static final long MIB = 1L << 20;
  public static final long DAY_MILLIS = 86_400_000L;

  private static final String SESSION = "00000000-0000-1000-8000-000000000001";

  private final long generation;
  private long bytes = 100 * MIB;
  private long firstToken = Long.MIN_VALUE + 1;
  private long lastToken = Long.MAX_VALUE;
  private long minTimestamp = 1000;
  private long maxTimestamp = 2000;
  private long minLocalDeletionTime = DeletionTime.NO_DELETION_TIME;
  private long maxLocalDeletionTime = DeletionTime.NO_DELETION_TIME;
  private TombstoneHistogram tombstones = TombstoneHistogram.empty();
  private int level;
  private RepairState repair = RepairState.UNREPAIRED;
  private long writtenAt = NOW - 30 * DAY_MILLIS;
  private FormatVersion version = FormatVersion.of("oa");
  private Optional<LiveTable.EventTime> eventTime = Optional.empty();
  private LiveTable.Hidden hidden = LiveTable.Hidden.NOT_ALL;
  private boolean isClaimed;
  private boolean isDamaged;

  private MadeUp(long generation) {
    this.generation = generation;
  }

  public static MadeUp table(long generation) {
    return new MadeUp(generation);
  }

  public MadeUp bytes(long value) {
    bytes = value;
    return this;
  }

  public MadeUp mib(double value) {
    return bytes((long) (value * MIB));
  }

  public MadeUp tokens(long first, long last) {
    firstToken = first;
    lastToken = last;
    return this;
  }

  public MadeUp times(long min, long max) {
    minTimestamp = min;
    maxTimestamp = max;
    return this;
  }

  /** All its data is deleted or expires, the last of it at a time in seconds. */
  public MadeUp expiring(long last) {
    maxLocalDeletionTime = last;
    return this;
  }

  /** The first deleted or expiring data, at a time in seconds. */
  public MadeUp firstGone(long time) {
    minLocalDeletionTime = time;
    return this;
  }

  /** The number of deleted cells of 1000, at a time in seconds. */
  public MadeUp tombstones(int count, long time) {
    tombstones = TombstoneHistogram.of(new TreeMap<>(Map.of(time, count)));
    return this;
  }

  public MadeUp level(int value) {
    level = value;
    return this;
  }

  public MadeUp repaired() {
    repair = new RepairState(NOW, Optional.empty(), false);
    return this;
  }

  public MadeUp pendingRepair() {
    repair = new RepairState(0, Optional.of(UUID.fromString(SESSION)), false);
    return this;
  }

  public MadeUp writtenAt(long millis) {
    writtenAt = millis;
    return this;
  }

  public MadeUp claimed() {
    isClaimed = true;
    return this;
  }

  public MadeUp damaged() {
    isDamaged = true;
    return this;
  }

  /** The greatest event time, in milliseconds. */
  public MadeUp eventMillis(long millis) {
    eventTime = Optional.of(new LiveTable.EventTime(millis, true));
    return this;
  }

  /** The greatest event time, in the unit of the application. */
  public MadeUp eventNumber(long number) {
    eventTime = Optional.of(new LiveTable.EventTime(number, false));
    return this;
  }

  public MadeUp hidden(LiveTable.Hidden value) {
    hidden = value;
    return this;
  }

  public MadeUp version(String value) {
    version = FormatVersion.of(value);
    return this;
  }

  public LiveTable make() {
    return new LiveTable(
        Descriptor.of(version, generation),
        new LiveTable.Size(bytes, 2 * bytes, 1000, 1000, 1000),
        new LiveTable.KeySpan(key(firstToken), key(lastToken)),
        new LiveTable.Times(
            minTimestamp,
            maxTimestamp,
            minLocalDeletionTime,
            maxLocalDeletionTime,
            tombstones,
            eventTime),
        level,
        repair,
        writtenAt,
        CompressionOptions.DEFAULT,
        new LiveTable.Use(isClaimed, isDamaged, hidden));
  }

  static PartitionKey key(long token) {
    return PartitionKey.of(new byte[0], token);
  }

  public static LiveTables live(MadeUp... tables) {
    return live(Arrays.stream(tables).map(MadeUp::make).toList());
  }

  public static LiveTables live(List<LiveTable> tables) {
    return new LiveTables(
        tables.stream().sorted(Comparator.comparing(LiveTable::firstKey)).toList(),
        Partitioner.MURMUR3,
        Long.MAX_VALUE,
        0);
  }

  /** Returns the strategy of a name with options, each followed by its value. */
  public static Strategy strategy(String name, String... options) {
    return StrategyRegistry.of(schema(name, 864_000, options));
  }

  public static TableSchema schema(String name, int gcGraceSeconds, String... options) {
    Map<String, String> compaction = new HashMap<>();
    compaction.put("class", name);
    for (int i = 0; i < options.length; i += 2) {
      compaction.put(options[i], options[i + 1]);
    }
    return TableSchema.builder("ks", "t")
        .partitionKey("k", CqlTypes.BLOB)
        .clustering("c", CqlTypes.TIMESTAMP)
        .options(
            TableOptions.builder().compaction(compaction).gcGraceSeconds(gcGraceSeconds).build())
        .build();
  }

  /** Returns the generations of the inputs of each job. */
  public static List<List<Long>> inputs(List<Job> jobs) {
    return jobs.stream()
        .map(
            job ->
                job.inputs().stream()
                    .map(input -> Long.parseLong(input.descriptor().id()))
                    .sorted()
                    .toList())
        .toList();
  }
}
