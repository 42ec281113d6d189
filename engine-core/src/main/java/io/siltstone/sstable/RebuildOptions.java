package io.siltstone.sstable;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.partitioner.Partitioner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a table beside the files of an SSTable whose components are rebuilt. Immutable,
 * safe for all threads.
 *
 * @param table types and columns as the table is defined now, whose delta bases do not count; null
 *     if the definition is not known
 * @param droppedColumns regular columns that the table had before, which an SSTable may still have
 * @param droppedStaticColumns static columns that the table had before, likewise
 * @param compression of the table
 * @param bloomFilterFpChance of the table, above 0 and up to 1: used if the SSTable does not tell
 * @param minIndexInterval partitions per sample of the summary, 1 or more
 * @param columnIndexSizeBytes size of an index block
 * @param partitioner of the table; null if it is not known
 * @param bases delta bases of the SSTable, if the caller knows them: without them timestamps cannot
 *     be read once {@code Statistics.db} is lost as a whole
 * @param isDryRun whether nothing is changed
 */
public record RebuildOptions(
    @Nullable SerializationHeader table,
    List<HeaderColumn> droppedColumns,
    List<HeaderColumn> droppedStaticColumns,
    CompressionOptions compression,
    double bloomFilterFpChance,
    int minIndexInterval,
    int columnIndexSizeBytes,
    @Nullable Partitioner partitioner,
    @Nullable EncodingStats bases,
    boolean isDryRun) {

  /** Nothing is known, and the defaults are used. */
  public static final RebuildOptions DEFAULT =
      new RebuildOptions(
          null,
          List.of(),
          List.of(),
          CompressionOptions.DEFAULT,
          SSTableWriterOptions.DEFAULT_BLOOM_FILTER_FP_CHANCE,
          SSTableWriterOptions.DEFAULT_MIN_INDEX_INTERVAL,
          SSTableWriterOptions.DEFAULT_COLUMN_INDEX_SIZE_BYTES,
          null,
          null,
          false);

  /** Copies the lists. */
  public RebuildOptions {
    droppedColumns = List.copyOf(droppedColumns);
    droppedStaticColumns = List.copyOf(droppedStaticColumns);
  }

  /** Returns these options with another false-positive chance of the filter. */
  RebuildOptions withBloomFilterFpChance(double other) {
    return new RebuildOptions(
        table,
        droppedColumns,
        droppedStaticColumns,
        compression,
        other,
        minIndexInterval,
        columnIndexSizeBytes,
        partitioner,
        bases,
        isDryRun);
  }
}
