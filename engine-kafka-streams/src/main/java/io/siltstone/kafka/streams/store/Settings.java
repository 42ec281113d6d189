package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.Restoring;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store, taken from the configuration of its application.
 *
 * @param isTransactional whether changes are staged until a commit
 * @param isExactlyOnce whether a store must not contain more than its changelog
 * @param hasPositions whether changelogs have positions of interactive queries
 * @param isGlobal whether it is a global store, which belongs to no task
 */
record Settings(
    boolean isTransactional, boolean isExactlyOnce, boolean hasPositions, boolean isGlobal) {
  private static final String TRANSACTIONAL = "enable.transactional.statestores";

  static Settings of(StateStoreContext context) {
    Map<String, Object> configs = context.appConfigs();
    boolean isGlobal = context.taskId().subtopology() < 0;
    // A version that does not know the option does not commit as it says. Of global stores Kafka
    // commits nothing while it restores them, and then only every ten thousand records.
    boolean transactional =
        !isGlobal
            && StreamsConfig.configDef().names().contains(TRANSACTIONAL)
            && isSet(configs.get(TRANSACTIONAL));
    return new Settings(
        transactional,
        StreamsConfig.EXACTLY_ONCE_V2.equals(
            configs.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG)),
        Restoring.hasPositions(configs),
        isGlobal);
  }

  private static boolean isSet(@Nullable Object value) {
    return value instanceof Boolean is ? is : Boolean.parseBoolean(String.valueOf(value));
  }
}
