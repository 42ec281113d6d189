package io.siltstone.compaction.task;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.cursor.UnwritableException;
import io.siltstone.spi.Claim;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/**
 * Runs one compaction: replaces the SSTables of a {@link Claim} by their merge, without the
 * tombstones and expired data that may be purged; or rewrites, scrubs or recompresses each of them.
 *
 * <pre>
 *   inputs → merge → purge → outputs → checks → commit
 * </pre>
 *
 * An example: a merge of two SSTables of a table with {@code gc_grace_seconds} of 10 days, on day
 * 30.
 *
 * <pre>
 *   SSTable 1    k=1  INSERT v=a, day 1     k=2  INSERT v=b, day 1
 *   SSTable 2    k=1  INSERT v=c, day 9                               k=3  DELETE, day 12
 * </pre>
 *
 * <ul>
 *   <li><b>Inputs.</b> Each is read once, in the order of its keys ({@link InputCursor}). Inputs
 *       that do not overlap form a chain, which the merge sees as a single input. A large job is
 *       divided into {@linkplain SubcompactionRange token ranges}, each merged by a {@link
 *       Subcompaction}.
 *   <li><b>Merge.</b> {@link io.siltstone.cursor.MergeCursor} reconciles the versions of each row:
 *       of k=1 the value c remains.
 *   <li><b>Purge.</b> {@link PurgingCursor} drops the tombstone of k=3, if no other SSTable or
 *       memtable may have data that it shadows.
 *   <li><b>Outputs.</b> {@link OutputSSTables} writes k=1 and k=2. The row of k=2 occurs in one
 *       input only and loses nothing, so its bytes are copied.
 *   <li><b>Checks.</b> {@link StageCounters} must agree: 4 partitions were read, 1 was merged into
 *       another, 1 was purged, 2 were written. The {@linkplain BoundaryKeyCheck first and last
 *       keys} of the inputs, 1, 2 and 3, were all written or purged. Each output has been verified.
 *   <li><b>Commit.</b> The claim replaces both inputs by the output in one transaction. If a step
 *       before fails, the inputs stay live, and the files written are deleted.
 * </ul>
 *
 * <p>A task runs once, on the calling thread, and on others if the options have executors.
 */
public final class CompactionTask {
  private final Claim claim;
  private final TaskOptions options;
  private final TaskProgress progress;
  private final StageProbes stageProbes;

  /**
   * @param claim committed by {@link #run}, and closed by the caller
   * @param progress of this task alone
   */
  public CompactionTask(Claim claim, TaskOptions options, TaskProgress progress) {
    this(claim, options, progress, StageProbes.NONE);
  }

  /** Makes a task with probes between the stages of its merge. */
  CompactionTask(Claim claim, TaskOptions options, TaskProgress progress, StageProbes stageProbes) {
    this.stageProbes = stageProbes;
    this.claim = claim;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the task and commits the claim.
   *
   * @throws NotEnoughSpaceException if the disk may not have room for the outputs
   * @throws CompactionCheckException if data was lost or added on the way
   * @throws io.siltstone.sstable.format.CorruptSSTableException if an input is damaged
   * @throws IOException if reading or writing failed, or the inputs have data that cannot be
   *     written: a time that the version of the outputs cannot represent, or a row of more than 2
   *     GiB. After each of these errors the inputs are live, and the files written are deleted when
   *     the claim is closed
   * @throws CancellationException if the task was cancelled
   * @throws IllegalArgumentException if the inputs do not fit the schema
   */
  public JobReport run() throws IOException {
    progress.check();
    try {
      return runKind();
    } catch (UnwritableException e) {
      throw new IOException(
          claim.inputs() + " have data that cannot be written: " + e.getMessage(), e);
    }
  }

  private JobReport runKind() throws IOException {
    return switch (options.kind()) {
      case MERGE, GARBAGE_COLLECT, GARBAGE_COLLECT_CELLS, REWRITE ->
          new MergeRun(claim, options, progress, stageProbes).run();
      case RECOMPRESS -> new RecompressRun(claim, options, progress).run();
      case SCRUB -> new ScrubRun(claim, options, progress).run();
    };
  }
}
