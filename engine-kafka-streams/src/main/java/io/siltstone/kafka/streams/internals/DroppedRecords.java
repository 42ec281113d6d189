package io.siltstone.kafka.streams.internals;

import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.ProcessorContextUtils;
import org.apache.kafka.streams.processor.internals.metrics.TaskMetrics;

/**
 * Counts the records that a task has dropped, as {@code dropped-records-total}.
 *
 * <p>Uses {@code TaskMetrics}, since sensors of tasks can be had in no public way: users look for
 * records that came too late under this name, whichever store they have.
 */
public final class DroppedRecords {
  private final Sensor sensor;

  private DroppedRecords(Sensor sensor) {
    this.sensor = sensor;
  }

  /** Returns the counter of a task, for the thread that opens its stores. */
  public static DroppedRecords of(StateStoreContext context) {
    return new DroppedRecords(
        TaskMetrics.droppedRecordsSensor(
            Thread.currentThread().getName(),
            context.taskId().toString(),
            ProcessorContextUtils.metricsImpl(context)));
  }

  /** Counts a record. */
  public void record() {
    sensor.record();
  }
}
