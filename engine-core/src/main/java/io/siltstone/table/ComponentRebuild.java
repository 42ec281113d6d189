package io.siltstone.table;

import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.liveset.DictionaryFile;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.RebuildOptions;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableRebuild;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rebuilds damaged components of a table's SSTables by means of the table's definition. */
public final class ComponentRebuild {
  private static final Logger LOG = LoggerFactory.getLogger(ComponentRebuild.class);

  private ComponentRebuild() {}

  /**
   * Returns the options of a rebuild of SSTables of a table.
   *
   * @param directory of the SSTables, where the table keeps its compression dictionary
   * @param schema null if unknown
   */
  public static RebuildOptions options(Directory directory, @Nullable TableSchema schema) {
    RebuildOptions options = schema == null ? RebuildOptions.DEFAULT : options(schema);
    try {
      return options.withDictionary(DictionaryFile.read(directory).dictionary());
    } catch (IOException e) {
      // An SSTable may have another dictionary or none: what cannot be rebuilt is reported then.
      LOG.debug("components are rebuilt without the kept dictionary: {}", e.getMessage());
      return options;
    }
  }

  private static RebuildOptions options(TableSchema schema) {
    TableOptions options = schema.options();
    RebuildOptions.Columns columns =
        new RebuildOptions.Columns(
            RowEncoding.of(schema, EncodingStats.NONE, true).header(),
            dropped(schema, false),
            dropped(schema, true));
    RebuildOptions.Settings settings =
        new RebuildOptions.Settings(
            options.compression(),
            options.bloomFilterFpChance(),
            options.minIndexInterval(),
            SSTableWriterOptions.DEFAULT_COLUMN_INDEX_SIZE_BYTES);
    return new RebuildOptions(columns, settings, null, null, false);
  }

  private static List<HeaderColumn> dropped(TableSchema schema, boolean isStatic) {
    return schema.droppedColumns().stream()
        .map(DroppedColumn::column)
        .filter(column -> (column.kind() == ColumnKind.STATIC) == isStatic)
        .map(column -> new HeaderColumn(column.name(), column.type()))
        .toList();
  }

  /**
   * Opens an SSTable to be scrubbed. Components of a damaged one that can be derived from others
   * are rebuilt first: checksums and chunk offsets, without which sound data would be lost; and
   * components that prevent the SSTable from being opened.
   *
   * @param opening options for salvage
   */
  static SSTable open(
      Directory directory,
      Descriptor descriptor,
      SSTableOptions opening,
      RebuildOptions options,
      MemoryBudget budget)
      throws IOException {
    if (!directory.exists(descriptor.fileName(Component.DATA))) {
      // Nothing can be rebuilt without the data; this reports what is missing.
      return SSTable.open(directory, descriptor, opening, budget);
    }
    try {
      log(directory, SSTableRebuild.runForChunks(directory, descriptor, options, budget));
    } catch (CorruptSSTableException e) {
      LOG.debug("the data of {} is damaged, which the scrub reports", descriptor, e);
    }
    try {
      return SSTable.open(directory, descriptor, opening, budget);
    } catch (CorruptSSTableException e) {
      try {
        log(directory, SSTableRebuild.run(directory, descriptor, options, budget));
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
        throw e;
      }
      return SSTable.open(directory, descriptor, opening, budget);
    }
  }

  /**
   * Returns the partitioner of the SSTables in a table's directory, even if the statistics of all
   * of them are damaged.
   */
  static Partitioner partitionerOf(Directory directory, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    try {
      return DatabaseLayout.partitionerOf(directory, false);
    } catch (CorruptSSTableException e) {
      for (String name : directory.files()) {
        if (Descriptor.isComponent(name, Component.DATA)) {
          return SSTableRebuild.partitionerOf(
              directory, Descriptor.parse(directory, name), options, budget);
        }
      }
      throw e;
    }
  }

  private static void log(Directory directory, RebuildReport report) {
    for (RebuildReport.Rebuilt each : report.rebuilt()) {
      LOG.warn(
          "{}/{} was rebuilt: {}",
          directory.path(),
          report.descriptor().fileName(each.component()),
          each.reason());
    }
    report.remarks().forEach(LOG::warn);
  }
}
