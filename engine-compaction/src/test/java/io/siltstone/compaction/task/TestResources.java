package io.siltstone.compaction.task;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.files.ReadThrottle;
import io.siltstone.maintenance.OutputVerification;

/** Resources of tasks that tests run: those of one thread, with some replaced. */
final class TestResources {
  private TestResources() {}

  static TaskResources parallel(int subCompactions, PipelineExecutors executors) {
    return new TaskResources(
        subCompactions,
        executors,
        OutputVerification.STRUCTURE,
        SequentialAccess.DEFAULT_READ_AHEAD_BYTES,
        ReadThrottle.NONE,
        new DiskReservations());
  }

  static TaskResources reading(int readAheadBytes, ReadThrottle throttle) {
    return new TaskResources(
        1,
        PipelineExecutors.NONE,
        OutputVerification.STRUCTURE,
        readAheadBytes,
        throttle,
        new DiskReservations());
  }

  static TaskResources verifying(OutputVerification verification) {
    return new TaskResources(
        1,
        PipelineExecutors.NONE,
        verification,
        SequentialAccess.DEFAULT_READ_AHEAD_BYTES,
        ReadThrottle.NONE,
        new DiskReservations());
  }

  static TaskResources sharing(DiskReservations reservations, ReadThrottle throttle) {
    return new TaskResources(
        1,
        PipelineExecutors.NONE,
        OutputVerification.STRUCTURE,
        SequentialAccess.DEFAULT_READ_AHEAD_BYTES,
        throttle,
        reservations);
  }
}
