package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** Advice as JSON. */
final class AdviceJson {
  private AdviceJson() {}

  static void write(TableFacts facts, List<Advice> advice, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", facts.name());
    json.writeStringField("strategy", facts.strategy());
    json.writeNumberField("sstables", facts.sstables());
    json.writeNumberField("on_disk_bytes", facts.onDiskBytes());
    json.writeNumberField("data_bytes", facts.dataBytes());
    json.writeNumberField("sstables_compressed_otherwise", facts.otherSSTables());
    json.writeNumberField("on_disk_bytes_compressed_otherwise", facts.otherBytes());
    json.writeNumberField("partitions", facts.partitions());
    json.writeNumberField("median_partition_bytes", facts.medianPartitionBytes());
    json.writeNumberField("p95_partition_bytes", facts.largePartitionBytes());
    json.writeNumberField("max_partition_bytes", facts.largestPartitionBytes());
    json.writeNumberField("rows", facts.rows());
    json.writeNumberField("sampled_keys", facts.sampledKeys());
    json.writeNumberField("sstables_per_read", facts.sstablesPerRead());
    json.writeNumberField("max_sstables_per_read", facts.maxSSTablesPerRead());
    json.writeNumberField("shadowed_ratio", facts.shadowed());
    json.writeNumberField("tombstone_ratio", facts.tombstones());
    json.writeNumberField("droppable_ratio", facts.droppable());
    json.writeStringField("time_clustering", facts.timeClustering());
    number(json, "time_order", facts.timeOrder());
    json.writeNumberField("partition_span", facts.partitionSpan());
    json.writeNumberField("ttl_seconds", facts.ttlSeconds());
    json.writeNumberField("span_seconds", facts.spanSeconds());
    json.writeNumberField("debt_bytes", facts.debtBytes());
    json.writeNumberField("sampled_bytes", facts.sampledBytes());
    json.writeArrayFieldStart("chunk_lengths");
    for (ChunkFigures each : facts.chunkLengths()) {
      json.writeStartObject();
      json.writeNumberField("chunk_bytes", each.chunkBytes());
      json.writeNumberField("ratio", each.ratio());
      json.writeNumberField("on_disk_bytes", Math.round(each.onDiskBytes()));
      json.writeNumberField("bytes_from_disk_per_read", Math.round(each.bytesPerRead()));
      json.writeNumberField("metadata_bytes", each.metadataBytes());
      json.writeNumberField("metadata_bytes_in_cassandra", each.cassandraMetadataBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    Traffic traffic = facts.traffic();
    if (traffic == null) {
      json.writeNullField("traffic");
    } else {
      json.writeObjectFieldStart("traffic");
      json.writeNumberField("reads", traffic.reads());
      json.writeNumberField("scans", traffic.scans());
      json.writeNumberField("writes", traffic.writes());
      json.writeNumberField("sstables_per_read", traffic.sstablesPerRead());
      json.writeNumberField("chunks_from_files_per_read", traffic.chunksPerRead());
      json.writeNumberField("bytes_from_disk_per_read", traffic.diskBytesPerRead());
      json.writeEndObject();
    }
    json.writeArrayFieldStart("advice");
    for (Advice each : advice) {
      write(each, json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(Advice of, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("subject", of.subject());
    json.writeStringField("rule", of.rule());
    json.writeBooleanField("change", of.isChange());
    json.writeStringField("what", of.what());
    json.writeStringField("reason", of.reason());
    json.writeObjectFieldStart("expected");
    for (Advice.Effect effect : of.expected()) {
      json.writeObjectFieldStart(effect.name());
      number(json, "now", effect.now());
      number(json, "then", effect.then());
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeStringField("statement", of.statement());
    json.writeStringField("command", of.command());
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(name, value);
    } else {
      json.writeNullField(name);
    }
  }
}
