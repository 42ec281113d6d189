package io.siltstone.tools.compact;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * A database opened by a command, in which only the requested compaction runs, and none that the
 * strategy would start. Safe for use by all threads.
 *
 * @param database the host to delegate to
 */
record RequestOnlyHost(CompactionHost database) implements CompactionHost {
  @Override
  public Set<TableId> tables() {
    return database.tables();
  }

  @Override
  public TableSchema schema(TableId table) {
    return database.schema(table);
  }

  @Override
  public LiveTables live(TableId table) {
    return database.live(table);
  }

  @Override
  public Optional<Claim> claim(TableId table, Set<Descriptor> inputs) {
    return database.claim(table, inputs);
  }

  @Override
  public void requireChangeable(TableId table) throws IOException {
    database.requireChangeable(table);
  }

  @Override
  public Optional<CompressionDictionary> dictionary(TableId table, boolean mayTrain) {
    return database.dictionary(table, mayTrain);
  }

  @Override
  public String trainDictionary(TableId table) throws IOException {
    return database.trainDictionary(table);
  }

  @Override
  public InstantSource clock() {
    return database.clock();
  }

  @Override
  public FormatVersion version() {
    return database.version();
  }

  @Override
  public EngineListener listener() {
    return database.listener();
  }

  @Override
  public boolean isAutoCompactionEnabled() {
    return false;
  }

  @Override
  public String toString() {
    return database.toString();
  }
}
