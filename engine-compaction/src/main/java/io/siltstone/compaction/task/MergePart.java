package io.siltstone.compaction.task;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
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
final class MergePart {
  // Partitions of a portion are not known as well as its bytes.
  private static final double SLACK = 1.1;

  private final Claim claim;
  private final TaskOptions options;
  private final boolean mayForget;
  private final List<SSTable> inputs;
  private final Portion portion;
  private final OutputHints hints;
  private final SharedProgress shared;
  private final Stages stages;
  private final Tally tally;

  /**
   * @param mayForget false if nothing may be purged at all
   * @param hints of an SSTable with all portions
   */
  MergePart(
      Claim claim,
      TaskOptions options,
      boolean mayForget,
      List<SSTable> inputs,
      Portion portion,
      OutputHints hints,
      SharedProgress shared,
      Stages stages) {
    this.stages = stages;
    this.claim = claim;
    this.options = options;
    this.mayForget = mayForget;
    this.inputs = inputs;
    this.portion = portion;
    this.hints = hints;
    this.shared = shared;
    this.tally = new Tally(inputs.size());
  }

  Tally tally() {
    return tally;
  }

  /** Reads, merges, purges and writes; returns the outputs, which are finished. */
  List<SSTableWriter> run() throws IOException {
    Landmarks landmarks = Landmarks.of(inputs, portion.range());
    Outputs outputs = outputs(landmarks);
    TableEncoding table =
        new TableEncoding(
            new RowEncoding(hints.header(), outputs.hasUnsignedDeletionTimes()),
            options.schema().droppedColumns());
    OverlapView overlaps = claim.overlaps();
    try (PartitionCursor cursor = purged(table, landmarks, overlaps)) {
      outputs.addAll(cursor);
    } finally {
      overlaps.release();
    }
    List<SSTableWriter> written = outputs.finish();
    landmarks.check("compaction of " + inputs);
    return written;
  }

  private Outputs outputs(Landmarks landmarks) throws IOException {
    long onDisk = inputs.stream().mapToLong(SSTable::onDiskLength).sum();
    Division division =
        Division.of(options.split(), portion.range(), (long) (onDisk * portion.share()));
    long partitions =
        (long) Math.ceil(hints.expectedPartitions() * Math.min(1, SLACK * portion.share()));
    return new Outputs(
        claim,
        hints.withExpectedPartitions(Math.max(1, partitions)),
        division,
        tally.written,
        landmarks,
        shared);
  }

  private PartitionCursor purged(TableEncoding table, Landmarks landmarks, OverlapView overlaps)
      throws IOException {
    PurgeRule rule =
        new PurgeRule(overlaps, options.nowSeconds(), options.gcBefore(), mayForget, tally);
    PlainEncodings plain = new PlainEncodings(inputs, options.nowSeconds());
    List<List<SSTable>> chains = chains(inputs, portion.range());
    SequentialAccess access = options.access(shared, Math.max(1, chains.size()));
    PartitionCursor source =
        begin(
            new MergeCursor(table, tally.listener(landmarks)),
            chains,
            input ->
                stages.input(
                    new InputCursor(
                        input.scan(access, portion.range()),
                        tally.read(inputs.indexOf(input)),
                        bytes -> read(bytes, overlaps))));
    try {
      source = withoutGarbage(source, table, landmarks);
      return stages.purged(new Purge(stages.merged(source), table, rule, plain, tally, landmarks));
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
      PartitionCursor source, TableEncoding table, Landmarks landmarks) throws IOException {
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
                    other.scan(access, range), new Tally.Flow(), bytes -> shared.readBeside()));
    return new GarbageFilter(source, shadow, table, level, tally.covered, landmarks);
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
    PartitionKey from = portion.range().from();
    return new PartitionRange(
        from == null || from.compareTo(first) < 0 ? first : from, portion.range().to());
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }
}
