package io.siltstone.bench.stress;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.workload.Gauges;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadSample;
import io.siltstone.schema.TableOptions;
import io.siltstone.statistics.CacheStatistics;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Writes the result of a stress run as one JSON document. */
public final class StressJson {
  private static final double NANOS_PER_MICRO = 1_000;

  private final JsonGenerator json;

  private StressJson(JsonGenerator json) {
    this.json = json;
  }

  /** Writes the document in UTF-8, with a line feed at its end; the stream stays open. */
  public static void write(StressResult result, Machine machine, OutputStream out)
      throws IOException {
    JsonDocument.write(out, json -> new StressJson(json).write(result, machine));
  }

  private void write(StressResult result, Machine machine) throws IOException {
    json.writeStartObject();
    json.writeStringField("profile", result.options().profile().name());
    json.writeBooleanField("right", result.isRight());
    json.writeBooleanField("stopped", result.isStopped());
    json.writeFieldName("machine");
    machine.writeJson(json);
    json.writeFieldName("options");
    options(result);
    json.writeFieldName("populate");
    if (result.populated().isPresent()) {
      load(result.populated().get());
    } else {
      json.writeNull();
    }
    json.writeFieldName("run");
    load(result.run());
    json.writeFieldName("table");
    table(result);
    json.writeEndObject();
  }

  private void options(StressResult result) throws IOException {
    ProfileOptions profile = result.options().profile().options();
    WorkloadOptions load = result.options().load();
    TableOptions table = result.schema().options();
    json.writeStartObject();
    json.writeNumberField("partitions", profile.partitions().orElseThrow());
    if (profile.rows().isPresent()) {
      json.writeNumberField("rows", profile.rows().getAsInt());
    }
    if (profile.limit().isPresent()) {
      json.writeNumberField("limit", profile.limit().getAsInt());
    }
    json.writeStringField("value", profile.value().toString());
    json.writeNumberField("threads", load.threads());
    json.writeNumberField("read_rate", load.readRate());
    json.writeNumberField("ops_per_second", load.opsPerSecond());
    // If a rate is given, the latency of an operation is measured from the time at which it was
    // due.
    json.writeBooleanField("corrected_for_coordinated_omission", load.opsPerSecond() > 0);
    json.writeStringField("distribution", load.distribution().toString());
    json.writeNumberField("seed", load.seed());
    json.writeBooleanField("populate", result.options().populates());
    map("compression", table.compression().toMap());
    map("compaction", table.compaction());
    json.writeNumberField("ttl_seconds", table.defaultTimeToLive());
    json.writeNumberField("memtable_bytes", result.options().database().memtableBytes());
    json.writeNumberField("chunk_cache_bytes", result.options().database().chunkCacheBytes());
    json.writeNumberField("key_cache_bytes", result.options().database().keyCacheBytes());
    json.writeStringField(
        "commitlog_sync", StressText.lower(result.options().database().commitLog().syncMode()));
    json.writeEndObject();
  }

  private void map(String name, Map<String, String> map) throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> entry : new TreeMap<>(map).entrySet()) {
      json.writeStringField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }

  private void load(WorkloadResult load) throws IOException {
    json.writeStartObject();
    json.writeNumberField("seconds", load.seconds());
    json.writeNumberField("operations", load.operations());
    json.writeNumberField("ops_per_second", load.opsPerSecond());
    for (int minutes : Rates.MINUTES) {
      // Null if the run was shorter.
      OptionalDouble rate = Rates.over(minutes, load.samples());
      json.writeFieldName("ops_per_second_last_" + minutes + "_min");
      if (rate.isPresent()) {
        json.writeNumber(rate.getAsDouble());
      } else {
        json.writeNull();
      }
    }
    json.writeFieldName("reads");
    latencies(load.readLatency(), load.reads().nanos());
    json.writeFieldName("writes");
    latencies(load.writeLatency(), load.writes().nanos());
    // Due before the end and not begun; the latencies include how long they had waited.
    json.writeNumberField("missed_operations", load.missed());
    json.writeNumberField("rows_read", load.rowsRead());
    json.writeNumberField("errors", load.failures().errors());
    json.writeNumberField("wrong_reads", load.failures().wrongReads());
    json.writeArrayFieldStart("problems");
    for (String problem : load.failures().first()) {
      json.writeString(problem);
    }
    json.writeEndArray();
    json.writeNumberField("allocated_bytes", load.allocatedBytes());
    json.writeObjectFieldStart("process");
    json.writeNumberField("cpu_nanos", load.usage().cpuNanos());
    json.writeNumberField("collections", load.usage().collections());
    json.writeNumberField("collection_millis", load.usage().collectionMillis());
    json.writeNumberField("read_calls", load.usage().readCalls());
    json.writeNumberField("disk_read_bytes", load.usage().diskReadBytes());
    json.writeNumberField("disk_written_bytes", load.usage().diskWrittenBytes());
    json.writeEndObject();
    json.writeArrayFieldStart("samples");
    for (WorkloadSample sample : load.samples()) {
      sample(sample);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void latencies(Latency latency, Histogram nanos) throws IOException {
    json.writeStartObject();
    json.writeNumberField("count", latency.count());
    json.writeNumberField("mean_micros", latency.meanNanos() / NANOS_PER_MICRO);
    json.writeNumberField("p50_micros", latency.p50Nanos() / NANOS_PER_MICRO);
    json.writeNumberField("p90_micros", nanos.getValueAtPercentile(90) / NANOS_PER_MICRO);
    json.writeNumberField("p95_micros", nanos.getValueAtPercentile(95) / NANOS_PER_MICRO);
    json.writeNumberField("p99_micros", latency.p99Nanos() / NANOS_PER_MICRO);
    json.writeNumberField("p999_micros", latency.p999Nanos() / NANOS_PER_MICRO);
    json.writeNumberField("max_micros", latency.maxNanos() / NANOS_PER_MICRO);
    json.writeEndObject();
  }

  private void sample(WorkloadSample sample) throws IOException {
    json.writeStartObject();
    json.writeNumberField("seconds", sample.seconds());
    latency("reads", sample.reads());
    latency("writes", sample.writes());
    json.writeNumberField("errors", sample.errors());
    json.writeNumberField("wrong_reads", sample.wrongReads());
    Gauges gauges = sample.gauges();
    json.writeNumberField("on_disk_bytes", gauges.onDiskBytes());
    json.writeNumberField("sstables", gauges.sstables());
    json.writeNumberField("pending_compactions", gauges.pendingCompactions());
    json.writeNumberField("running_compactions", gauges.runningCompactions());
    json.writeNumberField("compaction_debt_bytes", gauges.compactionDebtBytes());
    json.writeNumberField("heap_bytes", gauges.heapBytes());
    json.writeNumberField("off_heap_bytes", gauges.offHeapBytes());
    json.writeNumberField("memtable_bytes", gauges.memtableBytes());
    json.writeNumberField("chunk_cache_hits", gauges.chunkCache().hits());
    json.writeNumberField("chunk_cache_misses", gauges.chunkCache().misses());
    json.writeEndObject();
  }

  private void latency(String name, Latency latency) throws IOException {
    json.writeNumberField(name, latency.count());
    String of = name.substring(0, name.length() - 1);
    json.writeNumberField(of + "_p50_micros", latency.p50Nanos() / NANOS_PER_MICRO);
    json.writeNumberField(of + "_p99_micros", latency.p99Nanos() / NANOS_PER_MICRO);
    json.writeNumberField(of + "_p999_micros", latency.p999Nanos() / NANOS_PER_MICRO);
    json.writeNumberField(of + "_max_micros", latency.maxNanos() / NANOS_PER_MICRO);
  }

  private void table(StressResult result) throws IOException {
    json.writeStartObject();
    json.writeNumberField("sstables", result.table().sstables().count());
    json.writeNumberField("on_disk_bytes", result.table().sstables().onDiskBytes());
    json.writeNumberField("data_bytes", result.table().sstables().dataBytes());
    json.writeNumberField("compression_ratio", result.compressionRatio());
    json.writeNumberField("off_heap_bytes", result.table().sstables().offHeapBytes());
    json.writeNumberField("flushes", result.table().traffic().flushes());
    json.writeNumberField("flushed_bytes", result.table().traffic().flushedBytes());
    json.writeNumberField("compactions", result.table().traffic().compactions());
    json.writeNumberField("compaction_bytes_read", result.table().traffic().compactionBytesRead());
    json.writeNumberField(
        "compaction_bytes_written", result.table().traffic().compactionBytesWritten());
    json.writeNumberField("write_amplification", result.table().traffic().writeAmplification());
    json.writeNumberField("mean_sstables_per_read", result.table().reads().sstables().mean());
    json.writeNumberField(
        "p99_sstables_per_read", result.table().reads().sstables().percentiles().p99());
    json.writeNumberField("mean_chunks_per_read", result.table().reads().chunks().mean());
    json.writeNumberField("filter_false_positives", result.table().reads().filterFalsePositives());
    cache("chunk_cache", result.database().chunkCache());
    cache("key_cache", result.database().keyCache());
    json.writeEndObject();
  }

  private void cache(String name, CacheStatistics cache) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("hits", cache.hits());
    json.writeNumberField("misses", cache.misses());
    json.writeNumberField("hit_rate", cache.hitRate());
    json.writeNumberField("bytes", cache.bytes());
    json.writeNumberField("capacity_bytes", cache.capacityBytes());
    json.writeEndObject();
  }
}
