package io.siltstone.tools.inspect;

import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.util.List;
import java.util.Locale;

/** Prints advice as text. */
final class AdviceText {
  private static final double PERCENT = 100;

  private AdviceText() {}

  static void print(TableFacts facts, List<Advice> advice, Terminal terminal) {
    terminal.format(
        "%s: %s, %s on disk, %s of data, %s",
        facts.name(),
        CountText.of(facts.data().sstables(), "SSTable"),
        Units.bytes(facts.data().onDiskBytes()),
        Units.bytes(facts.data().dataBytes()),
        facts.strategy());
    if (facts.data().sstables() > 0) {
      facts(facts, terminal);
      chunkLengths(facts, terminal);
      CompressorTrials.print(facts.chunks().compressors(), terminal);
    }
    for (Advice each : advice) {
      terminal.format("%n%s: %s", each.subject(), each.what());
      terminal.line("  because: " + each.reason());
      for (Advice.Effect effect : each.expected()) {
        terminal.format(
            "  %s: %s -> %s",
            effect.name().replace('_', ' '),
            figure(effect.name(), effect.now()),
            figure(effect.name(), effect.then()));
      }
      if (!each.statement().isEmpty()) {
        terminal.line("  " + each.statement());
      }
      if (!each.command().isEmpty()) {
        terminal.line(
            (each.statement().isEmpty() ? "  run: " : "  then, for the existing data: ")
                + each.command());
      }
    }
  }

  private static void facts(TableFacts facts, Terminal terminal) {
    terminal.format(
        "  partitions      %d in all SSTables, median %s, 95 %% up to %s, the largest up to %s",
        facts.partitions().count(),
        Units.bytes(facts.partitions().medianBytes()),
        Units.bytes(facts.partitions().p95Bytes()),
        Units.bytes(facts.partitions().maxBytes()));
    terminal.line(
        "  rows            "
            + facts.data().rows()
            + " in all SSTables"
            + (facts.data().rows() == 0
                ? ""
                : ", "
                    + Units.bytes(facts.data().dataBytes() / facts.data().rows())
                    + " on average"));
    terminal.format(
        "  SSTables/read   %.1f, at most %d, of %d sampled keys",
        facts.keys().sstablesPerRead(), facts.keys().maxSSTablesPerRead(), facts.keys().count());
    terminal.format(
        "  of their cells  %.1f %% overwritten or deleted, %.1f %% tombstones; of all cells %.1f %%"
            + " could be purged",
        PERCENT * facts.keys().shadowed(),
        PERCENT * facts.keys().tombstones(),
        PERCENT * facts.droppable());
    terminal.format(
        "  time            written over %s; %s; %s",
        Units.time(facts.times().spanSeconds()),
        facts.times().ttlSeconds() > 0
            ? "everything expires within " + Units.time(facts.times().ttlSeconds())
            : "not everything expires",
        timeOrder(facts));
    traffic(facts, terminal);
    if (facts.data().debtBytes() > 0) {
      terminal.format("  to be merged    %s", Units.bytes(facts.data().debtBytes()));
    }
  }

  private static void traffic(TableFacts facts, Terminal terminal) {
    TableTraffic traffic = facts.traffic();
    if (traffic == null) {
      terminal.line(
          "  use             not known from files: --pid or --jmx asks the process that has them"
              + " open");
      return;
    }
    terminal.format(
        "  use             %d reads, %d scans, %d writes; %.1f SSTables, %.2f chunks from"
            + " files and %s from disk per read",
        traffic.reads(),
        traffic.scans(),
        traffic.writes(),
        traffic.sstablesPerRead(),
        traffic.chunksPerRead(),
        Units.bytes(Math.round(traffic.diskBytesPerRead())));
  }

  private static String timeOrder(TableFacts facts) {
    if (facts.times().clustering().isEmpty()) {
      return "the first clustering column is not a time";
    }
    return Double.isNaN(facts.times().order())
        ? "too few rows to see whether they were written in the order of "
            + facts.times().clustering()
        : String.format(
            Locale.ROOT,
            "%.0f %% of neighboring rows written in the order of %s",
            PERCENT * facts.times().order(),
            facts.times().clustering());
  }

  private static void chunkLengths(TableFacts facts, Terminal terminal) {
    terminal.format(
        "%n  %-14s %10s %6s %14s %10s %14s",
        "chunk length", "on disk", "ratio", "read from disk", "metadata", "(Cassandra's)");
    int present = facts.isCompressed() ? facts.present().chunkBytes() : 0;
    for (ChunkFigures each : facts.chunks().lengths()) {
      terminal.format(
          "%s %-14s %10s %6.2f %14s %10s %14s",
          each.chunkBytes() == present ? ">" : " ",
          Units.bytes(each.chunkBytes()),
          Units.bytes(Math.round(each.onDiskBytes())),
          each.ratio(),
          Units.bytes(Math.round(each.bytesPerRead())),
          Units.bytes(each.metadataBytes()),
          Units.bytes(each.cassandraMetadataBytes()));
    }
    terminal.format(
        "  of a sample of %s; read from disk: for a row, from each SSTable that has it, nothing"
            + " cached",
        Units.bytes(facts.chunks().sampledBytes()));
  }

  private static String figure(String name, double value) {
    return name.contains("bytes")
        ? Units.bytes(Math.round(value))
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
