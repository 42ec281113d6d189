package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PathOrder;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.Murmur3Hash;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Reads a whole table and checks that its files tell the same story: checksums, order, sizes, the
 * index with its blocks, filter, summary, statistics, and every value against its type.
 *
 * <p>The first thing that is wrong is thrown as {@link CorruptSSTableException}. Memory does not
 * grow with the table. Confined to one thread.
 */
public final class SSTableVerifier {
  private final SSTable table;
  private final ClusteringComparator comparator;
  private final List<CqlType> clusteringTypes;
  private final Clustering previous = new Clustering();
  private final PathOrder pathOrder = new PathOrder();
  private final long[] hash = new long[2];
  private final StatisticsCheck statistics;
  private final EstimatedHistogram sizes;

  private long partitions;
  private long rows;
  private long staticRows;
  private long cells;
  private long markers;

  /** Of an open table, which stays open. */
  public SSTableVerifier(SSTable table) {
    this.table = table;
    this.clusteringTypes = table.header().clusteringTypes();
    this.comparator = new ClusteringComparator(clusteringTypes);
    this.statistics = new StatisticsCheck(table);
    this.sizes = table.statistics().stats().partitionSizes().emptied();
  }

  /**
   * What was read.
   *
   * @param rows without static ones
   * @param overcounted rows that the statistics count and that are not there, static ones included:
   *     Cassandra's scrub counts those of a partition that it gives up
   */
  public record Result(long partitions, long rows, long cells, long markers, long overcounted) {}

  /**
   * Checks everything.
   *
   * @param progress told the bytes of uncompressed data read so far, from time to time
   */
  public Result verify(LongConsumer progress) throws IOException {
    table.verifyDigest();
    return verifyContent(progress);
  }

  /** As {@link #verify}, but for {@code Digest.crc32}. */
  public Result verifyContent(LongConsumer progress) throws IOException {
    try (DataCursor data = table.scan();
        IndexCursor index = table.indexEntries();
        IndexBlocks blocks = table.indexBlocks()) {
      while (data.nextPartition()) {
        verifyIndexEntry(data, index);
        blocks.open(index);
        verifyPartition(data, blocks);
        sizes.add(data.position() - data.partitionPosition());
        partitions++;
        progress.accept(data.position());
      }
      if (index.next()) {
        throw table.indexCorrupt(
            index.position(), "an entry behind the last of " + partitions + " partitions");
      }
    }
    if (partitions == 0) {
      throw table.dataCorrupt(0, "there is no partition");
    }
    return new Result(partitions, rows, cells, markers, verifyStatistics());
  }

  private void verifyIndexEntry(DataCursor data, IndexCursor index) throws IOException {
    PartitionKey key = data.key();
    if (!index.next()) {
      throw table.indexCorrupt(
          table.indexLength(), "ends before " + key + ", partition " + partitions);
    }
    PartitionKey indexed = new PartitionKey();
    indexed.wrap(index.keyBytes(), index.keyOffset(), index.keyLength(), key.token());
    if (indexed.compareTo(key) != 0 || index.dataPosition() != data.partitionPosition()) {
      throw table.indexCorrupt(
          index.position(),
          "an entry for "
              + indexed
              + " at "
              + index.dataPosition()
              + ", the data has "
              + key
              + " at "
              + data.partitionPosition());
    }
    if (partitions == 0 && key.compareTo(table.firstKey()) != 0) {
      throw summaryCorrupt("says the first key is " + table.firstKey() + ", it is " + key);
    }
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!table.filter().mightContain(hash[0], hash[1])) {
      throw corrupt(Component.FILTER, "does not contain " + key);
    }
    validate(table.header().keyType(), "partition key", key.bytes(), key.offset(), key.length());
    int sample = table.summary().floorIndex(key);
    if (sample < 0 || table.summary().position(sample) > index.position()) {
      throw summaryCorrupt("has no sample at or before " + key);
    }
  }

  private void verifyPartition(DataCursor data, IndexBlocks blocks) throws IOException {
    boolean first = true;
    boolean open = false;
    int block = 0;
    long previousOffset = 0;
    long openTimestamp = DeletionTime.NO_TIMESTAMP;
    long openLocalTime = DeletionTime.NO_DELETION_TIME;
    statistics.startPartition(data);
    if (data.nextStatic()) {
      staticRows++;
      verifyCells(data.unfiltered());
      statistics.add(data.unfiltered());
    }
    if (blocks.count() > 0) {
      if (blocks.deletionTimestamp() != data.deletionTimestamp()
          || blocks.deletionLocalTime() != data.deletionLocalTime()) {
        throw table.indexCorrupt(
            blocks.position(), "the deletion of " + data.key() + " is another than in the data");
      }
      if (blocks.headerLength() != data.position() - data.partitionPosition()) {
        throw table.indexCorrupt(
            0, "header of " + data.key() + " is said to have " + blocks.headerLength() + " bytes");
      }
      blocks.read(0);
    }
    while (data.peek()) {
      data.read();
      Unfiltered unfiltered = data.unfiltered();
      Clustering clustering = unfiltered.clustering();
      long offset = data.unfilteredPosition() - data.partitionPosition();
      if (!first && comparator.compare(previous, clustering) >= 0) {
        throw table.dataCorrupt(
            data.unfilteredPosition(), "rows of " + data.key() + " are out of order");
      }
      if (unfiltered.previousSize() != offset - previousOffset) {
        throw table.dataCorrupt(
            data.unfilteredPosition(),
            "the size before is said to be "
                + unfiltered.previousSize()
                + ", it is "
                + (offset - previousOffset));
      }
      if (unfiltered.isMarker()) {
        markers++;
        boolean closes = clustering.kind().closes();
        if (closes != open || (open && unfiltered.deletionTimestamp() != openTimestamp)) {
          throw table.dataCorrupt(
              data.unfilteredPosition(),
              "a " + clustering.kind() + (open ? " within a range" : " outside of a range"));
        }
        open = clustering.kind().opens();
        openTimestamp = open ? unfiltered.openTimestamp() : DeletionTime.NO_TIMESTAMP;
        openLocalTime = open ? unfiltered.openLocalTime() : DeletionTime.NO_DELETION_TIME;
      } else {
        rows++;
        verifyCells(unfiltered);
      }
      verifyClustering(clustering);
      statistics.add(unfiltered);
      if (blocks.count() > 0) {
        block = verifyBlock(data, blocks, block, offset, openTimestamp, openLocalTime);
      }
      previous.copyFrom(clustering);
      previousOffset = offset;
      first = false;
    }
    if (open) {
      throw table.dataCorrupt(
          data.partitionPosition(), "a range tombstone of " + data.key() + " has no end");
    }
    if (block != blocks.count()) {
      throw table.indexCorrupt(
          0, blocks.count() + " blocks of " + data.key() + ", its rows fill " + block);
    }
  }

  /** Compares an unfiltered with the block it should lie in; returns the block of the next. */
  private int verifyBlock(
      DataCursor data,
      IndexBlocks blocks,
      int block,
      long offset,
      long openTimestamp,
      long openLocalTime)
      throws IOException {
    if (block >= blocks.count()) {
      throw table.indexCorrupt(0, "rows of " + data.key() + " behind its last block");
    }
    blocks.read(block);
    Clustering clustering = data.unfiltered().clustering();
    if (offset == blocks.offset() && comparator.compare(clustering, blocks.first()) != 0) {
      throw table.indexCorrupt(
          0, "block " + block + " of " + data.key() + " begins with another row");
    }
    long end = data.position() - data.partitionPosition();
    long blockEnd = blocks.offset() + blocks.width();
    if (block == blocks.count() - 1 && end == blockEnd - 1) {
      // The partition's end mark belongs to a last block that is not full.
      end = blockEnd;
    }
    if (offset < blocks.offset() || end > blockEnd) {
      throw table.indexCorrupt(
          0, "block " + block + " of " + data.key() + " begins or ends within a row");
    }
    if (end < blockEnd) {
      return block;
    }
    if (comparator.compare(clustering, blocks.last()) != 0
        || blocks.openTimestamp() != openTimestamp
        || !DeletionTimes.isSame(
            table.descriptor().version(), openLocalTime, blocks.openLocalTime())) {
      throw table.indexCorrupt(
          0, "block " + block + " of " + data.key() + " ends with another row or deletion");
    }
    return block + 1;
  }

  private void verifyClustering(Clustering clustering) throws IOException {
    for (int i = 0; i < clustering.size(); i++) {
      if (clustering.valueLength(i) != Clustering.NULL) {
        validate(
            clusteringTypes.get(i),
            "clustering column " + i,
            clustering.bytes(),
            clustering.valueOffset(i),
            clustering.valueLength(i));
      }
    }
  }

  private void verifyCells(Unfiltered row) throws IOException {
    while (row.nextColumn()) {
      HeaderColumn column = row.column();
      pathOrder.begin();
      while (row.nextCell()) {
        cells++;
        CqlType type = column.type();
        if (row.isComplex()) {
          validate(type.pathType(), column.name(), row.bytes(), row.pathOffset(), row.pathLength());
          pathOrder.check(row);
          type = type.cellType(row.bytes(), row.pathOffset(), row.pathLength());
        }
        if (!row.isCellTombstone()) {
          validate(type, column.name(), row.bytes(), row.valueOffset(), row.valueLength());
        }
      }
    }
  }

  private void validate(CqlType type, String what, byte[] bytes, int offset, int length)
      throws IOException {
    try {
      type.validate(bytes, offset, length);
    } catch (IllegalArgumentException e) {
      throw table.dataCorrupt(
          0, what + " of partition " + partitions + " is no " + type + ": " + e.getMessage());
    }
  }

  /**
   * Returns how many rows too many are counted. That none is lost from the data is told by the
   * sizes of the partitions, which are counted when a partition is complete.
   */
  private long verifyStatistics() throws IOException {
    StatsMetadata stats = table.statistics().stats();
    long overcounted = stats.totalRows() - (rows + staticRows);
    if (overcounted < 0 || (overcounted > 0 && !sizes.equals(stats.partitionSizes()))) {
      throw corrupt(
          Component.STATISTICS,
          "says there are " + stats.totalRows() + " rows, there are " + (rows + staticRows));
    }
    return overcounted;
  }

  private CorruptSSTableException summaryCorrupt(String reason) {
    return corrupt(Component.SUMMARY, reason);
  }

  private CorruptSSTableException corrupt(Component component, String reason) {
    return new CorruptSSTableException(
        table.directory().path() + "/" + table.descriptor().fileName(component),
        component,
        io.siltstone.io.CorruptFileException.WHOLE_FILE,
        reason);
  }
}
