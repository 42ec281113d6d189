package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.spi.LiveTable;
import java.io.IOException;
import java.util.List;

/** Writes the SSTables of a table as JSON. */
final class InspectJson {
  private InspectJson() {}

  static void write(SSTablesOverview of, List<CompressorTrial> compressors, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("table", of.name());
    json.writeStringField("strategy", of.strategy());
    if (of.retentionFloor() != null) {
      json.writeStringField("retention_floor", of.retentionFloor());
      json.writeNumberField("sstables_below_floor", of.hidden());
    }
    json.writeNumberField("now_millis", of.nowMillis());
    json.writeNumberField("on_disk_bytes", of.onDiskBytes());
    json.writeNumberField("data_bytes", of.dataBytes());
    json.writeNumberField("mean_sstables_per_token", of.coverage().mean());
    json.writeNumberField("max_sstables_per_token", of.coverage().most());
    json.writeNumberField("covered_share_of_tokens", of.coverage().covered());
    json.writeArrayFieldStart("groups");
    for (SSTablesOverview.Lane lane : of.lanes()) {
      json.writeStartObject();
      json.writeStringField("name", lane.group().name());
      json.writeNumberField("on_disk_bytes", lane.onDiskBytes());
      json.writeArrayFieldStart("sstables");
      for (SSTableFigures file : lane.files()) {
        write(file, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("coverage");
    for (TokenCoverage.Step step : of.coverage().steps()) {
      json.writeStartObject();
      json.writeNumberField("from", step.from());
      json.writeNumberField("to", step.to());
      json.writeNumberField("sstables", step.count());
      json.writeEndObject();
    }
    json.writeEndArray();
    AdviceJson.write(compressors, json);
    json.writeEndObject();
  }

  private static void write(SSTableFigures file, JsonGenerator json) throws IOException {
    LiveTable table = file.table();
    json.writeStartObject();
    json.writeStringField("sstable", file.name());
    json.writeNumberField("level", table.level());
    json.writeNumberField("on_disk_bytes", table.onDiskBytes());
    json.writeNumberField("data_bytes", table.dataBytes());
    json.writeNumberField("partitions", table.partitions());
    json.writeNumberField("rows", table.rows());
    json.writeNumberField("cells", table.cells());
    json.writeNumberField("first_token", table.firstKey().token());
    json.writeNumberField("last_token", table.lastKey().token());
    json.writeNumberField("min_timestamp", table.minTimestamp());
    json.writeNumberField("max_timestamp", table.maxTimestamp());
    json.writeNumberField("written_at_millis", table.writtenAt());
    json.writeNumberField("tombstone_ratio", file.tombstones());
    json.writeNumberField("droppable_tombstone_ratio", file.droppable());
    json.writeNumberField("overlaps", file.overlaps());
    json.writeBooleanField("compressed", table.compression().isEnabled());
    json.writeEndObject();
  }
}
