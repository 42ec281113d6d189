package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.jmx.CacheFigures;
import io.siltstone.jmx.DistributionFigures;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes figures that several commands print as fields of JSON objects. */
final class FiguresJson {
  private FiguresJson() {}

  /** Writes a distribution as an object; writes nothing if it is not measured. */
  static void distribution(JsonGenerator json, String name, @Nullable DistributionFigures values)
      throws IOException {
    if (values == null) {
      return;
    }
    json.writeObjectFieldStart(name);
    json.writeNumberField("count", values.getCount());
    json.writeNumberField("mean", values.getMean());
    json.writeNumberField("min", values.getMin());
    json.writeNumberField("p50", values.getMedian());
    json.writeNumberField("p75", values.getPercentile75());
    json.writeNumberField("p95", values.getPercentile95());
    json.writeNumberField("p98", values.getPercentile98());
    json.writeNumberField("p99", values.getPercentile99());
    json.writeNumberField("p999", values.getPercentile999());
    json.writeNumberField("max", values.getMax());
    json.writeEndObject();
  }

  /** Writes the figures of a cache as an object. */
  static void cache(JsonGenerator json, String name, CacheFigures cache) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("entries", cache.getEntries());
    json.writeNumberField("bytes", cache.getBytes());
    json.writeNumberField("capacity_bytes", cache.getCapacityBytes());
    json.writeNumberField("hits", cache.getHits());
    json.writeNumberField("misses", cache.getMisses());
    json.writeNumberField("evictions", cache.getEvictions());
    json.writeNumberField("hit_rate", cache.getHitRate());
    json.writeEndObject();
  }
}
