package io.siltstone.kafka.streams;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.processor.internals.ChangelogRecordDeserializationHelper;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.internals.PositionSerde;

/**
 * The context of a store of a task, without Kafka: a state directory, a configuration, a record.
 * Confined to one thread.
 */
public final class StoreContext implements StateStoreContext {
  static final String APPLICATION = "app";

  private final Path stateDirectory;
  private final TaskId task;
  private final Map<String, Object> configs = new HashMap<>();
  private final Metrics metrics = new Metrics();
  private final StreamsMetricsImpl streamsMetrics =
      new StreamsMetricsImpl(metrics, "client", Time.SYSTEM);
  private Optional<RecordMetadata> record = Optional.empty();
  private RecordBatchingStateRestoreCallback restore;

  /** Returns the context of the stores of a partition. */
  public StoreContext(Path stateDirectory, int partition) {
    this(stateDirectory, new TaskId(0, partition));
  }

  /** Returns the context of global stores. */
  public static StoreContext global(Path stateDirectory) {
    return new StoreContext(stateDirectory, new TaskId(-1, -1));
  }

  private StoreContext(Path stateDirectory, TaskId task) {
    this.stateDirectory = stateDirectory;
    this.task = task;
    configs.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    configs.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    configs.put(StoreHost.MEMORY_BYTES_CONFIG, 64L << 20);
    configs.put(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "INFO");
  }

  /** Sets a property of the configuration. */
  public StoreContext with(String config, Object value) {
    configs.put(config, value);
    return this;
  }

  /** Stages changes until they are committed. */
  public StoreContext transactional() {
    return with("enable.transactional.statestores", true);
  }

  /** Sets exactly-once. */
  public StoreContext exactlyOnce() {
    return with(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
  }

  /** Returns the directory of the task. */
  public Path taskDirectory() {
    String name = task.subtopology() < 0 ? "global" : task.toString();
    return stateDirectory.resolve(APPLICATION).resolve(name);
  }

  /** Returns where the metrics of the stores are. */
  public Metrics registry() {
    return metrics;
  }

  /** Sets the record of the input that is being processed. */
  public void processing(String topic, int partition, long offset) {
    record =
        Optional.of(
            new RecordMetadata() {
              @Override
              public String topic() {
                return topic;
              }

              @Override
              public int partition() {
                return partition;
              }

              @Override
              public long offset() {
                return offset;
              }
            });
  }

  /** Returns a record of a changelog, with a position unless that is null. */
  public static ConsumerRecord<byte[], byte[]> changelog(
      byte[] key, byte[] value, Position position) {
    return changelog(key, value, position, 0);
  }

  /** Returns a record of a changelog with a timestamp, and a position unless that is null. */
  public static ConsumerRecord<byte[], byte[]> changelog(
      byte[] key, byte[] value, Position position, long timestamp) {
    RecordHeaders headers = new RecordHeaders();
    if (position != null) {
      headers.add(ChangelogRecordDeserializationHelper.CHANGELOG_VERSION_HEADER_RECORD_CONSISTENCY);
      headers.add(
          ChangelogRecordDeserializationHelper.CHANGELOG_POSITION_HEADER_KEY,
          PositionSerde.serialize(position).array());
    }
    return new ConsumerRecord<>(
        "changelog",
        0,
        0,
        timestamp,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        key,
        value,
        headers,
        Optional.empty());
  }

  /** Restores records into the store that was registered last. */
  public void restore(List<ConsumerRecord<byte[], byte[]>> records) {
    restore.restoreBatch(new ArrayList<>(records));
  }

  @Override
  public String applicationId() {
    return APPLICATION;
  }

  @Override
  public TaskId taskId() {
    return task;
  }

  @Override
  public Optional<RecordMetadata> recordMetadata() {
    return record;
  }

  @Override
  public Serde<?> keySerde() {
    return Serdes.Bytes();
  }

  @Override
  public Serde<?> valueSerde() {
    return Serdes.ByteArray();
  }

  @Override
  public File stateDir() {
    File directory = taskDirectory().toFile();
    directory.mkdirs();
    return directory;
  }

  @Override
  public StreamsMetrics metrics() {
    return streamsMetrics;
  }

  @Override
  public void register(StateStore store, StateRestoreCallback callback) {
    restore = (RecordBatchingStateRestoreCallback) callback;
  }

  @Override
  public void register(StateStore store, StateRestoreCallback callback, CommitCallback commit) {
    register(store, callback);
  }

  @Override
  public Map<String, Object> appConfigs() {
    return configs;
  }

  @Override
  public Map<String, Object> appConfigsWithPrefix(String prefix) {
    return Map.of();
  }
}
