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
 */
final class StoreContext implements StateStoreContext {
  static final String APPLICATION = "app";

  private final Path stateDirectory;
  private final TaskId task;
  private final Map<String, Object> configs = new HashMap<>();
  private final Metrics metrics = new Metrics();
  private final StreamsMetricsImpl streamsMetrics =
      new StreamsMetricsImpl(metrics, "client", Time.SYSTEM);
  private Optional<RecordMetadata> record = Optional.empty();
  private RecordBatchingStateRestoreCallback restore;

  StoreContext(Path stateDirectory, int partition) {
    this(stateDirectory, new TaskId(0, partition));
  }

  /** Returns the context of global stores. */
  static StoreContext global(Path stateDirectory) {
    return new StoreContext(stateDirectory, new TaskId(-1, -1));
  }

  private StoreContext(Path stateDirectory, TaskId task) {
    this.stateDirectory = stateDirectory;
    this.task = task;
    configs.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    configs.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    configs.put(StoreHost.MEMORY_BYTES_CONFIG, 64L << 20);
  }

  StoreContext with(String config, Object value) {
    configs.put(config, value);
    return this;
  }

  StoreContext transactional() {
    return with("enable.transactional.statestores", true);
  }

  StoreContext exactlyOnce() {
    return with(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
  }

  Path taskDirectory() {
    String name = task.subtopology() < 0 ? "global" : task.toString();
    return stateDirectory.resolve(APPLICATION).resolve(name);
  }

  Metrics registry() {
    return metrics;
  }

  void processing(String topic, int partition, long offset) {
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

  static ConsumerRecord<byte[], byte[]> changelog(byte[] key, byte[] value, Position position) {
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
        0,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        key,
        value,
        headers,
        Optional.empty());
  }

  void restore(List<ConsumerRecord<byte[], byte[]>> records) {
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
