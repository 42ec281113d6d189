package io.siltstone.compaction.task;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.spi.OverlapView;
import io.siltstone.sstable.ChainedScan;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Merges one portion of a task's inputs. Runs once, on one thread. */
final class Subcompaction {
  // Partitions of a portion are not known as well as its bytes.
  private static final double SLACK = 1.1;

  private final Claim claim;
  private final TaskOptions options;
  private final boolean mayForget;
  private final List<SSTable> inputs;
  private final SubcompactionRange subcompactionRange;
  private final OutputHints hints;
  private final SharedProgress shared;
  private final StageProbes stageProbes;
  private final StageCounters stageCounters;

  /**
   * @param mayForget false if nothing may be purged at all
   * @param hints of an SSTable with all portions
   */
  Subcompaction(
      Claim claim,
      TaskOptions options,
      boolean mayForget,
      List<SSTable> inputs,
      SubcompactionRange subcompactionRange,
      OutputHints hints,
      SharedProgress shared,
      StageProbes stageProbes) {
    this.stageProbes = stageProbes;
    this.claim = claim;
    this.options = options;
    this.mayForget = mayForget;
    this.inputs = inputs;
    this.subcompactionRange = subcompactionRange;
    this.hints = hints;
    this.shared = shared;
    this.stageCounters = new StageCounters(inputs.size());
  }

  StageCounters tally() {
    return stageCounters;
  }

  /** Reads, merges, purges and writes; returns the outputs, which are finished. */
  List<SSTableWriter> run() throws IOException {
    BoundaryKeyCheck boundaryKeyCheck = BoundaryKeyCheck.of(inputs, subcompactionRange.range());
    OutputSSTables outputSSTables = outputs(boundaryKeyCheck);
    TableEncoding table =
        new TableEncoding(
            new RowEncoding(hints.header(), outputSSTables.hasUnsignedDeletionTimes()),
            options.schema().droppedColumns());
    OverlapView overlaps = claim.overlaps();
    try (PartitionCursor cursor = purged(table, boundaryKeyCheck, overlaps)) {
      outputSSTables.addAll(cursor);
    } finally {
      overlaps.release();
    }
    List<SSTableWriter> written = outputSSTables.finish();
    boundaryKeyCheck.check("compaction of " + inputs);
    return written;
  }

  private OutputSSTables outputs(BoundaryKeyCheck boundaryKeyCheck) throws IOException {
    long onDisk = inputs.stream().mapToLong(SSTable::onDiskLength).sum();
    OutputSplitter outputSplitter =
        OutputSplitter.of(
            options.split(),
            subcompactionRange.range(),
            (long) (onDisk * subcompactionRange.share()));
    long partitions =
        (long)
            Math.ceil(hints.expectedPartitions() * Math.min(1, SLACK * subcompactionRange.share()));
    return new OutputSSTables(
        claim,
        hints.withExpectedPartitions(Math.max(1, partitions)),
        outputSplitter,
        stageCounters.written,
        boundaryKeyCheck,
        shared);
  }

  private PartitionCursor purged(
      TableEncoding table, BoundaryKeyCheck boundaryKeyCheck, OverlapView overlaps)
      throws IOException {
    PurgeRule rule =
        new PurgeRule(overlaps, options.nowSeconds(), options.gcBefore(), mayForget, stageCounters);
    TombstoneFreeEncodings plain = new TombstoneFreeEncodings(inputs, options.nowSeconds());
    List<List<SSTable>> chains = chains(inputs, subcompactionRange.range());
    SequentialAccess access = options.access(shared, Math.max(1, chains.size()));
    PartitionCursor source =
        begin(
            new MergeCursor(table, stageCounters.listener(boundaryKeyCheck)),
            chains,
            input ->
                stageProbes.input(
                    new InputCursor(
                        input.scan(access, subcompactionRange.range()),
                        stageCounters.read(inputs.indexOf(input)),
                        bytes -> read(bytes, overlaps))));
    try {
      source = withoutGarbage(source, table, boundaryKeyCheck);
      return stageProbes.purged(
          new PurgingCursor(
              stageProbes.merged(source), table, rule, plain, stageCounters, boundaryKeyCheck));
    } catch (Throwable e) {
      try {
        source.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Takes note of what was read; keeps no files meanwhile that nobody else needs. */
  private void read(long bytes, OverlapView overlaps) {
    if (overlaps.isStale() || shared.isPaused()) {
      overlaps.release();
    }
    shared.read(bytes);
  }

  static List<List<SSTable>> chains(List<SSTable> tables, PartitionRange range) {
    return ChainedScan.chains(
        tables.stream().sorted(Comparator.comparing(SSTable::firstKey)).toList(), range);
  }

  private static MergeCursor begin(
      MergeCursor merge, List<List<SSTable>> chains, ChainedScan.Opener opener) throws IOException {
    List<PartitionCursor> cursors = new ArrayList<>();
    try {
      for (List<SSTable> chain : chains) {
        cursors.add(
            chain.size() == 1 ? opener.open(chain.get(0)) : ChainedScan.over(chain, opener));
      }
    } catch (Throwable e) {
      merge.begin(cursors, false);
      try {
        merge.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    merge.begin(cursors, false);
    return merge;
  }

  /** Without what SSTables outside of the claim have deleted, if that is asked for. */
  private PartitionCursor withoutGarbage(
      PartitionCursor source, TableEncoding table, BoundaryKeyCheck boundaryKeyCheck)
      throws IOException {
    OverlappingTombstones level = options.overlappingTombstones();
    if (level == OverlappingTombstones.NONE || !mayForget) {
      return source;
    }
    List<SSTable> others = others(level);
    if (others.isEmpty()) {
      return source;
    }
    PartitionRange range = shadowRange();
    List<List<SSTable>> chains = chains(others, range);
    SequentialAccess access = options.access(shared, Math.max(1, chains.size()));
    PartitionCursor shadow =
        begin(
            new MergeCursor(table),
            chains,
            other ->
                new InputCursor(
                    other.scan(access, range),
                    new StageCounters.Flow(),
                    bytes -> shared.readBeside()));
    return new GarbageFilter(source, shadow, table, level, stageCounters.covered, boundaryKeyCheck);
  }

  /** Those that may have deleted something, or written over it, and can be read. */
  private List<SSTable> others(OverlappingTombstones level) {
    PartitionKey first =
        inputs.stream().map(SSTable::firstKey).min(PartitionKey::compareTo).orElseThrow();
    PartitionKey last =
        inputs.stream().map(SSTable::lastKey).max(PartitionKey::compareTo).orElseThrow();
    long oldest =
        inputs.stream().mapToLong(input -> stats(input).minTimestamp()).min().orElseThrow();
    return claim.overlaps().tables(first, last).stream()
        .filter(table -> !options.damaged().contains(table.descriptor()))
        .filter(table -> stats(table).maxTimestamp() > oldest)
        .filter(
            table ->
                level == OverlappingTombstones.CELL
                    || stats(table).minLocalDeletionTime() != DeletionTime.NO_DELETION_TIME)
        .toList();
  }

  /** No more of the others than the inputs' keys reach over. */
  private PartitionRange shadowRange() {
    PartitionKey first =
        inputs.stream().map(SSTable::firstKey).min(PartitionKey::compareTo).orElseThrow();
    PartitionKey from = subcompactionRange.range().from();
    return new PartitionRange(
        from == null || from.compareTo(first) < 0 ? first : from, subcompactionRange.range().to());
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }
}
