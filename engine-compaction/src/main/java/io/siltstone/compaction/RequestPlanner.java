package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.text.CountText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans the jobs of an operator's request: a major compaction, user-defined compaction,
 * recompression, upgrade, scrub, garbage collection, split or relevel.
 */
final class RequestPlanner {
  private final TableSchema schema;
  private final Supplier<Strategy> strategy;
  private final FormatVersion version;
  private final Supplier<@Nullable CompressionDictionary> dictionary;
  private final long nowMillis;

  private final List<JobSpec> jobs = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param strategy used only by a major compaction; the other operations work even if the table's
   *     strategy options are wrong
   * @param version the format version of the outputs
   * @param dictionary the compression dictionary that outputs get; used only by a recompression
   */
  RequestPlanner(
      TableSchema schema,
      Supplier<Strategy> strategy,
      FormatVersion version,
      Supplier<@Nullable CompressionDictionary> dictionary,
      long nowMillis) {
    this.schema = schema;
    this.strategy = strategy;
    this.version = version;
    this.dictionary = dictionary;
    this.nowMillis = nowMillis;
  }

  /**
   * The jobs of a request.
   *
   * @param jobs jobs that may run at once
   * @param remarks why other SSTables are left alone
   */
  record Planned(List<JobSpec> jobs, List<String> remarks) {}

  /**
   * Returns the jobs for a request.
   *
   * @throws IllegalArgumentException if the request names SSTables that are not live, or cannot
   *     apply to the table; or if the strategy was needed and its options are wrong
   */
  Planned plan(CompactionRequest request, LiveTables live) {
    List<LiveTable> chosen = chosen(request, live);
    Operation operation = request.operation();
    switch (operation) {
      case MAJOR -> {
        for (Job job : strategy.get().major(only(chosen, live), request.isSplit(), nowMillis)) {
          jobs.add(new JobSpec(job, Kind.MERGE, name(operation)));
        }
        remarkInRepair(chosen);
      }
      case USER_DEFINED -> userDefined(request, live, chosen);
      case RECOMPRESS -> recompress(chosen);
      case UPGRADE ->
          each(
              chosen,
              operation,
              table -> Kind.REWRITE,
              table -> table.descriptor().version() != version,
              table ->
                  "its version is "
                      + table.descriptor().version().text()
                      + ", written is "
                      + version.text(),
              "of version " + version.text());
      case SCRUB ->
          each(
              chosen,
              operation,
              table -> Kind.SCRUB,
              table -> true,
              table -> "its readable data is rewritten",
              "");
      case GARBAGE_COLLECT -> {
        // The newest SSTable may delete data of all others, and need not be rewritten for what they
        // have deleted.
        chosen.sort(Comparator.comparingLong(LiveTable::maxTimestamp));
        each(
            chosen,
            operation,
            table -> request.dropsCells() ? Kind.GARBAGE_COLLECT_CELLS : Kind.GARBAGE_COLLECT,
            table -> true,
            table -> "garbage collection was requested",
            "");
      }
      case SPLIT -> {
        if (request.splitTokens().isEmpty()) {
          split(request, chosen);
        } else {
          splitAtTokens(request.splitTokens(), live.partitioner(), chosen);
        }
      }
      case RELEVEL -> relevel(only(chosen, live), chosen);
      case TRAIN_DICTIONARY -> planTraining();
    }
    return new Planned(List.copyOf(jobs), List.copyOf(remarks));
  }

  static String name(Operation operation) {
    return operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private List<LiveTable> chosen(CompactionRequest request, LiveTables live) {
    Set<Descriptor> named = new HashSet<>(request.tables());
    List<LiveTable> chosen = new ArrayList<>();
    int outside = 0;
    for (LiveTable table : live.tables()) {
      boolean isNamed = named.remove(table.descriptor());
      if (!request.tables().isEmpty() && !isNamed) {
        continue;
      }
      if (!request.range().overlaps(table.firstKey(), table.lastKey())) {
        outside++;
        continue;
      }
      if (!table.isFree()) {
        remarks.add(table.descriptor() + " is left alone: another job has it, or it is damaged");
      } else {
        chosen.add(table);
      }
    }
    if (outside > 0) {
      remarks.add(
          outside
              + (outside == 1 ? " SSTable has" : " SSTables have")
              + " no partition of the requested range");
    }
    if (!named.isEmpty()) {
      throw new IllegalArgumentException(
          "not live in " + schema.keyspace() + "." + schema.name() + ": " + named);
    }
    return chosen;
  }

  /**
   * Marks all other SSTables as claimed: they are not touched, but the strategy considers where
   * they are.
   */
  private static LiveTables only(List<LiveTable> chosen, LiveTables live) {
    Set<Descriptor> touched = descriptors(chosen);
    return live.with(
        live.tables().stream()
            .map(table -> touched.contains(table.descriptor()) ? table : table.claimed())
            .toList());
  }

  private static Set<Descriptor> descriptors(List<LiveTable> tables) {
    return tables.stream().map(LiveTable::descriptor).collect(Collectors.toSet());
  }

  private void userDefined(CompactionRequest request, LiveTables live, List<LiveTable> chosen) {
    if (request.tables().isEmpty()) {
      throw new IllegalArgumentException("a user-defined compaction must name its SSTables");
    }
    List<List<LiveTable>> states = byRepair(chosen);
    if (states.size() > 1) {
      remarks.add(
          "the SSTables are in "
              + states.size()
              + " repair states, which are not merged with each other");
    }
    for (List<LiveTable> merged : states) {
      jobs.add(
          new JobSpec(
              new Job(
                  merged,
                  levelOfOne(merged, live),
                  Split.NONE,
                  false,
                  CountText.of(merged.size(), "SSTable was", "SSTables were") + " named"),
              Kind.MERGE,
              name(Operation.USER_DEFINED)));
    }
  }

  /** Groups SSTables by repair state: only those of one group may be merged. */
  private static List<List<LiveTable>> byRepair(List<LiveTable> tables) {
    List<List<LiveTable>> states = new ArrayList<>();
    for (LiveTable table : tables) {
      List<LiveTable> state =
          states.stream().filter(one -> one.get(0).isMergeableWith(table)).findFirst().orElse(null);
      if (state == null) {
        state = new ArrayList<>();
        states.add(state);
      }
      state.add(table);
    }
    return states;
  }

  /**
   * Returns the level for the merge of several SSTables: theirs, unless another SSTable of that
   * level lies between them. Repaired and unrepaired SSTables have separate levels.
   */
  private static int levelOfOne(List<LiveTable> merged, LiveTables live) {
    int level = merged.get(0).level();
    PartitionKey first = merged.get(0).firstKey();
    PartitionKey last = merged.get(0).lastKey();
    for (LiveTable table : merged) {
      if (table.level() != level) {
        return 0;
      }
      first = table.firstKey().compareTo(first) < 0 ? table.firstKey() : first;
      last = table.lastKey().compareTo(last) > 0 ? table.lastKey() : last;
    }
    Set<Descriptor> inputs = descriptors(merged);
    for (LiveTable other : live.tables()) {
      if (other.level() == level
          && other.isMergeableWith(merged.get(0))
          && other.firstKey().compareTo(last) <= 0
          && other.lastKey().compareTo(first) >= 0
          && !inputs.contains(other.descriptor())) {
        return 0;
      }
    }
    return level;
  }

  /** Returns how an SSTable is rewritten unchanged: one of a read-only version cannot be copied. */
  private static Kind copying(LiveTable table) {
    return table.descriptor().version().isWritable() ? Kind.RECOMPRESS : Kind.REWRITE;
  }

  /** A training is no job; this says whether it is possible. */
  private void planTraining() {
    CompressionOptions compression = schema.options().compression();
    if (!compression.takesDictionary()) {
      throw new IllegalArgumentException(
          "the table has no compressor that takes a dictionary: its compression is " + compression);
    }
    if (!version.hasCompressionDictionary()) {
      throw new IllegalArgumentException(
          "SSTables of version " + version.text() + " cannot have a compression dictionary");
    }
    remarks.add("a compression dictionary would be trained");
  }

  private void recompress(List<LiveTable> chosen) {
    CompressionOptions ofTable = schema.options().compression();
    CompressionDictionary newest = ofTable.takesDictionary() ? dictionary.get() : null;
    if (newest == null && ofTable.takesDictionary() && version.hasCompressionDictionary()) {
      remarks.add("the table has no compression dictionary: none was trained, or none has paid");
    }
    CompressionOptions wanted = newest == null ? ofTable : ofTable.withDictionary(newest);
    each(
        chosen,
        Operation.RECOMPRESS,
        RequestPlanner::copying,
        table -> isCompressedOtherwise(table, wanted),
        table -> "its compression is " + table.compression() + ", the table's " + wanted,
        "compressed as the table is");
  }

  /** Returns whether an SSTable lacks the compression of the table, or its newest dictionary. */
  private static boolean isCompressedOtherwise(LiveTable table, CompressionOptions wanted) {
    CompressionOptions present = table.compression();
    if (!present.equalsExceptDictionary(wanted)) {
      return true;
    }
    CompressionDictionary own = present.dictionary();
    CompressionDictionary newest = wanted.dictionary();
    if (newest == null || !table.descriptor().version().hasCompressionDictionary()) {
      return own != null && !wanted.takesDictionary();
    }
    return own == null || own.id() < newest.id();
  }

  private void each(
      List<LiveTable> chosen,
      Operation operation,
      Function<LiveTable, Kind> kind,
      Predicate<LiveTable> isWanted,
      Function<LiveTable, String> reason,
      String otherwise) {
    int others = 0;
    for (LiveTable table : chosen) {
      if (isWanted.test(table)) {
        jobs.add(
            new JobSpec(
                new Job(List.of(table), table.level(), Split.NONE, false, reason.apply(table)),
                kind.apply(table),
                name(operation)));
      } else {
        others++;
      }
    }
    remarkOthers(others, otherwise);
  }

  private void split(CompactionRequest request, List<LiveTable> chosen) {
    for (LiveTable table : chosen) {
      long parts = parts(table, request.outputBytes());
      if (parts > 1) {
        jobs.add(
            new JobSpec(
                new Job(
                    List.of(table),
                    table.level(),
                    new Split.BySize(table.onDiskBytes() / parts),
                    false,
                    table.onDiskBytes() + " bytes, more than " + request.outputBytes()),
                Kind.REWRITE,
                name(Operation.SPLIT)));
      } else {
        remarks.add(
            table.descriptor()
                + " has "
                + table.onDiskBytes()
                + (table.partitions() == 1 ? " bytes in one partition" : " bytes")
                + ", allowed "
                + request.outputBytes());
      }
    }
  }

  private void splitAtTokens(List<Long> tokens, Partitioner partitioner, List<LiveTable> chosen) {
    if (partitioner != Partitioner.MURMUR3) {
      throw new IllegalArgumentException(
          "SSTables of "
              + partitioner.className()
              + " cannot be split at tokens, allowed is "
              + Partitioner.MURMUR3.className());
    }
    int others = 0;
    for (LiveTable table : chosen) {
      List<Long> within =
          tokens.stream()
              .filter(token -> table.firstKey().token() <= token)
              .filter(token -> token < table.lastKey().token())
              .toList();
      if (within.isEmpty()) {
        others++;
        continue;
      }
      jobs.add(
          new JobSpec(
              new Job(
                  List.of(table),
                  table.level(),
                  new Split.AtTokens(within),
                  false,
                  CountText.of(within.size(), "bound of a range is", "bounds of ranges are")
                      + " between its partitions"),
              Kind.REWRITE,
              name(Operation.SPLIT)));
    }
    remarkOthers(others, "within one range");
  }

  /**
   * Returns into how many SSTables of one size an SSTable is split. Each ends with the partition
   * that reaches the size, so the target is a little below the allowed size; otherwise the results
   * would be split again.
   */
  private static long parts(LiveTable table, long mostBytes) {
    if (table.onDiskBytes() <= mostBytes || table.partitions() <= 1) {
      return 1;
    }
    long wanted = Math.max(1, mostBytes - mostBytes / 20);
    return (table.onDiskBytes() - 1) / wanted + 1;
  }

  /** Changes the levels of SSTables, whose data stays the same. */
  private void relevel(LiveTables live, List<LiveTable> chosen) {
    Map<Descriptor, Integer> levels = StrategyRegistry.relevel(schema, live);
    int others = 0;
    for (LiveTable table : chosen) {
      if (table.isRepairSeparated()) {
        continue;
      }
      int level = levels.getOrDefault(table.descriptor(), table.level());
      if (level == table.level()) {
        others++;
        continue;
      }
      jobs.add(
          new JobSpec(
              new Job(
                  List.of(table),
                  level,
                  Split.NONE,
                  false,
                  "from level " + table.level() + " to " + level),
              copying(table),
              name(Operation.RELEVEL)));
    }
    remarkOthers(others, "on the right level");
    remarkInRepair(chosen);
  }

  /** No strategy compacts these. */
  private void remarkInRepair(List<LiveTable> chosen) {
    List<Descriptor> inRepair =
        chosen.stream().filter(LiveTable::isRepairSeparated).map(LiveTable::descriptor).toList();
    if (!inRepair.isEmpty()) {
      remarks.add(
          inRepair
              + (inRepair.size() == 1 ? " is" : " are")
              + " left alone: part of a repair that has not ended, or of a transient replica; only"
              + " a user-defined compaction merges these");
    }
  }

  private void remarkOthers(int count, String state) {
    if (count > 0) {
      remarks.add(count + (count == 1 ? " SSTable is " : " SSTables are ") + state + " already");
    }
  }
}
