package io.siltstone.tools.compact;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.event.EngineListener;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.liveset.DictionaryFile;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The host for a compactor that only plans: the SSTables of a database that is open for reading
 * only. None of them can be claimed. Safe for use by all threads.
 *
 * @param database closed by its owner, after the compactor
 * @param files the directory of the table
 * @param version that would be written
 * @param altered maps a table's definition to the one that it would have
 */
record ReadOnlyHost(
    Database database, Directory files, FormatVersion version, UnaryOperator<TableSchema> altered)
    implements CompactionHost {
  @Override
  public Set<TableId> tables() {
    return database.tables().stream().map(Table::id).collect(Collectors.toSet());
  }

  @Override
  public TableSchema schema(TableId table) {
    return altered.apply(named(table).schema());
  }

  @Override
  public LiveTables live(TableId table) {
    try {
      return named(table).live();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<CompressionDictionary> dictionary(TableId table, boolean mayTrain) {
    try {
      return Stream.concat(
              kept().stream(),
              live(table).tables().stream()
                  .flatMap(each -> Stream.ofNullable(each.compression().dictionary())))
          .filter(each -> version.hasCompressionDictionary())
          .max(Comparator.comparingLong(CompressionDictionary::id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<CompressionDictionary> kept() throws IOException {
    try {
      return Optional.ofNullable(DictionaryFile.read(files).dictionary());
    } catch (CorruptFileException e) {
      // No SSTable needs it, and what is written does without it.
      return Optional.empty();
    }
  }

  private Table named(TableId table) {
    return database.table(table.keyspace(), table.name());
  }

  @Override
  public Optional<Claim> claim(TableId table, Set<Descriptor> inputs) {
    return Optional.empty();
  }

  @Override
  public void requireChangeable(TableId table) {
    throw new IllegalStateException(database + " is open for reading only");
  }

  @Override
  public EngineListener listener() {
    return EngineListener.NONE;
  }

  @Override
  public String toString() {
    return database.toString();
  }
}
