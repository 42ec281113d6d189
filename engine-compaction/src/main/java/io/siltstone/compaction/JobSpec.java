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
 * A job, and what is to be done with its inputs.
 *
 * @param operation for the operator: as in the request, or the strategy's name
 */
record JobSpec(Job job, TaskOptions.Kind kind, String operation) {

  List<Descriptor> inputs() {
    return job.inputs().stream().map(LiveTable::descriptor).toList();
  }

  /** Which inputs are taken, and why. */
  String reason() {
    return inputs().stream().map(Descriptor::toString).collect(Collectors.joining(", "))
        + ": "
        + job.reason();
  }

  /** What a listener is told when it starts. */
  EngineListener.CompactionStarted started(TableId table, UUID id) {
    return new EngineListener.CompactionStarted(table, id, operation, inputs(), job.onDiskBytes());
  }
}
