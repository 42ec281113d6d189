package io.siltstone.tools.inspect;

import io.siltstone.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What advice follows from.
 *
 * @param name of the table
 * @param schema with its present options
 * @param sstables how many
 * @param onDiskBytes of the data files
 * @param dataBytes uncompressed
 * @param otherSSTables of them that are compressed in another way than the schema says
 * @param otherBytes of the data files of those
 * @param partitions in all SSTables, those in several counted several times
 * @param medianPartitionBytes uncompressed, within one SSTable
 * @param largePartitionBytes that 95 % of the partitions do not reach
 * @param largestPartitionBytes about
 * @param rows in all SSTables
 * @param sampledBytes of data that was compressed to try chunk lengths
 * @param chunkLengths that were tried, ascending; the present one among them
 * @param sampledKeys that were looked at in all SSTables
 * @param sstablesPerRead that have such a key, on average
 * @param maxSSTablesPerRead that have one of them, at most
 * @param shadowed share of their cells that newer ones or deletions have taken the place of
 * @param tombstones share of what is found of them that are deletions
 * @param droppable share of all cells that have been deleted or expired for gc_grace_seconds
 * @param timeClustering name of the first clustering column if it is a time, else empty
 * @param timeOrder share of neighbouring rows that were written in the order of that column; NaN if
 *     it cannot be told
 * @param partitionSpan share of the table's time of writing that a sampled partition's rows span,
 *     on average
 * @param ttlSeconds greatest time to live, if everything expires; else 0
 * @param spanSeconds from the oldest write to the newest
 * @param debtBytes that the strategy would have to merge before there is nothing left to do, even
 *     if compaction is turned off
 * @param flushBytes of one flush, about
 * @param traffic how the table is used; null if that is not known
 */
record TableFacts(
    String name,
    TableSchema schema,
    int sstables,
    long onDiskBytes,
    long dataBytes,
    int otherSSTables,
    long otherBytes,
    long partitions,
    long medianPartitionBytes,
    long largePartitionBytes,
    long largestPartitionBytes,
    long rows,
    long sampledBytes,
    List<ChunkFigures> chunkLengths,
    int sampledKeys,
    double sstablesPerRead,
    int maxSSTablesPerRead,
    double shadowed,
    double tombstones,
    double droppable,
    String timeClustering,
    double timeOrder,
    double partitionSpan,
    long ttlSeconds,
    long spanSeconds,
    long debtBytes,
    long flushBytes,
    @Nullable Traffic traffic) {

  /** The option of compaction that turns it off. */
  static final String ENABLED = "enabled";

  TableFacts {
    chunkLengths = List.copyOf(chunkLengths);
  }

  /** The strategy's simple name. */
  String strategy() {
    String full = schema.options().compactionStrategy();
    return full.substring(full.lastIndexOf('.') + 1);
  }

  /** Whether anything is compacted unasked. */
  boolean isCompacted() {
    return !"false".equalsIgnoreCase(schema.options().compaction().get(ENABLED));
  }

  /** SSTables that have what is read: of the reads there were, else of the sampled keys. */
  double perRead() {
    return traffic != null && traffic.hasReads() ? traffic.sstablesPerRead() : sstablesPerRead;
  }

  boolean isCompressed() {
    return schema.options().compression().isEnabled();
  }

  /** The figures of a chunk length that was tried. */
  ChunkFigures with(int chunkBytes) {
    return chunkLengths.stream()
        .filter(each -> each.chunkBytes() == chunkBytes)
        .findFirst()
        .orElseThrow();
  }

  /** The figures of the present chunk length. */
  ChunkFigures present() {
    return with(schema.options().compression().chunkLengthBytes());
  }

  /** Bytes of a partition that a read of a row has to look at, in one SSTable. */
  static long touchedBytes(long medianPartitionBytes) {
    return Math.max(1, Math.min(medianPartitionBytes, INDEX_BLOCK_BYTES));
  }

  /** Rows of a larger partition are found by blocks of that many bytes. */
  static final int INDEX_BLOCK_BYTES = 16 * 1024;
}
