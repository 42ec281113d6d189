package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.jmx.TableMXBean;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Writes a table as a JSON object. What is not measured is omitted. */
final class TableJson {
  private TableJson() {}

  static void write(JsonGenerator json, String place, TableMXBean table) throws IOException {
    json.writeStartObject();
    json.writeStringField("place", place);
    json.writeStringField("keyspace", table.getKeyspace());
    json.writeStringField("table", table.getName());
    options(json, "compaction", table.getCompactionOptions());
    options(json, "compression", table.getCompressionOptions());
    json.writeNumberField("sstable_count", table.getSSTableCount());
    json.writeArrayFieldStart("sstables_in_each_level");
    for (int count : table.getSSTableCountPerLevel()) {
      json.writeNumber(count);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("sstable_bytes_in_each_level");
    for (long bytes : table.getSSTableBytesPerLevel()) {
      json.writeNumber(bytes);
    }
    json.writeEndArray();
    json.writeNumberField("max_sstable_bytes", table.getMaxSSTableBytes());
    json.writeNumberField("space_used_live", table.getLiveBytes());
    json.writeNumberField("uncompressed_data_bytes", table.getDataBytes());
    if (table.getCompressionRatio() >= 0) {
      json.writeNumberField("sstable_compression_ratio", table.getCompressionRatio());
    }
    json.writeNumberField("number_of_partitions_estimate", table.getPartitionsEstimate());
    json.writeNumberField("rows_in_sstables", table.getRows());
    json.writeNumberField("bytes_repaired", table.getRepairedBytes());
    json.writeNumberField("bloom_filter_space_used", table.getBloomFilterBytes());
    json.writeNumberField("bloom_filter_off_heap_memory_used", table.getBloomFilterOffHeapBytes());
    json.writeNumberField(
        "index_summary_off_heap_memory_used", table.getIndexSummaryOffHeapBytes());
    json.writeNumberField(
        "compression_metadata_off_heap_memory_used", table.getCompressionMetadataOffHeapBytes());
    FiguresJson.distribution(json, "partition_bytes", table.getPartitionBytes());
    FiguresJson.distribution(json, "cells_per_partition", table.getCellsPerPartition());
    json.writeNumberField("droppable_tombstone_ratio", table.getDroppableTombstoneRatio());
    if (table.getSSTableCount() > 0) {
      json.writeNumberField("min_timestamp", table.getMinTimestamp());
      json.writeNumberField("max_timestamp", table.getMaxTimestamp());
    }
    if (table.getRetentionFloor() != null) {
      json.writeStringField("retention_floor", table.getRetentionFloor());
    }
    if (PendingCompactions.isKnown(table)) {
      json.writeNumberField("pending_compactions", table.getPendingCompactions());
      json.writeNumberField("compaction_debt_bytes", table.getCompactionDebtBytes());
    }
    if (table.isOpen()) {
      counters(json, table);
    }
    json.writeEndObject();
  }

  private static void options(JsonGenerator json, String name, Map<String, String> options)
      throws IOException {
    if (options.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> option : new TreeMap<>(options).entrySet()) {
      json.writeStringField(option.getKey(), option.getValue());
    }
    json.writeEndObject();
  }

  private static void counters(JsonGenerator json, TableMXBean table) throws IOException {
    json.writeNumberField("memtable_row_count", table.getMemtableRows());
    json.writeNumberField("memtable_data_size", table.getMemtableDataBytes());
    json.writeNumberField("memtable_off_heap_memory_used", table.getMemtableOffHeapBytes());
    json.writeNumberField("memtable_switch_count", table.getFlushes());
    json.writeNumberField("pending_flushes", table.getPendingFlushes());
    FiguresJson.distribution(json, "read_latency_micros", table.getReadLatencyMicros());
    FiguresJson.distribution(json, "write_latency_micros", table.getWriteLatencyMicros());
    FiguresJson.distribution(json, "scan_latency_micros", table.getScanLatencyMicros());
    FiguresJson.distribution(json, "sstables_per_read", table.getSSTablesPerRead());
    FiguresJson.distribution(json, "chunks_per_read", table.getChunksPerRead());
    FiguresJson.distribution(json, "disk_bytes_per_read", table.getDiskBytesPerRead());
    json.writeNumberField("bloom_filter_false_positives", table.getBloomFilterFalsePositives());
    json.writeNumberField("bytes_flushed", table.getFlushedBytes());
    json.writeNumberField("compactions", table.getCompactions());
    json.writeNumberField("running_compactions", table.getRunningCompactions());
    json.writeNumberField("compaction_bytes_read", table.getCompactionBytesRead());
    json.writeNumberField("compaction_bytes_written", table.getCompactionBytesWritten());
    json.writeNumberField("write_amplification", table.getWriteAmplification());
  }
}
