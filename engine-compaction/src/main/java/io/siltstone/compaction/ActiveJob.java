package io.siltstone.compaction;

import io.siltstone.compaction.task.TaskProgress;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * A compaction job that holds a claim on its inputs and is running.
 *
 * @param isRequested whether an operator requested it, rather than the strategy
 */
record ActiveJob(
    TableId table,
    UUID id,
    JobSpec spec,
    List<Descriptor> inputs,
    Instant startedAt,
    long startedNanos,
    boolean isRequested,
    TaskProgress progress) {

  boolean hasAnyOf(Collection<Descriptor> others) {
    return !Collections.disjoint(inputs, others);
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  RunningCompaction describe() {
    return new RunningCompaction(
        table,
        id,
        spec.operation(),
        spec.job().reason(),
        inputs,
        new RunningCompaction.Progress(
            progress.bytesTotal(), progress.bytesRead(), progress.bytesWritten()),
        startedAt,
        elapsed(),
        progress.isPaused());
  }
}
