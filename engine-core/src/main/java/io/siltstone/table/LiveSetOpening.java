package io.siltstone.table;

import io.siltstone.cache.ReadCaches;
import io.siltstone.catalog.TableHome;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetObserver;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.liveset.MemtableTimes;
import io.siltstone.liveset.SSTableOpener;
import io.siltstone.liveset.View;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.KnownFiles;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens the live set of a table with the settings and caches of its database, and reports to the
 * listener what is damaged and what was assumed.
 */
final class LiveSetOpening {
  private LiveSetOpening() {}

  /**
   * Opens a live set, to be closed by the caller.
   *
   * @param schema returns the present schema of the table, by which SSTables are opened
   * @param memtables of the table, for purges
   * @param shared open SSTables of the table, held by the caller meanwhile; null for none
   */
  static LiveSet open(
      TableHome home,
      Supplier<TableSchema> schema,
      Services services,
      LiveSetObserver observer,
      MemtableTimes memtables,
      @Nullable View shared)
      throws IOException {
    LiveSetOptions options =
        LiveSetOptions.builder(new Opener(schema, services))
            .partitioner(services.partitioner())
            .version(services.settings().version())
            .flushCompression(services.settings().flushCompression())
            .columnIndexSizeBytes(services.settings().columnIndexSizeBytes())
            .originatingHostId(services.hostId())
            .memtables(memtables)
            .cleaner(services.background().cleaner())
            .observer(observer)
            .readOnly(services.settings().isReadOnly())
            .lenient(services.settings().isLenient())
            .guard(services.guard())
            .committed(home.committed())
            .parallel(services.background().parallel())
            .nowMillis(() -> services.clock().reached().toEpochMilli())
            .build();
    LiveSet liveSet =
        LiveSet.open(
            home.directory(), home.schema(), options, services.budget(), shared, home.unchanged());
    TableSchema opened = schema.get();
    report(new TableId(opened.keyspace(), opened.name(), home.id()), liveSet, services.listener());
    return liveSet;
  }

  /** Opens SSTables by the present schema of the table. */
  private record Opener(Supplier<TableSchema> schema, Services services) implements SSTableOpener {
    @Override
    public SSTable open(Directory directory, Descriptor descriptor) throws IOException {
      return SSTable.open(directory, descriptor, options(), caches(), services.budget());
    }

    @Override
    public SSTable openUnchanged(Directory directory, Descriptor descriptor, KnownFiles files)
        throws IOException {
      return SSTable.openUnchanged(
          directory, descriptor, files, options(), caches(), services.budget());
    }

    private SSTableOptions options() {
      return SSTableOptions.DEFAULT.withCrcCheckChance(schema.get().options().crcCheckChance());
    }

    private ReadCaches caches() {
      ReadCaches all = services.memory().caches();
      return schema.get().options().caching().keys() ? all : all.withoutKeys();
    }
  }

  private static void report(TableId id, LiveSet liveSet, EngineListener listener) {
    for (EngineListener.CorruptionFound damage : liveSet.report().quarantined()) {
      listener.corruptionFound(
          new EngineListener.CorruptionFound(id, damage.path(), damage.cause()));
    }
    liveSet.assumptions().forEach(listener::recoveryAssumed);
    // Reported as damage of the log, since the positions belong to it; the table's rows are
    // complete.
    liveSet.flushed().damage().ifPresent(listener::corruptionFound);
    liveSet.retention().damage().ifPresent(listener::corruptionFound);
    liveSet.keyRanges().damage().ifPresent(listener::corruptionFound);
  }
}
