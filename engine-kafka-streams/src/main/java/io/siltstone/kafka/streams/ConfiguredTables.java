package io.siltstone.kafka.streams;

import io.siltstone.kafka.streams.host.HostRegistry;
import io.siltstone.kafka.streams.host.StoreName;
import io.siltstone.kafka.streams.host.StoreTable;
import io.siltstone.kafka.streams.internals.Startup;
import io.siltstone.kafka.streams.store.StoreTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;

/**
 * Finds the database of an application in its configuration: that of a {@link StoreHost}, or else
 * the one in the directory of the application, below the state directory.
 */
enum ConfiguredTables implements StoreTables {
  INSTANCE;

  @Override
  public StoreTable open(StateStoreContext context, String name, String format) throws IOException {
    Map<String, Object> configs = context.appConfigs();
    Path task = context.stateDir().toPath().toAbsolutePath();
    StoreName store = new StoreName(name, String.valueOf(task.getFileName()), format, task);
    Object host = configs.get(StoreHost.HOST_CONFIG);
    if (host instanceof StoreHost chosen) {
      return chosen.stores().openTable(store, () -> {});
    }
    if (host != null) {
      throw new ConfigException(StoreHost.HOST_CONFIG, host, "must be a StoreHost");
    }
    return HostRegistry.OF_JVM.openTable(
        stateDirectory(context, task),
        context.applicationId(),
        memoryBytes(configs),
        store,
        Startup.isIn(context));
  }

  /**
   * Returns the state directory. Contexts that are not of an application, but of a test, may have
   * the directory of the task anywhere else: such a task has a database of its own in it.
   */
  private static Path stateDirectory(StateStoreContext context, Path task) {
    Object configured = context.appConfigs().get(StreamsConfig.STATE_DIR_CONFIG);
    if (configured == null) {
      return task;
    }
    Path directory = Path.of(configured.toString()).toAbsolutePath();
    return task.startsWith(directory.resolve(context.applicationId())) ? directory : task;
  }

  private static long memoryBytes(Map<String, Object> configs) {
    Object value = configs.get(StoreHost.MEMORY_BYTES_CONFIG);
    if (value == null) {
      return StoreHost.DEFAULT_MEMORY_BYTES;
    }
    try {
      long bytes = Long.parseLong(value.toString().strip());
      if (bytes >= StoreHost.LEAST_MEMORY_BYTES) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // As a number that is too small.
    }
    throw new ConfigException(
        StoreHost.MEMORY_BYTES_CONFIG, value, "allowed are bytes from 33554432 (32 MiB) on");
  }
}
