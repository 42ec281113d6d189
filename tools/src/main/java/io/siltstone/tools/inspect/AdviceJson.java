package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** Writes advice as JSON. */
final class AdviceJson {
  private AdviceJson() {}

  static void write(TableFacts facts, List<Advice> advice, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", facts.name());
    json.writeStringField("strategy", facts.strategy());
    json.writeNumberField("sstables", facts.data().sstables());
    json.writeNumberField("on_disk_bytes", facts.data().onDiskBytes());
    json.writeNumberField("data_bytes", facts.data().dataBytes());
    json.writeNumberField("sstables_compressed_otherwise", facts.data().otherSSTables());
    json.writeNumberField("on_disk_bytes_compressed_otherwise", facts.data().otherBytes());
    json.writeNumberField("partitions", facts.partitions().count());
    json.writeNumberField("median_partition_bytes", facts.partitions().medianBytes());
    json.writeNumberField("p95_partition_bytes", facts.partitions().p95Bytes());
    json.writeNumberField("max_partition_bytes", facts.partitions().maxBytes());
    json.writeNumberField("rows", facts.data().rows());
    json.writeNumberField("sampled_keys", facts.keys().count());
    json.writeNumberField("sstables_per_read", facts.keys().sstablesPerRead());
    json.writeNumberField("max_sstables_per_read", facts.keys().maxSSTablesPerRead());
    json.writeNumberField("shadowed_ratio", facts.keys().shadowed());
    json.writeNumberField("tombstone_ratio", facts.keys().tombstones());
    json.writeNumberField("droppable_ratio", facts.droppable());
    json.writeStringField("time_clustering", facts.times().clustering());
    number(json, "time_order", facts.times().order());
    json.writeNumberField("partition_span", facts.times().partitionSpan());
    json.writeNumberField("ttl_seconds", facts.times().ttlSeconds());
    json.writeNumberField("span_seconds", facts.times().spanSeconds());
    json.writeNumberField("debt_bytes", facts.data().debtBytes());
    json.writeNumberField("sampled_bytes", facts.chunks().sampledBytes());
    json.writeArrayFieldStart("chunk_lengths");
    for (ChunkFigures each : facts.chunks().lengths()) {
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
    write(facts.chunks().compressors(), json);
    TableTraffic traffic = facts.traffic();
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

  /** Writes what compressors make of a sample of the data. */
  static void write(List<CompressorTrial> compressors, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("compressors");
    for (CompressorTrial each : compressors) {
      json.writeStartObject();
      json.writeStringField("compressor", each.compressor());
      json.writeNumberField("chunk_bytes", each.chunkBytes());
      json.writeNumberField("dictionary_bytes", each.dictionaryBytes());
      json.writeNumberField("ratio", each.ratio());
      json.writeNumberField("compress_us_per_chunk", each.compressMicros());
      json.writeNumberField("decompress_us_per_chunk", each.decompressMicros());
      json.writeEndObject();
    }
    json.writeEndArray();
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
