package io.siltstone.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests each rule on facts that call for it, and on facts that just do not. */
class AdviceRulesTest {
  private static final String KEYS =
      "CREATE TABLE ks.t (k int, at timestamp, v text, PRIMARY KEY (k, at))";
  private static final long DAY = 86_400;

  /** Facts that call for no advice, which each test changes. */
  private static final class Facts {
    String table = "ks.t";
    String options = "";
    long onDisk = 6L << 30;
    long data = 10L << 30;
    long span = 30 * DAY;
    long median = 200;
    // Of 4, 8, 16, 32, 64, 128 and 256 KiB.
    double[] ratios = {0.6, 0.58, 0.56, 0.55, 0.54, 0.54, 0.54};
    double perRead = 1.5;
    double shadowed = 0.05;
    double tombstones = 0.02;
    double droppable = 0.01;
    String timeClustering = "";
    double timeOrder = Double.NaN;
    double partitionSpan = 0.5;
    long ttl;
    long debt;
    long otherBytes;
    @Nullable TableTraffic traffic;

    TableFacts make() {
      TableSchema schema = SchemaParser.parse(KEYS.replace("ks.t", table) + options).onlyTable();
      List<ChunkFigures> chunks = new ArrayList<>();
      for (int i = 0; i < ratios.length; i++) {
        chunks.add(FactsGatherer.figures(4096 << i, ratios[i], data, median));
      }
      return new TableFacts(
          "ks.t",
          schema,
          new TableFacts.DataSize(
              20, onDisk, data, otherBytes == 0 ? 0 : 3, otherBytes, 50_000_000, debt, 64 << 20),
          new TableFacts.PartitionSizes(50_000_000, median, 4 * median, 10 * median),
          new TableFacts.ChunkTrials(8 << 20, chunks, List.of()),
          new TableFacts.KeySample(100, perRead, 9, shadowed, tombstones),
          new TableFacts.WriteTimes(timeClustering, timeOrder, partitionSpan, ttl, span),
          droppable,
          traffic);
    }

    /** Sets the traffic of a process, with 2 chunks, 12,000 bytes, 6.5 SSTables per read. */
    Facts traffic(long reads, long scans, long writes) {
      traffic = new TableTraffic(reads, scans, writes, 6.5, 2, 12_000);
      return this;
    }

    List<Advice> advice() {
      return AdviceRules.apply(make(), Facts::simulated);
    }

    Advice on(String subject) {
      return advice().stream()
          .filter(each -> each.subject().equals(subject))
          .findFirst()
          .orElseThrow();
    }

    private static SimulatedCost simulated(TableFacts facts, Map<String, String> compaction) {
      return String.valueOf(compaction.get("class")).endsWith("LeveledCompactionStrategy")
          ? new SimulatedCost(1.4, 12, 1.1)
          : new SimulatedCost(4, 5, 1.6);
    }

    Facts chunk(int kib) {
      options =
          " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '" + kib + "'}";
      return this;
    }

    Facts strategy(String name) {
      options = " WITH compaction = {'class': '" + name + "'}";
      return this;
    }
  }

  @Test
  void aTableIsSimulatedWhateverItsTimestampsSay() {
    Map<String, String> kept = Map.of("class", "SizeTieredCompactionStrategy", "enabled", "false");
    Facts atOnce = new Facts();
    atOnce.onDisk = 20L << 40;
    atOnce.span = 0;
    assertThat(SimulatedCost.of(atOnce.make(), kept).writeAmplification())
        .isCloseTo(1, within(0.05));
    Facts inTheFarFuture = new Facts();
    inTheFarFuture.onDisk = 20L << 40;
    inTheFarFuture.span = Long.MAX_VALUE / 1_000_000;
    assertThat(SimulatedCost.of(inTheFarFuture.make(), kept).writeAmplification())
        .isCloseTo(1, within(0.05));
  }

  @Test
  void aReadFetchesNoMoreThanThereIs() {
    // A chunk and the beginning of another; the small table has less data than that.
    assertThat(FactsGatherer.figures(4096, 0.5, 15_000, 1025).bytesPerRead())
        .isEqualTo(0.5 * (4096 + 1024));
    assertThat(FactsGatherer.figures(16_384, 0.5, 15_000, 1025).bytesPerRead()).isEqualTo(7500);
  }

  @Test
  void keepsWhatSuits() {
    List<Advice> advice = new Facts().chunk(4).advice();
    assertThat(advice).hasSize(2).noneMatch(Advice::isChange);
    assertThat(advice).extracting(Advice::rule).containsExactly("chunks-suit", "strategy-suits");
    assertThat(advice).allMatch(each -> each.what().equals("keep what you have"));
  }

  @Test
  void filesThatAreNotAsTheTableSaysAreRecompressed() {
    Facts facts = new Facts().chunk(4);
    facts.otherBytes = 1L << 30;
    Advice advice = facts.on("compression");
    assertThat(advice.rule()).isEqualTo("not-as-the-table");
    assertThat(advice.isChange()).isTrue();
    assertThat(advice.reason())
        .startsWith("3 of 20 SSTables, 1.0 GiB, do not have the table's compression")
        .contains("chunk_length_in_kb 4 suits");
    assertThat(advice.statement()).isEmpty();
    assertThat(advice.command()).isEqualTo("siltstone recompress");
    assertThat(advice.expected().get(0).then()).isEqualTo(0.6 * (10L << 30));

    // The chunk length has to be changed anyway, with the same command.
    facts.chunk(64);
    assertThat(facts.on("chunk length").rule()).isEqualTo("smaller-chunks");
    assertThat(facts.on("chunk length").reason()).contains("the present figures ignore that");

    facts.chunk(4).otherBytes = 500L << 20;
    assertThat(facts.on("chunk length").rule()).isEqualTo("chunks-suit");
  }

  @Test
  void nothingIsSaidOfLittleData() {
    Facts facts = new Facts().chunk(64);
    facts.data = 100_000;
    assertThat(facts.on("chunk length").rule()).isEqualTo("small");
    assertThat(facts.on("chunk length").isChange()).isFalse();
  }

  @Test
  void smallRowsWantSmallChunks() {
    Advice advice = new Facts().chunk(64).on("chunk length");
    assertThat(advice.rule()).isEqualTo("smaller-chunks");
    assertThat(advice.what()).isEqualTo("chunk_length_in_kb 4 instead of 64");
    assertThat(advice.statement())
        .isEqualTo(
            "ALTER TABLE ks.t WITH compression ="
                + " {'chunk_length_in_kb': '4', 'class': 'LZ4Compressor'};");
    SchemaParser.alter(new Facts().make().schema(), advice.statement(), 1);
    Advice.Effect read = advice.expected().get(0);
    assertThat(read.name()).isEqualTo("bytes_from_disk_per_read");
    assertThat(read.then()).isLessThan(read.now() / 10);
    Advice.Effect memory = advice.expected().get(2);
    assertThat(memory.then()).isEqualTo(16 * memory.now());
  }

  @Test
  void statementsQuoteNamesThatNeedIt() {
    Facts facts = new Facts().chunk(64);
    facts.table = "\"Ks\".\"order\"";
    String statement = facts.on("chunk length").statement();
    assertThat(statement).startsWith("ALTER TABLE \"Ks\".\"order\" WITH compression = ");
    TableSchema altered = SchemaParser.alter(facts.make().schema(), statement, 1);
    assertThat(altered.options().compression().chunkLengthBytes()).isEqualTo(4096);
    assertThat(altered.cqlName()).isEqualTo("\"Ks\".\"order\"");
  }

  @Test
  void noneSmallerThanWhatAReadLooksAt() {
    Facts facts = new Facts().chunk(64);
    facts.median = 12_000;
    assertThat(facts.on("chunk length").what()).contains("chunk_length_in_kb 8 instead of 64");
    facts.median = 10 << 20;
    assertThat(facts.on("chunk length").what()).contains("chunk_length_in_kb 16 instead of 64");
  }

  @Test
  void noneThatMakesTheDataGrowMuch() {
    Facts facts = new Facts().chunk(64);
    facts.ratios = new double[] {0.8, 0.7, 0.55, 0.52, 0.5, 0.5, 0.5};
    assertThat(facts.on("chunk length").what()).contains("chunk_length_in_kb 16 instead of 64");
  }

  @Test
  void largerChunksWhereTheyCompressMuchBetterAndReadsHardlyFetchMore() {
    Facts facts = new Facts().chunk(4);
    facts.median = 10 << 20;
    facts.ratios = new double[] {0.9, 0.7, 0.45, 0.44, 0.43, 0.43, 0.43};
    Advice advice = facts.on("chunk length");
    assertThat(advice.rule()).isIn("smaller-chunks", "larger-chunks");
    assertThat(advice.what()).contains("instead of 4");
    facts.ratios = new double[] {0.5, 0.49, 0.48, 0.47, 0.46, 0.46, 0.46};
    assertThat(facts.on("chunk length").isChange()).isFalse();
  }

  @Test
  void compressionThatBuysNothingIsTurnedOff() {
    Facts facts = new Facts().chunk(16);
    facts.ratios = new double[] {1.001, 1, 0.99, 0.99, 0.98, 0.98, 0.98};
    Advice advice = facts.on("compression");
    assertThat(advice.rule()).isEqualTo("does-not-compress");
    assertThat(advice.isChange()).isTrue();
    TableSchema altered = SchemaParser.alter(facts.make().schema(), advice.statement(), 1);
    assertThat(altered.options().compression().isEnabled()).isFalse();
  }

  @Test
  void dataThatCompressesWellIsCompressed() {
    Facts facts = new Facts();
    facts.options = " WITH compression = {'enabled': 'false'}";
    Advice advice = facts.on("compression");
    assertThat(advice.rule()).isEqualTo("compresses-well");
    assertThat(advice.isChange()).isTrue();
    TableSchema altered = SchemaParser.alter(facts.make().schema(), advice.statement(), 1);
    assertThat(altered.options().compression().isEnabled()).isTrue();
    facts.ratios = new double[] {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9};
    assertThat(facts.on("compression").isChange()).isFalse();
  }

  @Test
  void manySSTablesPerReadCallForLevels() {
    Facts facts = new Facts().strategy("SizeTieredCompactionStrategy");
    facts.perRead = 6;
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("many-sstables-per-read");
    assertThat(advice.statement()).contains("LeveledCompactionStrategy");
    SchemaParser.alter(facts.make().schema(), advice.statement(), 1);
    assertThat(advice.expected().get(0).name()).isEqualTo("sstables_per_read");
    assertThat(advice.expected().get(0).then()).isLessThan(2);
    assertThat(advice.expected().get(1).then()).isGreaterThan(advice.expected().get(1).now());
    facts.perRead = 3.9;
    assertThat(facts.on("strategy").isChange()).isFalse();
  }

  @Test
  void noLevelsWhereTheyWouldNotHelp() {
    Facts facts = new Facts().strategy("SizeTieredCompactionStrategy");
    facts.perRead = 6;
    Advice advice =
        AdviceRules.apply(facts.make(), (of, compaction) -> new SimulatedCost(8, 5, 1)).get(1);
    assertThat(advice.rule()).isEqualTo("levels-would-not-help");
    assertThat(advice.isChange()).isFalse();
  }

  @Test
  void compactionCatchesUpFirst() {
    Facts facts = new Facts().strategy("SizeTieredCompactionStrategy");
    facts.perRead = 6;
    facts.debt = 3L << 30;
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("compaction-is-behind");
    assertThat(advice.isChange()).isFalse();
    assertThat(advice.command()).isEqualTo("siltstone compact");
  }

  @Test
  void compactionIsTurnedOnBeforeAnythingIsSaidOfTheStrategy() {
    Facts facts = timeSeries("SizeTieredCompactionStrategy");
    facts.options =
        " WITH compaction ="
            + " {'class': 'LeveledCompactionStrategy', 'enabled': 'False', 'fanout_size': '5'}";
    facts.perRead = 6;
    facts.debt = 3L << 30;
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("compaction-is-off");
    assertThat(advice.isChange()).isTrue();
    assertThat(advice.what()).contains("'enabled': 'true'");
    assertThat(advice.reason()).contains("there are 20 SSTables, 6.0 per read, 3.0 GiB of 6.0");
    assertThat(
            SchemaParser.alter(facts.make().schema(), advice.statement(), 1).options().compaction())
        .containsEntry("class", "LeveledCompactionStrategy")
        .containsEntry("fanout_size", "5")
        .containsEntry("enabled", "true");

    facts.debt = 0;
    facts.perRead = 1;
    assertThat(facts.on("strategy").rule()).isEqualTo("compaction-is-off");
    assertThat(facts.on("strategy").isChange()).isFalse();
  }

  private static Facts timeSeries(String strategy) {
    Facts facts = new Facts().strategy(strategy);
    facts.timeClustering = "at";
    facts.timeOrder = 0.99;
    facts.shadowed = 0.001;
    facts.ttl = 30 * DAY;
    return facts;
  }

  @Test
  void aTimeSeriesThatExpiresGoesInWindows() {
    Facts facts = timeSeries("SizeTieredCompactionStrategy");
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("time-series");
    assertThat(advice.statement())
        .contains("'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'");
    SchemaParser.alter(facts.make().schema(), advice.statement(), 1);
    facts.ttl = 6 * 3600;
    assertThat(facts.on("strategy").statement())
        .contains("'compaction_window_unit': 'MINUTES', 'compaction_window_size': '15'");
    facts.ttl = 0;
    assertThat(facts.on("strategy").isChange()).isFalse();
    facts = timeSeries("SizeTieredCompactionStrategy");
    facts.timeOrder = 0.8;
    assertThat(facts.on("strategy").isChange()).isFalse();
    facts = timeSeries("SizeTieredCompactionStrategy");
    facts.shadowed = 0.3;
    assertThat(facts.on("strategy").isChange()).isFalse();
  }

  @Test
  void windowsHaveASizeThatFitsTheTimeToLive() {
    Facts facts = timeSeries("TimeWindowCompactionStrategy");
    assertThat(facts.on("strategy").isChange()).isFalse();
    facts.ttl = 365 * DAY;
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("window-size");
    assertThat(advice.statement()).contains("'compaction_window_size': '15'");
    facts.ttl = 2 * DAY;
    assertThat(facts.on("strategy").rule()).isEqualTo("window-size");
  }

  @Test
  void windowsDoNotSuitWhatIsUpdated() {
    Facts facts = new Facts().strategy("TimeWindowCompactionStrategy");
    facts.shadowed = 0.4;
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("no-time-series");
    assertThat(advice.statement()).contains("SizeTieredCompactionStrategy");
    facts.shadowed = 0.05;
    assertThat(facts.on("strategy").isChange()).isFalse();
    facts.timeOrder = 0.5;
    assertThat(facts.on("strategy").rule()).isEqualTo("no-time-series");
  }

  @Test
  void levelsForWhatIsWrittenOnceAreForNothing() {
    Facts facts = new Facts().strategy("LeveledCompactionStrategy");
    facts.shadowed = 0;
    facts.tombstones = 0;
    facts.partitionSpan = 0.0001;
    Advice advice = facts.on("strategy");
    assertThat(advice.rule()).isEqualTo("levels-for-nothing");
    assertThat(advice.expected().get(0).then()).isLessThan(advice.expected().get(0).now());
    facts.partitionSpan = 0.5;
    assertThat(facts.on("strategy").isChange()).isFalse();
  }

  @Test
  void whatCouldBePurgedIsWorthACompaction() {
    Facts facts = new Facts();
    facts.droppable = 0.5;
    Advice advice = facts.on("tombstones");
    assertThat(advice.isChange()).isTrue();
    assertThat(advice.expected().get(0).then()).isEqualTo(advice.expected().get(0).now() / 2);
    facts.droppable = 0.1;
    assertThat(facts.advice()).noneMatch(each -> each.subject().equals("tombstones"));
  }

  @Test
  void chunksForReadsThatHardlyComeStayAsTheyAre() {
    Facts facts = new Facts().chunk(64).traffic(600, 300, 10_000);
    assertThat(facts.on("chunk length").rule()).isEqualTo("reads-are-rare");
    assertThat(facts.on("chunk length").isChange()).isFalse();
    assertThat(facts.on("chunk length").reason())
        .contains("600 reads and 300 scans against 10000 writes");
    // Scans count as reads.
    assertThat(facts.traffic(600, 400, 10_000).on("chunk length").rule())
        .isEqualTo("smaller-chunks");
    // So few operations are not representative.
    assertThat(facts.traffic(0, 0, 999).on("chunk length").rule()).isEqualTo("smaller-chunks");
  }

  @Test
  void chunksForReadsThatTheCacheServesStayAsTheyAre() {
    Facts facts = new Facts().chunk(64);
    facts.traffic = new TableTraffic(1000, 0, 1000, 1.5, 0.09, 3000);
    assertThat(facts.on("chunk length").rule()).isEqualTo("reads-are-cached");
    assertThat(facts.on("chunk length").reason()).contains("0.09 chunks from files per read");
    facts.traffic = new TableTraffic(1000, 0, 1000, 1.5, 0.1, 3000);
    assertThat(facts.on("chunk length").rule()).isEqualTo("smaller-chunks");
    facts.traffic = new TableTraffic(999, 0, 1000, 1.5, 0.09, 3000);
    assertThat(facts.on("chunk length").rule()).isEqualTo("smaller-chunks");
  }

  @Test
  void whatReadsFetchedIsWhatIsExpectedToShrink() {
    Advice advice = new Facts().chunk(64).traffic(5000, 0, 5000).on("chunk length");
    Advice estimated = new Facts().chunk(64).on("chunk length");
    Advice.Effect counted = advice.expected().get(0);
    Advice.Effect guessed = estimated.expected().get(0);
    assertThat(counted.name()).isEqualTo("bytes_from_disk_per_read");
    assertThat(counted.now()).isCloseTo(12_000, within(1e-6));
    assertThat(counted.then() / counted.now())
        .isCloseTo(guessed.then() / guessed.now(), within(1e-9));
  }

  @Test
  void largerChunksForWhatIsHardlyRead() {
    Facts facts = new Facts().chunk(16);
    facts.ratios = new double[] {0.6, 0.58, 0.56, 0.5, 0.46, 0.45, 0.45};
    assertThat(facts.on("chunk length").rule()).isNotEqualTo("larger-chunks");
    Advice advice = facts.traffic(10, 0, 100_000).on("chunk length");
    assertThat(advice.rule()).isEqualTo("larger-chunks");
    assertThat(advice.what()).startsWith("chunk_length_in_kb 128 instead of 16");
    assertThat(advice.reason()).contains("reads are few: 10 reads");
  }

  @Test
  void theStrategyFollowsTheReadsThereWere() {
    Facts facts = new Facts().strategy("SizeTieredCompactionStrategy");
    assertThat(facts.on("strategy").rule()).isEqualTo("strategy-suits");
    // Sampled keys are in 1.5 SSTables, actual reads find 6.5.
    Advice advice = facts.traffic(5000, 0, 5000).on("strategy");
    assertThat(advice.rule()).isEqualTo("many-sstables-per-read");
    assertThat(advice.expected().get(0).now()).isEqualTo(6.5);
    // Rare reads are not worth the writes.
    advice = facts.traffic(5000, 0, 50_001).on("strategy");
    assertThat(advice.rule()).isEqualTo("reads-are-rare");
    assertThat(advice.isChange()).isFalse();
  }

  @Test
  void levelsForWhatIsHardlyReadAreForNothing() {
    Facts facts = new Facts().strategy("LeveledCompactionStrategy");
    assertThat(facts.traffic(5000, 0, 50_000).on("strategy").rule()).isEqualTo("strategy-suits");
    Advice advice = facts.traffic(5000, 0, 50_001).on("strategy");
    assertThat(advice.rule()).isEqualTo("levels-for-few-reads");
    assertThat(advice.statement()).contains("SizeTieredCompactionStrategy");
    assertThat(advice.expected()).extracting(Advice.Effect::name).contains("write_amplification");
  }
}
