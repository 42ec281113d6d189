package io.siltstone.tools.metadata;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints metadata in the text of {@code sstablemetadata}, line by line.
 *
 * <p>Source: Cassandra {@code SSTableMetadataViewer}, without colors and without a scan of the
 * data.
 */
final class MetadataText {
  private static final String COMPRESSOR_PACKAGE = "org.apache.cassandra.io.compress.";

  private final Terminal terminal;
  private final Clock clock;
  private final int gcGraceSeconds;
  private final Quantities quantities;

  MetadataText(Terminal terminal, Clock clock, int gcGraceSeconds) {
    this.terminal = terminal;
    this.clock = clock;
    this.gcGraceSeconds = gcGraceSeconds;
    this.quantities = new Quantities(clock.getZone());
  }

  void print(SSTableFile file, SSTable table) throws IOException {
    Statistics statistics = table.statistics();
    StatsMetadata stats = statistics.stats();
    field("SSTable", file.path().resolveSibling(file.descriptor().toString()));
    field("Partitioner", statistics.validation().partitioner());
    field("Bloom Filter FP chance", statistics.validation().bloomFilterFpChance());
    printTimes(stats);
    printCompression(table, stats);
    field("TTL min", stats.minTtl(), Quantities.ttl(stats.minTtl()));
    field("TTL max", stats.maxTtl(), Quantities.ttl(stats.maxTtl()));
    BoundText bounds = new BoundText(table);
    printKeys(bounds);
    field(
        "Covered clusterings",
        slice(table.descriptor().version(), stats.coveredClustering(), bounds));
    field("Estimated droppable tombstones", droppable(stats, clock, gcGraceSeconds));
    field("SSTable Level", stats.level());
    field(
        "Repaired at",
        stats.repairedAt(),
        quantities.date(stats.repairedAt(), TimeUnit.MILLISECONDS));
    field("Originating host id", stats.originatingHostId().orElse(null));
    field("Pending repair", stats.pendingRepair().orElse(null));
    field("Replay positions covered", intervals(stats.commitLogIntervals()));
    field("totalColumnsSet", stats.totalColumnsSet());
    field("totalRows", stats.totalRows());
    printHistograms(stats);
    field("Local token space coverage", stats.tokenSpaceCoverage());
    field("Estimated cardinality", statistics.compaction().cardinality().estimate());
    printHeader(statistics.header());
    field("IsTransient", stats.isTransient());
    // The floor is in a file of the table; sstablemetadata does not print it.
    file.retentionFloor(table).ifPresent(floor -> field("Retention floor", floor));
  }

  private void printTimes(StatsMetadata stats) {
    field(
        "Minimum timestamp",
        quantities.date(stats.minTimestamp(), TimeUnit.MICROSECONDS),
        Long.toString(stats.minTimestamp()));
    field(
        "Maximum timestamp",
        quantities.date(stats.maxTimestamp(), TimeUnit.MICROSECONDS),
        Long.toString(stats.maxTimestamp()));
    field("Duration", Quantities.duration(stats.maxTimestamp() - stats.minTimestamp()));
    field(
        "SSTable min local deletion time",
        quantities.deletion(stats.minLocalDeletionTime()),
        Long.toString(stats.minLocalDeletionTime()));
    field(
        "SSTable max local deletion time",
        quantities.deletion(stats.maxLocalDeletionTime()),
        Long.toString(stats.maxLocalDeletionTime()));
  }

  private void printCompression(SSTable table, StatsMetadata stats) {
    if (!table.compression().isEnabled()) {
      field("Compressor", "-");
      return;
    }
    String name = table.compression().className();
    field("Compressor", name.indexOf('.') < 0 ? COMPRESSOR_PACKAGE + name : name);
    CompressionDictionary dictionary = table.compression().dictionary();
    if (dictionary != null) {
      field("Compression dictionary", dictionary.id() + " of " + dictionary.length() + " bytes");
    }
    field("Compression ratio", stats.compressionRatio());
  }

  private void printKeys(BoundText bounds) throws IOException {
    field("First token", bounds.firstToken(), bounds.firstKey());
    field("Last token", bounds.lastToken(), bounds.lastKey());
  }

  private void printHistograms(StatsMetadata stats) {
    field("Estimated tombstone drop times", "");
    HistogramText.of(
            stats.tombstoneTimes(),
            "Drop Time",
            time -> time + " " + inParentheses(quantities.date(time, TimeUnit.SECONDS)))
        .print(terminal);
    field("Partition Size", "");
    HistogramText.of(
            stats.partitionSizes(),
            "Size (bytes)",
            size -> size + " " + inParentheses(Quantities.bytes(size)))
        .print(terminal);
    field("Column Count", "");
    HistogramText.of(stats.cellsPerPartition(), "Columns", Long::toString).print(terminal);
  }

  private void printHeader(SerializationHeader header) {
    EncodingStats bases = header.stats();
    field("EncodingStats minTTL", bases.minTtl(), Quantities.ttl(bases.minTtl()));
    field(
        "EncodingStats minLocalDeletionTime",
        quantities.date(bases.minLocalDeletionTime(), TimeUnit.SECONDS),
        Long.toString(bases.minLocalDeletionTime()));
    field(
        "EncodingStats minTimestamp",
        quantities.date(bases.minTimestamp(), TimeUnit.MICROSECONDS),
        Long.toString(bases.minTimestamp()));
    field("KeyType", header.keyType().className());
    field("ClusteringTypes", header.clusteringTypes().stream().map(CqlType::className).toList());
    field("StaticColumns", columns(header.staticColumns()));
    field("RegularColumns", columns(header.regularColumns()));
  }

  private static String columns(List<HeaderColumn> columns) {
    // In the order of Java's hash map, as in Cassandra, so that the texts can be compared.
    Map<String, String> types = new HashMap<>();
    columns.forEach(column -> types.put(column.name(), column.type().className()));
    return types.entrySet().stream()
        .map(entry -> entry.getKey() + ":" + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Returns the estimated share of all cells that are tombstones old enough to be purged. */
  static double droppable(StatsMetadata stats, Clock clock, int gcGraceSeconds) {
    long cells = stats.estimatedCells();
    long before = clock.millis() / 1000 - gcGraceSeconds;
    return cells > 0 ? stats.tombstoneTimes().countUpTo(before) / cells : 0;
  }

  private static String slice(FormatVersion version, CoveredClustering covered, BoundText bounds)
      throws IOException {
    if (!version.hasCoveredClustering() && covered.startSize() == 0 && covered.endSize() == 0) {
      return "ALL";
    }
    return (covered.startKind() == ClusteringKind.INCL_START_BOUND ? "[" : "(")
        + values(bounds.start())
        + ", "
        + values(bounds.end())
        + (covered.endKind() == ClusteringKind.INCL_END_BOUND ? "]" : ")");
  }

  private static String values(List<@Nullable String> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(":"));
  }

  private static String intervals(CommitLogIntervals intervals) {
    return intervals.intervals().stream()
        .map(interval -> position(interval.start()) + "=" + position(interval.end()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String position(CommitLogPosition position) {
    return "CommitLogPosition(segmentId="
        + position.segmentId()
        + ", position="
        + position.position()
        + ")";
  }

  private static String inParentheses(@Nullable String text) {
    return text == null ? "" : "(" + text + ")";
  }

  private void field(String name, @Nullable Object value) {
    field(name, value, null);
  }

  private void field(String name, @Nullable Object value, @Nullable String comment) {
    terminal.line(
        name
            + ": "
            + (value == null ? "--" : value)
            + (comment == null ? "" : " (" + comment + ")"));
  }
}
