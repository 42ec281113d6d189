package io.siltstone.tools.operate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.jmx.CacheFigures;
import io.siltstone.jmx.DistributionFigures;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Figures as JSON documents. */
final class Json {
  private Json() {}

  /** What is written between the braces of a document. */
  @FunctionalInterface
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  /** Prints an object and the end of a line. */
  static void print(Terminal terminal, boolean isPretty, Content content) throws IOException {
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(terminal.out())
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      if (isPretty) {
        json.useDefaultPrettyPrinter();
      }
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    }
    terminal.line("");
  }

  /** A field that is an object; none if nobody counts. */
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

  /** A field that is an object. */
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
