package io.siltstone.tools.simulate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.compaction.simulate.Measure;
import io.siltstone.compaction.simulate.SimulationResult;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints results of simulations as an array of JSON objects, one for each strategy. */
final class SimulationJson {

  private SimulationJson() {}

  /** The options of a strategy and the result of its simulation. */
  record Simulated(Map<String, String> options, SimulationResult result) {}

  static void print(OutputStream out, List<Simulated> all) throws IOException {
    JsonDocument.writeLine(out, json -> write(json, all));
  }

  private static void write(JsonGenerator json, List<Simulated> all) throws IOException {
    json.writeStartArray();
    for (Simulated simulated : all) {
      SimulationResult result = simulated.result();
      json.writeStartObject();
      json.writeStringField("strategy", result.strategy());
      json.writeObjectFieldStart("options");
      for (var option : new TreeMap<>(simulated.options()).entrySet()) {
        json.writeStringField(option.getKey(), option.getValue());
      }
      json.writeEndObject();
      json.writeNumberField("max_tables", result.maxTables());
      json.writeNumberField("max_on_disk_bytes", result.maxOnDiskBytes());
      json.writeNumberField("max_debt_bytes", result.maxDebtBytes());
      json.writeArrayFieldStart("measures");
      for (Measure measure : result.measures()) {
        write(json, measure);
      }
      json.writeEndArray();
      json.writeFieldName("at_rest");
      write(json, result.atRest());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Measure measure) throws IOException {
    json.writeStartObject();
    json.writeNumberField("seconds", measure.seconds());
    json.writeNumberField("ingested_bytes", measure.bytes().ingested());
    json.writeNumberField("written_bytes", measure.bytes().written());
    json.writeNumberField("on_disk_bytes", measure.bytes().onDisk());
    json.writeNumberField("live_bytes", measure.bytes().live());
    json.writeNumberField("debt_bytes", measure.bytes().debt());
    json.writeNumberField("running_bytes", measure.bytes().running());
    json.writeNumberField("jobs", measure.jobs());
    json.writeNumberField("tables", measure.tables());
    json.writeNumberField("write_amplification", measure.writeAmplification());
    if (Double.isFinite(measure.spaceAmplification())) {
      json.writeNumberField("space_amplification", measure.spaceAmplification());
    } else {
      json.writeNullField("space_amplification");
    }
    json.writeNumberField("mean_tables_per_read", measure.reads().meanTables());
    json.writeNumberField("max_tables_per_read", measure.reads().maxTables());
    json.writeNumberField("mean_filters_per_read", measure.reads().meanFilters());
    json.writeArrayFieldStart("groups");
    for (Measure.Group group : measure.groups()) {
      json.writeStartObject();
      json.writeStringField("name", group.name());
      json.writeNumberField("tables", group.tables());
      json.writeNumberField("on_disk_bytes", group.onDiskBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
