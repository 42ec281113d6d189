package io.siltstone.table;

import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.catalog.TableHome;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.event.EngineListener;
import io.siltstone.event.RecoveryReport;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.RebuildOptions;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Provides the SSTables of one table's directory to a compactor while no database has it open:
 * there are no memtables and no commit log.
 *
 * <p>Safe for all threads; closed by its opener, after the compactor.
 */
public final class OfflineTableHost implements CompactionHost, Closeable {
  private final TableId id;
  private final TableSchema schema;
  private final FormatVersion version;
  private final EngineListener listener;
  private final LiveSet liveSet;
  private final OfflineReads reads;
  private final InstantSource clock;

  private OfflineTableHost(
      TableId id,
      TableSchema schema,
      FormatVersion version,
      EngineListener listener,
      LiveSet liveSet,
      InstantSource clock,
      OfflineReads reads) {
    this.clock = clock;
    this.reads = reads;
    this.id = id;
    this.schema = schema;
    this.version = version;
    this.listener = listener;
    this.liveSet = liveSet;
  }

  /**
   * Opens a directory; completes or undoes interrupted transactions, unless it is opened for
   * reading only.
   *
   * @param version of SSTables that are written; null for {@link DatabaseLayout#versionOf}
   * @param budget of off-heap memory; closed by the caller, later
   * @param clock by which data expires
   * @param isLenient whether SSTables are opened for salvage, and quarantined if that fails; unless
   *     it is opened for reading only, components are rebuilt first, see {@link ComponentRebuild}
   * @param guard is called before each change
   * @throws IOException if an SSTable is damaged or of another partitioner, naming it
   */
  public static OfflineTableHost open(
      TableHome home,
      @Nullable FormatVersion version,
      MemoryBudget budget,
      GuardedListener listener,
      InstantSource clock,
      boolean isReadOnly,
      boolean isLenient,
      WriteGuard guard)
      throws IOException {
    TableSchema schema = home.schema();
    SSTableOptions options =
        SSTableOptions.DEFAULT
            .withCrcCheckChance(schema.options().crcCheckChance())
            .withSalvage(isLenient);
    RebuildOptions rebuilding = ComponentRebuild.options(home.directory(), schema);
    Partitioner partitioner =
        isLenient
            ? ComponentRebuild.partitionerOf(home.directory(), rebuilding, budget)
            : DatabaseLayout.partitionerOf(home.directory(), false);
    boolean isMended = isLenient && !isReadOnly;
    ReadCaches caches = ReadCaches.of(ChunkCache.off(), KeyCache.off(), budget);
    FormatVersion written = version != null ? version : DatabaseLayout.versionOf(home.directory());
    LiveSet liveSet =
        LiveSet.open(
            home.directory(),
            schema,
            LiveSetOptions.builder(
                    (directory, descriptor) ->
                        isMended
                            ? ComponentRebuild.open(
                                directory, descriptor, options, rebuilding, budget)
                            : SSTable.open(directory, descriptor, options, caches, budget))
                .partitioner(partitioner)
                .version(written)
                .readOnly(isReadOnly)
                .lenient(isLenient)
                .guard(guard)
                .committed(home.committed())
                .nowMillis(clock::millis)
                .build(),
            budget);
    TableId id = new TableId(schema.keyspace(), schema.name(), home.id());
    for (EngineListener.CorruptionFound damage : liveSet.report().quarantined()) {
      listener.corruptionFound(
          new EngineListener.CorruptionFound(id, damage.path(), damage.cause()));
    }
    liveSet.assumptions().forEach(listener::recoveryAssumed);
    liveSet.flushed().damage().ifPresent(listener::corruptionFound);
    liveSet.retention().damage().ifPresent(listener::corruptionFound);
    liveSet.keyRanges().damage().ifPresent(listener::corruptionFound);
    OfflineReads reads =
        new OfflineReads(id, schema, partitioner, liveSet, budget, clock, listener);
    return new OfflineTableHost(id, schema, written, listener, liveSet, clock, reads);
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  /** Returns the id of the table. */
  public TableId table() {
    return id;
  }

  /** Returns the reads of the table; they are closed with this. */
  public OfflineReads reads() {
    return reads;
  }

  /** Imports SSTables; see {@link LiveSet#importTables}. */
  public List<Descriptor> importTables(Directory source, VerificationLevel level, boolean replaces)
      throws IOException {
    return liveSet.importTables(source, level, replaces);
  }

  /** Returns what was found in the directory. */
  public RecoveryReport report() {
    return liveSet.report();
  }

  @Override
  public Set<TableId> tables() {
    return Set.of(id);
  }

  @Override
  public TableSchema schema(TableId table) {
    require(table);
    return schema;
  }

  @Override
  public LiveTables live(TableId table) {
    require(table);
    return liveSet.live();
  }

  @Override
  public Optional<Claim> claim(TableId table, Set<Descriptor> inputs) {
    require(table);
    return liveSet.claim(inputs);
  }

  @Override
  public void requireChangeable(TableId table) throws IOException {
    require(table);
    liveSet.requireChangeable();
  }

  @Override
  public Optional<CompressionDictionary> dictionary(TableId table, boolean mayTrain) {
    require(table);
    return liveSet.dictionaries().present(schema.options().compression(), mayTrain);
  }

  @Override
  public String trainDictionary(TableId table) throws IOException {
    requireChangeable(table);
    return liveSet.dictionaries().train(schema.options().compression());
  }

  private void require(TableId table) {
    if (!table.equals(id)) {
      throw new IllegalArgumentException(table + " is not the table of " + liveSet);
    }
  }

  @Override
  public FormatVersion version() {
    return version;
  }

  @Override
  public EngineListener listener() {
    return listener;
  }

  @Override
  public boolean isAutoCompactionEnabled() {
    return false;
  }

  @Override
  public void close() throws IOException {
    try (liveSet) {
      reads.close();
    }
  }

  @Override
  public String toString() {
    return liveSet.toString();
  }
}
