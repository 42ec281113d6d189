package io.siltstone.tools.monitor;

import io.siltstone.jmx.DistributionFigures;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.tools.terminal.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints tables in the form of {@code nodetool tablestats}. Lines without a meaning for a table are
 * omitted: counters of files that are not open, levels without leveled compaction, repair without
 * Cassandra.
 */
final class TableStatsText {
  private static final String TABLE = "\t\t";
  private static final double MICROS_PER_MILLI = 1000;

  private final Terminal terminal;
  private final boolean isHuman;

  TableStatsText(Terminal terminal, boolean isHuman) {
    this.terminal = terminal;
    this.isHuman = isHuman;
  }

  void print(String keyspace, List<TableMXBean> tables) {
    terminal.line("Keyspace: " + keyspace);
    List<TableMXBean> open = tables.stream().filter(TableMXBean::isOpen).toList();
    if (!open.isEmpty()) {
      List<@Nullable DistributionFigures> reads = new ArrayList<>();
      List<@Nullable DistributionFigures> writes = new ArrayList<>();
      open.forEach(table -> reads.add(table.getReadLatencyMicros()));
      open.forEach(table -> writes.add(table.getWriteLatencyMicros()));
      terminal.line("\tRead Count: " + count(reads));
      terminal.line("\tRead Latency: " + millis(reads));
      terminal.line("\tWrite Count: " + count(writes));
      terminal.line("\tWrite Latency: " + millis(writes));
      terminal.line(
          "\tPending Flushes: " + open.stream().mapToInt(TableMXBean::getPendingFlushes).sum());
    }
    tables.forEach(this::print);
    terminal.line("----------------");
  }

  private static long count(List<@Nullable DistributionFigures> all) {
    long count = 0;
    for (DistributionFigures each : all) {
      count += each == null ? 0 : each.getCount();
    }
    return count;
  }

  private static String millis(List<@Nullable DistributionFigures> all) {
    double micros = 0;
    for (DistributionFigures each : all) {
      micros += each == null ? 0 : each.getMean() * each.getCount();
    }
    long count = count(all);
    return count == 0
        ? "NaN ms"
        : String.format(Locale.ROOT, "%.3f ms", micros / count / MICROS_PER_MILLI);
  }

  private void print(TableMXBean table) {
    boolean isOpen = table.isOpen();
    line("Table: " + table.getName());
    line("SSTable count: " + table.getSSTableCount());
    line("Max SSTable size: " + Sizes.bytes(table.getMaxSSTableBytes()));
    printLevels(table);
    line("Space used (live): " + bytes(table.getLiveBytes()));
    line("Uncompressed data size: " + bytes(table.getDataBytes()));
    long offHeap =
        table.getBloomFilterOffHeapBytes()
            + table.getIndexSummaryOffHeapBytes()
            + table.getCompressionMetadataOffHeapBytes()
            + table.getMemtableOffHeapBytes();
    line("Off heap memory used (total): " + bytes(offHeap));
    line(
        String.format(Locale.ROOT, "SSTable Compression Ratio: %.5f", table.getCompressionRatio()));
    line("Number of partitions (estimate): " + table.getPartitionsEstimate());
    line("Number of rows in SSTables: " + table.getRows());
    if (table.getRetentionFloor() != null) {
      line("Retention floor: " + table.getRetentionFloor());
    }
    if (isOpen) {
      printCounters(table);
    }
    if (table.getRepairedBytes() > 0) {
      line(
          String.format(
              Locale.ROOT,
              "Percent repaired: %.2f",
              100.0 * table.getRepairedBytes() / table.getLiveBytes()));
      line("Bytes repaired: " + Sizes.bytes(table.getRepairedBytes()));
      line("Bytes unrepaired: " + Sizes.bytes(table.getLiveBytes() - table.getRepairedBytes()));
    }
    if (isOpen) {
      line("Bloom filter false positives: " + table.getBloomFilterFalsePositives());
    }
    line("Bloom filter space used: " + bytes(table.getBloomFilterBytes()));
    line("Bloom filter off heap memory used: " + bytes(table.getBloomFilterOffHeapBytes()));
    line("Index summary off heap memory used: " + bytes(table.getIndexSummaryOffHeapBytes()));
    line(
        "Compression metadata off heap memory used: "
            + bytes(table.getCompressionMetadataOffHeapBytes()));
    DistributionFigures sizes = table.getPartitionBytes();
    line("Compacted partition minimum bytes: " + bytes((long) sizes.getMin()));
    line("Compacted partition maximum bytes: " + bytes((long) sizes.getMax()));
    line("Compacted partition mean bytes: " + bytes((long) sizes.getMean()));
    line(
        String.format(
            Locale.ROOT, "Droppable tombstone ratio: %.5f", table.getDroppableTombstoneRatio()));
    Optional<String> whyUnknown = PendingCompactions.whyUnknown(table);
    if (whyUnknown.isEmpty()) {
      line("Pending compactions: " + table.getPendingCompactions());
      line("Bytes to compact: " + bytes(table.getCompactionDebtBytes()));
    } else if (PendingCompactions.hasSchema(table)) {
      line("Pending compactions: not known: " + whyUnknown.get());
    }
    terminal.line("");
  }

  private void printLevels(TableMXBean table) {
    Map<String, String> compaction = table.getCompactionOptions();
    boolean isLeveled =
        compaction.getOrDefault("class", "").endsWith("LeveledCompactionStrategy")
            || table.getSSTableCountPerLevel().length > 1;
    if (isLeveled) {
      line(
          "SSTables in each level: "
              + levels(
                  table.getSSTableCountPerLevel(),
                  PendingCompactions.isKnown(table)
                      ? Integer.parseInt(compaction.getOrDefault("fanout_size", "10"))
                      : 10));
      line(
          "SSTable bytes in each level: ["
              + Arrays.stream(table.getSSTableBytesPerLevel())
                  .mapToObj(this::bytes)
                  .collect(Collectors.joining(", "))
              + "]");
    }
  }

  /**
   * Formats the number of SSTables of each level, with the greatest number that the level should
   * have if it has more.
   */
  static String levels(int[] counts, int fanout) {
    List<String> levels = new ArrayList<>();
    long most = 4;
    for (int level = 0; level < counts.length; level++) {
      most = level == 0 ? 4 : level == 1 ? fanout : most * fanout;
      levels.add(counts[level] > most ? counts[level] + "/" + most : "" + counts[level]);
    }
    return "[" + String.join(", ", levels) + "]";
  }

  private void printCounters(TableMXBean table) {
    line("Memtable row count: " + table.getMemtableRows());
    line("Memtable data size: " + bytes(table.getMemtableDataBytes()));
    line("Memtable off heap memory used: " + bytes(table.getMemtableOffHeapBytes()));
    line("Memtable switch count: " + table.getFlushes());
    long reads = table.getReadCount();
    long writes = table.getWriteCount();
    line("Local read count: " + reads);
    line("Local read latency: " + millis(singleton(table.getReadLatencyMicros())));
    line("Local write count: " + writes);
    line("Local write latency: " + millis(singleton(table.getWriteLatencyMicros())));
    line(
        String.format(
            Locale.ROOT,
            "Local read/write ratio: %.5f",
            writes == 0 ? 0 : (double) reads / writes));
    line("Pending flushes: " + table.getPendingFlushes());
    if (table.getScanCount() > 0) {
      line("Scan count: " + table.getScanCount());
      line("Scan latency: " + millis(singleton(table.getScanLatencyMicros())));
    }
    DistributionFigures sstables = table.getSSTablesPerRead();
    DistributionFigures chunks = table.getChunksPerRead();
    DistributionFigures disk = table.getDiskBytesPerRead();
    if (reads > 0 && sstables != null && chunks != null && disk != null) {
      line(
          String.format(
              Locale.ROOT,
              "Average per read: %.2f SSTables, %.2f chunks and %.0f bytes from disk",
              sstables.getMean(),
              chunks.getMean(),
              disk.getMean()));
    }
    line("Compactions: " + table.getCompactions());
    line("Bytes flushed: " + bytes(table.getFlushedBytes()));
    line("Bytes compacted: " + bytes(table.getCompactionBytesWritten()));
    if (table.getFlushedBytes() > 0) {
      line(String.format(Locale.ROOT, "Write amplification: %.2f", table.getWriteAmplification()));
    }
  }

  private static List<@Nullable DistributionFigures> singleton(@Nullable DistributionFigures of) {
    List<@Nullable DistributionFigures> one = new ArrayList<>();
    one.add(of);
    return one;
  }

  private String bytes(long bytes) {
    return Sizes.bytes(bytes, isHuman);
  }

  private void line(String text) {
    terminal.line(TABLE + text);
  }
}
