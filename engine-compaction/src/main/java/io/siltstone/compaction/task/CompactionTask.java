package io.siltstone.compaction.task;

import io.siltstone.cursor.UnwritableException;
import io.siltstone.spi.Claim;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/**
 * One job: replaces the inputs of a claim by what they are together, or each by itself, without
 * what may be forgotten.
 *
 * <pre>
 *   inputs → merge → purge → outputs → checks → commit
 * </pre>
 *
 * Runs once, on the thread that calls it, and on others if the options have helpers.
 */
public final class CompactionTask {
  private final Claim claim;
  private final TaskOptions options;
  private final TaskProgress progress;
  private final StageProbes stageProbes;

  /**
   * @param claim is committed by {@link #run}, and closed by the caller
   * @param progress of this task alone
   */
  @SuppressWarnings("exports")
  public CompactionTask(Claim claim, TaskOptions options, TaskProgress progress) {
    this(claim, options, progress, StageProbes.PLAIN);
  }

  /** With something between the stages of a merge. */
  CompactionTask(Claim claim, TaskOptions options, TaskProgress progress, StageProbes stageProbes) {
    this.stageProbes = stageProbes;
    this.claim = claim;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Does the job and commits the claim.
   *
   * @throws NotEnoughSpaceException if the disk may not have room for the outputs
   * @throws CompactionCheckException if something was lost on the way
   * @throws io.siltstone.sstable.format.CorruptSSTableException if an input is damaged
   * @throws IOException if reading or writing failed, or the inputs have what cannot be written: a
   *     time that the version of the outputs does not hold, a row of more than 2 GiB. After each of
   *     these the inputs are live, and what was written goes when the claim is closed
   * @throws CancellationException if it was cancelled
   * @throws IllegalArgumentException if the inputs do not fit the schema
   */
  public TaskReport run() throws IOException {
    progress.check();
    try {
      return runKind();
    } catch (UnwritableException e) {
      throw new IOException(claim.inputs() + " have what cannot be written: " + e.getMessage(), e);
    }
  }

  private TaskReport runKind() throws IOException {
    return switch (options.kind()) {
      case MERGE, GARBAGE_COLLECT, GARBAGE_COLLECT_CELLS, REWRITE ->
          new MergeRun(claim, options, progress, stageProbes).run();
      case RECOMPRESS -> new RecompressRun(claim, options, progress).run();
      case SCRUB -> new ScrubRun(claim, options, progress).run();
    };
  }
}
