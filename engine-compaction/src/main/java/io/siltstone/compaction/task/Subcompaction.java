package io.siltstone.compaction.task;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RetentionCursor;
import io.siltstone.cursor.RetentionFloor;
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
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs one subcompaction: merges one token range of a task's inputs. Runs once, on one thread. */
final class Subcompaction {
  // The number of partitions of a range is known less exactly than its bytes.
  private static final double SLACK = 1.1;

  private final Claim claim;
  private final TaskOptions options;
  private final boolean mayPurge;
  private final @Nullable RetentionFloor floor;
  private final @Nullable KeyRangeDeletions keyRanges;
  private final List<SSTable> inputs;
  private final SubcompactionRange part;
  private final OutputHints hints;
  private final SharedProgress shared;
  private final StageProbes stageProbes;
  private final StageCounters stageCounters;

  /**
   * @param mayPurge false if the task may purge nothing at all
   * @param floor below which rows are left out; null for none
   * @param keyRanges deletions of ranges of keys, whose data is left out; null for none
   * @param hints for an SSTable with all ranges
   */
  Subcompaction(
      Claim claim,
      TaskOptions options,
      boolean mayPurge,
      @Nullable RetentionFloor floor,
      @Nullable KeyRangeDeletions keyRanges,
      List<SSTable> inputs,
      SubcompactionRange part,
      OutputHints hints,
      SharedProgress shared,
      StageProbes stageProbes) {
    this.stageProbes = stageProbes;
    this.claim = claim;
    this.options = options;
    this.mayPurge = mayPurge;
    this.floor = floor;
    this.keyRanges = keyRanges;
    this.inputs = inputs;
    this.part = part;
    this.hints = hints;
    this.shared = shared;
    this.stageCounters = new StageCounters(inputs.size());
  }

  StageCounters stageCounters() {
    return stageCounters;
  }

  /** Reads, merges, purges and writes, and returns the finished outputs. */
  List<SSTableWriter> run() throws IOException {
    BoundaryKeyCheck boundaryKeyCheck = BoundaryKeyCheck.of(inputs, part.range());
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
        OutputSplitter.of(options.split(), part.range(), (long) (onDisk * part.share()));
    long partitions =
        (long) Math.ceil(hints.expectedPartitions() * Math.min(1, SLACK * part.share()));
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
        new PurgeRule(overlaps, options.nowSeconds(), options.gcBefore(), mayPurge, stageCounters);
    TombstoneFreeEncodings tombstoneFree = new TombstoneFreeEncodings(inputs, options.nowSeconds());
    List<List<SSTable>> chains = chains(inputs, part.range());
    SequentialAccess access = options.resources().access(shared, Math.max(1, chains.size()));
    PartitionCursor source =
        begin(
            new MergeCursor(table, stageCounters.listener(boundaryKeyCheck)),
            keyRanges,
            chains,
            input ->
                stageProbes.input(
                    new InputCursor(
                        input.scan(access, part.range()),
                        stageCounters.read(inputs.indexOf(input)),
                        bytes -> read(bytes, overlaps))));
    if (floor != null) {
      source = new RetentionCursor(source, floor, stageCounters.floorListener(boundaryKeyCheck));
    }
    try {
      source = collectGarbage(source, table, boundaryKeyCheck);
      return stageProbes.purged(
          new PurgingCursor(
              stageProbes.merged(source),
              table,
              rule,
              tombstoneFree,
              stageCounters,
              boundaryKeyCheck));
    } catch (Throwable e) {
      Closeables.closeAfter(source, e);
      throw e;
    }
  }

  /**
   * Counts what was read, and releases the overlap view if it keeps files of SSTables that were
   * removed meanwhile.
   */
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
      MergeCursor merge,
      @Nullable KeyRangeDeletions keyRanges,
      List<List<SSTable>> chains,
      ChainedScan.Opener opener)
      throws IOException {
    List<PartitionCursor> cursors = new ArrayList<>();
    try {
      for (List<SSTable> chain : chains) {
        cursors.add(
            chain.size() == 1 ? opener.open(chain.get(0)) : ChainedScan.over(chain, opener));
      }
    } catch (Throwable e) {
      merge.begin(cursors, false);
      Closeables.closeAfter(merge, e);
      throw e;
    }
    merge.begin(cursors, false, CancelSignal.NEVER, keyRanges, false);
    return merge;
  }

  /** Wraps the source in a {@link GarbageFilter}, if the options ask for garbage collection. */
  private PartitionCursor collectGarbage(
      PartitionCursor source, TableEncoding table, BoundaryKeyCheck boundaryKeyCheck)
      throws IOException {
    OverlappingTombstones level = options.overlappingTombstones();
    if (level == OverlappingTombstones.NONE || !mayPurge) {
      return source;
    }
    List<SSTable> others = others(level);
    if (others.isEmpty()) {
      return source;
    }
    PartitionRange range = shadowRange();
    List<List<SSTable>> chains = chains(others, range);
    SequentialAccess access = options.resources().access(shared, Math.max(1, chains.size()));
    PartitionCursor shadow =
        begin(
            new MergeCursor(table),
            null,
            chains,
            other ->
                new InputCursor(
                    other.scan(access, range),
                    new StageCounters.Flow(),
                    bytes -> shared.readOther()));
    return new GarbageFilter(source, shadow, table, level, stageCounters.covered, boundaryKeyCheck);
  }

  /**
   * Returns the overlapping SSTables that may have deleted or overwritten data of the inputs, and
   * can be read.
   */
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

  /**
   * Returns the range of keys that is read of overlapping SSTables: no more than the inputs span.
   */
  private PartitionRange shadowRange() {
    PartitionKey first =
        inputs.stream().map(SSTable::firstKey).min(PartitionKey::compareTo).orElseThrow();
    PartitionKey from = part.range().from();
    return new PartitionRange(
        from == null || from.compareTo(first) < 0 ? first : from, part.range().to());
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }
}
