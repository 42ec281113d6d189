package io.siltstone;

import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.CompactorFactory;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The compaction that {@link ServiceLoader} finds, searched for once, so that all databases for
 * which it is used share its threads. Safe for use by all threads.
 */
final class FoundCompaction implements Compaction {
  private @Nullable CompactorFactory found;

  @Override
  public Compactor create(CompactionHost host) {
    return service().create(host);
  }

  private synchronized CompactorFactory service() {
    CompactorFactory service = found;
    if (service == null) {
      service = find();
      found = service;
    }
    return service;
  }

  /**
   * Searches for the service.
   *
   * @throws IllegalStateException if there is none
   */
  static CompactorFactory find() {
    return ServiceLoader.load(CompactorFactory.class, Compaction.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there is no compaction: add engine-compaction, or choose Compaction.none()"));
  }
}
