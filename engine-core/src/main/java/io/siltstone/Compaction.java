package io.siltstone;

import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.CompactorFactory;
import io.siltstone.spi.LiveSetChange;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Values for {@link DatabaseOptions#compaction()} that need nothing from another module. */
public final class Compaction {
  private Compaction() {}

  /**
   * Returns a factory of a compactor that compacts nothing. SSTables accumulate, and reads become
   * slower. For imports, for tests, and for databases that are compacted by other means. A request
   * to compact fails with an {@link UnsupportedOperationException}.
   */
  @SuppressWarnings("exports")
  public static CompactorFactory none() {
    return host -> NoCompactor.INSTANCE;
  }

  /**
   * Returns a factory that uses the compactor that {@link ServiceLoader} finds, which is that of
   * the module engine-compaction if it is present. The search takes place each time a database is
   * opened for writing; if nothing is found, opening fails with an {@link IllegalStateException}.
   */
  @SuppressWarnings("exports")
  public static CompactorFactory found() {
    return Compaction::find;
  }

  private static Compactor find(CompactionHost host) {
    return ServiceLoader.load(CompactorFactory.class, Compaction.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there is no compaction: add engine-compaction, or choose Compaction.none()"))
        .create(host);
  }

  private enum NoCompactor implements Compactor {
    INSTANCE;

    @Override
    public void check(TableSchema schema) {}

    @Override
    public void onChange(TableId table, LiveSetChange change) {}

    @Override
    public CompletionStage<CompactionReport> run(TableId table, CompactionRequest request) {
      return CompletableFuture.failedStage(
          new UnsupportedOperationException(
              table + " cannot be compacted: it was opened without compaction, Compaction.none()"));
    }

    @Override
    public CompactionState state(TableId table) {
      return CompactionState.IDLE;
    }

    @Override
    public void close() {}
  }
}
