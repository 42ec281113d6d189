package io.siltstone.kafka.streams.internals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Sensor.RecordingLevel;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.ProcessorContextUtils;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;

/**
 * The gauges of a store among the metrics of its application.
 *
 * <p>Uses {@code StreamsMetricsImpl}, as the public interface of metrics has sensors only, and no
 * values that are read when they are asked for.
 */
public final class StoreMetrics {
  private final StreamsMetricsImpl metrics;
  private final String task;
  private final String scope;
  private final String store;
  private final List<MetricName> names = new ArrayList<>();

  /**
   * Begins without gauges.
   *
   * @param scope the scope of the supplier
   */
  public StoreMetrics(StateStoreContext context, String scope, String store) {
    metrics = ProcessorContextUtils.metricsImpl(context);
    task = context.taskId().toString();
    this.scope = scope;
    this.store = store;
  }

  /** Adds a gauge, which is read by any thread. */
  public void add(String name, String description, Supplier<Long> value) {
    Gauge<Long> gauge = (config, now) -> value.get();
    names.add(
        metrics.addStoreLevelMutableMetric(
            task, scope, store, name, description, RecordingLevel.INFO, gauge));
  }

  /** Removes the gauges. */
  public void remove() {
    names.forEach(metrics::removeStoreLevelMetric);
    names.clear();
  }
}
