package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Descriptor;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A compaction job with the operation that performs it.
 *
 * @param operation the operation for the operator: that of the request, or the strategy's name
 */
record JobSpec(Job job, TaskOptions.Kind kind, String operation) {

  List<Descriptor> inputs() {
    return job.inputs().stream().map(LiveTable::descriptor).toList();
  }

  /** Returns the inputs and the reason for the job. */
  String reason() {
    return inputs().stream().map(Descriptor::toString).collect(Collectors.joining(", "))
        + ": "
        + job.reason();
  }

  /** Returns the event for listeners when the job starts. */
  EngineListener.CompactionStarted started(TableId table, UUID id) {
    return new EngineListener.CompactionStarted(table, id, operation, inputs(), job.onDiskBytes());
  }
}
