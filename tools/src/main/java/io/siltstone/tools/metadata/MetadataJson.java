package io.siltstone.tools.metadata;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the same metadata as {@link MetadataText} as a JSON object. Times are raw numbers, and
 * null where there are none.
 */
final class MetadataJson {
  private final JsonGenerator json;

  MetadataJson(JsonGenerator json) {
    this.json = json;
  }

  /**
   * Writes an object.
   *
   * @param droppable estimated share of tombstones that can be purged
   */
  void write(SSTableFile file, SSTable table, double droppable) throws IOException {
    Statistics statistics = table.statistics();
    StatsMetadata stats = statistics.stats();
    json.writeStartObject();
    json.writeStringField("path", file.path().toString());
    json.writeStringField("version", table.descriptor().version().text());
    json.writeStringField("partitioner", statistics.validation().partitioner());
    json.writeNumberField("bloom_filter_fp_chance", statistics.validation().bloomFilterFpChance());
    json.writeNumberField("min_timestamp", stats.minTimestamp());
    json.writeNumberField("max_timestamp", stats.maxTimestamp());
    deletionTime("min_local_deletion_time", stats.minLocalDeletionTime());
    deletionTime("max_local_deletion_time", stats.maxLocalDeletionTime());
    boolean isCompressed = table.compression().isEnabled();
    text("compressor", isCompressed ? table.compression().className() : null);
    if (isCompressed) {
      json.writeNumberField("chunk_length_bytes", table.compression().chunkLengthBytes());
      CompressionDictionary dictionary = table.compression().dictionary();
      if (dictionary != null) {
        json.writeNumberField("compression_dictionary_id", dictionary.id());
        json.writeNumberField("compression_dictionary_bytes", dictionary.length());
      }
      json.writeNumberField("compression_ratio", stats.compressionRatio());
    }
    json.writeNumberField("min_ttl", stats.minTtl());
    json.writeNumberField("max_ttl", stats.maxTtl());
    bounds(table, stats);
    json.writeNumberField("estimated_droppable_tombstones", droppable);
    json.writeNumberField("level", stats.level());
    json.writeNumberField("repaired_at", stats.repairedAt());
    text("originating_host_id", stats.originatingHostId().orElse(null));
    text("pending_repair", stats.pendingRepair().orElse(null));
    json.writeBooleanField("is_transient", stats.isTransient());
    text("retention_floor", file.retentionFloor(table).orElse(null));
    json.writeArrayFieldStart("commit_log_intervals");
    for (CommitLogIntervals.Interval interval : stats.commitLogIntervals().intervals()) {
      json.writeStartObject();
      position("start", interval.start());
      position("end", interval.end());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("total_columns_set", stats.totalColumnsSet());
    json.writeNumberField("total_rows", stats.totalRows());
    json.writeNumberField("partitions_estimate", statistics.compaction().cardinality().estimate());
    if (!Double.isNaN(stats.tokenSpaceCoverage())) {
      json.writeNumberField("token_space_coverage", stats.tokenSpaceCoverage());
    }
    histogram("tombstone_drop_times", stats.tombstoneTimes());
    histogram("partition_sizes", stats.partitionSizes());
    histogram("cells_per_partition", stats.cellsPerPartition());
    header(statistics.header());
    json.writeEndObject();
  }

  private void bounds(SSTable table, StatsMetadata stats) throws IOException {
    BoundText bounds = new BoundText(table);
    json.writeStringField("first_token", bounds.firstToken());
    json.writeStringField("first_key", bounds.firstKey());
    json.writeStringField("last_token", bounds.lastToken());
    json.writeStringField("last_key", bounds.lastKey());
    json.writeObjectFieldStart("covered_clustering");
    ClusteringKind start = stats.coveredClustering().startKind();
    ClusteringKind end = stats.coveredClustering().endKind();
    texts("start", bounds.start());
    json.writeBooleanField("start_inclusive", start == ClusteringKind.INCL_START_BOUND);
    texts("end", bounds.end());
    json.writeBooleanField("end_inclusive", end == ClusteringKind.INCL_END_BOUND);
    json.writeEndObject();
    if (table.descriptor().version().hasPartitionDeletionMarker()) {
      json.writeBooleanField("has_partition_deletions", stats.hasPartitionDeletions());
    }
  }

  private void header(SerializationHeader header) throws IOException {
    json.writeObjectFieldStart("header");
    json.writeNumberField("min_ttl", header.stats().minTtl());
    json.writeNumberField("min_local_deletion_time", header.stats().minLocalDeletionTime());
    json.writeNumberField("min_timestamp", header.stats().minTimestamp());
    json.writeStringField("key_type", header.keyType().className());
    texts("clustering_types", header.clusteringTypes().stream().map(CqlType::className).toList());
    columns("static_columns", header.staticColumns());
    columns("regular_columns", header.regularColumns());
    json.writeEndObject();
  }

  private void columns(String name, List<HeaderColumn> columns) throws IOException {
    json.writeArrayFieldStart(name);
    for (HeaderColumn column : columns) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.type().className());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void position(String name, CommitLogPosition position) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("segment", position.segmentId());
    json.writeNumberField("position", position.position());
    json.writeEndObject();
  }

  private void histogram(String name, TombstoneHistogram histogram) throws IOException {
    json.writeArrayFieldStart(name);
    for (int i = 0; i < histogram.size(); i++) {
      bucket(histogram.time(i), histogram.countAt(i));
    }
    json.writeEndArray();
  }

  private void histogram(String name, EstimatedHistogram histogram) throws IOException {
    json.writeArrayFieldStart(name);
    for (int i = 0; i < histogram.buckets(); i++) {
      if (histogram.countIn(i) > 0) {
        bucket(histogram.limit(i), histogram.countIn(i));
      }
    }
    json.writeEndArray();
  }

  private void bucket(long upTo, long count) throws IOException {
    json.writeStartObject();
    json.writeNumberField("up_to", upTo);
    json.writeNumberField("count", count);
    json.writeEndObject();
  }

  private void deletionTime(String name, long time) throws IOException {
    if (time == DeletionTime.NO_DELETION_TIME) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, time);
    }
  }

  private void text(String name, @Nullable Object value) throws IOException {
    json.writeStringField(name, value == null ? null : value.toString());
  }

  private void texts(String name, List<? extends @Nullable String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
