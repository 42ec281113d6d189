package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.Restoring;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration of an application says of its stores.
 *
 * @param isTransactional whether changes are staged until a commit
 * @param isExactlyOnce whether a store must not contain more than its changelog
 * @param hasPositions whether changelogs have positions of interactive queries
 */
record Settings(boolean isTransactional, boolean isExactlyOnce, boolean hasPositions) {
  private static final String TRANSACTIONAL = "enable.transactional.statestores";

  static Settings of(Map<String, Object> configs) {
    // A version that does not know the option does not commit as it says.
    boolean transactional =
        StreamsConfig.configDef().names().contains(TRANSACTIONAL)
            && isSet(configs.get(TRANSACTIONAL));
    return new Settings(
        transactional,
        StreamsConfig.EXACTLY_ONCE_V2.equals(
            configs.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG)),
        Restoring.hasPositions(configs));
  }

  private static boolean isSet(@Nullable Object value) {
    return value instanceof Boolean is ? is : Boolean.parseBoolean(String.valueOf(value));
  }
}
