package io.siltstone;

import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.CompactionReport;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.CompactionState;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.CompactorFactory;
import io.siltstone.spi.LiveSetChange;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where a database takes its compactor from. */
public final class Compaction {
  private Compaction() {}

  /**
   * No compaction at all: SSTables become more and more, and reads slower. For imports, tests, and
   * whoever compacts otherwise.
   */
  public static CompactorFactory none() {
    return host -> NoCompactor.INSTANCE;
  }

  /**
   * The compactor that {@link ServiceLoader} finds: that of the module engine-compaction, if it is
   * there. It is asked when a database is opened.
   */
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
              "this database was opened with Compaction.none(), "
                  + table
                  + " cannot be compacted"));
    }

    @Override
    public CompactionState state(TableId table) {
      return CompactionState.IDLE;
    }

    @Override
    public void close() {}
  }
}
