package io.siltstone.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.siltstone.statistics.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one subject in one registry, which refers to the subject weakly. Confined to one
 * thread at a time.
 *
 * @param <T> the figures of the subject
 */
final class MeterSet<T> {
  private final MeterRegistry registry;
  private final Tags tags;
  private final CachedFigures<T> figures;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * @param figures referenced weakly by the registry
   */
  MeterSet(MeterRegistry registry, Tags tags, CachedFigures<T> figures) {
    this.registry = registry;
    this.tags = tags;
    this.figures = figures;
  }

  MeterSet<T> gauge(String name, String description, ToDoubleFunction<T> of, String... more) {
    return add(
        Gauge.builder(name, figures, each -> each.gauge(of))
            .description(description)
            .tags(tags.and(more))
            .register(registry));
  }

  MeterSet<T> bytes(String name, String description, ToDoubleFunction<T> of, String... more) {
    return add(
        Gauge.builder(name, figures, each -> each.gauge(of))
            .description(description)
            .baseUnit("bytes")
            .tags(tags.and(more))
            .register(registry));
  }

  MeterSet<T> counter(String name, String description, ToDoubleFunction<T> of, String... more) {
    return add(
        FunctionCounter.builder(name, figures, each -> each.count(of))
            .description(description)
            .tags(tags.and(more))
            .register(registry));
  }

  MeterSet<T> byteCounter(String name, String description, ToDoubleFunction<T> of) {
    return add(
        FunctionCounter.builder(name, figures, each -> each.count(of))
            .description(description)
            .baseUnit("bytes")
            .tags(tags)
            .register(registry));
  }

  /**
   * Adds a timer.
   *
   * @param of a distribution in microseconds
   */
  MeterSet<T> timer(String name, String description, Function<T, Distribution> of) {
    return add(
        FunctionTimer.builder(
                name,
                figures,
                each -> (long) each.count(all -> of.apply(all).count()),
                each -> each.count(all -> of.apply(all).mean() * of.apply(all).count()),
                TimeUnit.MICROSECONDS)
            .description(description)
            .tags(tags)
            .register(registry));
  }

  /**
   * Adds gauges of quantiles.
   *
   * @param of a distribution in microseconds
   */
  MeterSet<T> quantiles(String name, String description, Function<T, Distribution> of) {
    return quantile(name, description, "0.5", all -> of.apply(all).median())
        .quantile(name, description, "0.99", all -> of.apply(all).percentiles().p99())
        .quantile(name, description, "0.999", all -> of.apply(all).percentiles().p999());
  }

  private MeterSet<T> quantile(
      String name, String description, String quantile, ToDoubleFunction<T> of) {
    return add(
        TimeGauge.builder(name, figures, TimeUnit.MICROSECONDS, each -> each.gauge(of))
            .description(description)
            .tags(tags.and("quantile", quantile))
            .register(registry));
  }

  private MeterSet<T> add(Meter meter) {
    meters.add(meter);
    return this;
  }

  void remove() {
    meters.forEach(registry::remove);
    meters.clear();
  }
}
