package io.siltstone.sstable;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.partitioner.Partitioner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a rebuild of an SSTable's components: what is known of the SSTable besides its files.
 * Immutable, safe for use by all threads.
 *
 * @param columns of the table
 * @param settings of the components that are written
 * @param partitioner of the table; null if it is not known
 * @param bases delta bases of the SSTable, if the caller knows them: without them timestamps cannot
 *     be read once {@code Statistics.db} is lost as a whole
 * @param dictionary the compression dictionary that the table keeps; null for none
 * @param isDryRun whether nothing is changed
 */
public record RebuildOptions(
    Columns columns,
    Settings settings,
    @Nullable Partitioner partitioner,
    @Nullable EncodingStats bases,
    @Nullable CompressionDictionary dictionary,
    boolean isDryRun) {

  /** Options that use the default settings and do not know the table. */
  public static final RebuildOptions DEFAULT =
      new RebuildOptions(Columns.UNKNOWN, Settings.DEFAULT, null, null, false);

  /** Creates the options of a table that keeps no compression dictionary. */
  public RebuildOptions(
      Columns columns,
      Settings settings,
      @Nullable Partitioner partitioner,
      @Nullable EncodingStats bases,
      boolean isDryRun) {
    this(columns, settings, partitioner, bases, null, isDryRun);
  }

  /**
   * The columns of a table.
   *
   * @param current types and columns as the table is defined now, whose delta bases are ignored;
   *     null if the definition is not known
   * @param dropped regular columns that were dropped, which an SSTable may still contain
   * @param droppedStatic static columns that were dropped, which an SSTable may still contain
   */
  public record Columns(
      @Nullable SerializationHeader current,
      List<HeaderColumn> dropped,
      List<HeaderColumn> droppedStatic) {
    /** The columns of a table whose definition is not known. */
    public static final Columns UNKNOWN = new Columns(null, List.of(), List.of());

    /** Copies the lists. */
    public Columns {
      dropped = List.copyOf(dropped);
      droppedStatic = List.copyOf(droppedStatic);
    }
  }

  /**
   * The settings of the components that are written.
   *
   * @param compression of the table
   * @param bloomFilterFpChance of the table, above 0 and up to 1; used if the SSTable does not
   *     record its own
   * @param minIndexInterval partitions per sample of the summary, 1 or more
   * @param columnIndexSizeBytes size of an index block
   */
  public record Settings(
      CompressionOptions compression,
      double bloomFilterFpChance,
      int minIndexInterval,
      int columnIndexSizeBytes) {
    /** The settings of a table that is created without options. */
    public static final Settings DEFAULT =
        new Settings(
            CompressionOptions.DEFAULT,
            SSTableWriterOptions.DEFAULT_BLOOM_FILTER_FP_CHANCE,
            SSTableWriterOptions.DEFAULT_MIN_INDEX_INTERVAL,
            SSTableWriterOptions.DEFAULT_COLUMN_INDEX_SIZE_BYTES);

    /** Returns a copy with another false-positive chance of the bloom filter. */
    Settings withBloomFilterFpChance(double chance) {
      return new Settings(compression, chance, minIndexInterval, columnIndexSizeBytes);
    }
  }

  /** Returns a copy that knows the delta bases of the SSTable, or not if they are null. */
  public RebuildOptions withBases(@Nullable EncodingStats other) {
    return new RebuildOptions(columns, settings, partitioner, other, dictionary, isDryRun);
  }

  /** Returns a copy with the compression dictionary that the table keeps, null for none. */
  public RebuildOptions withDictionary(@Nullable CompressionDictionary other) {
    return new RebuildOptions(columns, settings, partitioner, bases, other, isDryRun);
  }

  /** Returns a copy that changes nothing, or does. */
  public RebuildOptions withDryRun(boolean other) {
    return new RebuildOptions(columns, settings, partitioner, bases, dictionary, other);
  }
}
