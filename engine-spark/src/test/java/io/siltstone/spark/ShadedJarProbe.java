package io.siltstone.spark;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A point read from an SSTable, through the caches. Loaded with the classes of the jar. */
public final class ShadedJarProbe implements Callable<String> {
  private final Path directory;

  public ShadedJarProbe(Path directory) {
    this.directory = directory;
  }

  @Override
  public String call() throws Exception {
    byte[] key = "key".getBytes(StandardCharsets.UTF_8);
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (KeyValueStore store = KeyValueStore.open(directory, options)) {
      store.put(key, "value".getBytes(StandardCharsets.UTF_8));
      store.database().flush();
      return new String(store.get(key), StandardCharsets.UTF_8);
    }
  }
}
