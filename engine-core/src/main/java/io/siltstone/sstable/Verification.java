package io.siltstone.sstable;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.function.LongConsumer;

/** One run of {@link SSTableVerifier} over an SSTable, with cursors before the first partition. */
final class Verification {
  private final SSTable table;
  private final DataCursor data;
  private final IndexVerification index;
  private final PreviousSizes sizesBefore;
  private final OpenRange openRange = new OpenRange();
  private final ValueCheck values;
  private final StatisticsCheck statistics;
  private final EstimatedHistogram sizes;
  private final long[] hash = new long[2];

  private long partitions;
  private long rows;
  private long staticRows;
  private long markers;

  Verification(SSTable table, DataCursor data, IndexVerification index) throws IOException {
    this.table = table;
    this.data = data;
    this.index = index;
    this.sizesBefore = new PreviousSizes(table, data);
    this.values = new ValueCheck(table, data);
    this.statistics = new StatisticsCheck(table);
    this.sizes = table.statistics().stats().partitionSizes().emptied();
  }

  SSTableVerifier.Result run(LongConsumer progress) throws IOException {
    while (data.nextPartition()) {
      verifyIndexEntry();
      verifyPartition();
      sizes.add(data.position() - data.partitionPosition());
      partitions++;
      progress.accept(data.position());
    }
    if (index.next()) {
      throw index.corrupt("an entry after the last of " + CountText.of(partitions, "partition"));
    }
    if (partitions == 0) {
      throw table.dataCorrupt(0, "there is no partition");
    }
    index.end(partitions);
    return new SSTableVerifier.Result(
        partitions, rows, values.cells(), markers, verifyStatistics());
  }

  private void verifyIndexEntry() throws IOException {
    PartitionKey key = data.key();
    if (!index.next()) {
      throw index.corrupt("ends before " + key + ", partition " + partitions);
    }
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    index.verify(key, data.partitionPosition(), hash[1]);
    if (partitions == 0 && key.compareTo(table.firstKey()) != 0) {
      throw corrupt(
          table.descriptor().version().hasTrieIndex() ? Component.PARTITIONS : Component.SUMMARY,
          "says the first key is " + table.firstKey() + ", it is " + key);
    }
    if (!table.filter().mightContain(hash[0], hash[1])) {
      throw corrupt(Component.FILTER, "does not contain " + key);
    }
    values.verifyKey(partitions);
  }

  private void verifyPartition() throws IOException {
    statistics.startPartition(data);
    sizesBefore.startPartition();
    openRange.startPartition();
    if (data.nextStatic()) {
      staticRows++;
      values.verifyCells();
      statistics.add(data.unfiltered());
    }
    index.startRows(data);
    while (data.peek()) {
      data.read();
      verifyUnfiltered(data.unfiltered());
    }
    index.endPartition(data);
  }

  private void verifyUnfiltered(Unfiltered unfiltered) throws IOException {
    sizesBefore.verify();
    if (unfiltered.isMarker()) {
      markers++;
      openRange.pass(unfiltered);
    } else {
      rows++;
      values.verifyCells();
    }
    values.verifyClustering();
    statistics.add(unfiltered);
    index.verifyRow(data, openRange);
  }

  /**
   * Returns the number of rows that the statistics count and the data does not have. Rows that are
   * lost from the data would be detected by the sizes of the partitions, which are counted when a
   * partition is complete.
   */
  private long verifyStatistics() throws IOException {
    StatsMetadata stats = table.statistics().stats();
    long overcounted = stats.totalRows() - (rows + staticRows);
    if (overcounted < 0 || (overcounted > 0 && !sizes.equals(stats.partitionSizes()))) {
      throw corrupt(
          Component.STATISTICS,
          "counts "
              + CountText.of(stats.totalRows(), "row")
              + ", there are "
              + (rows + staticRows));
    }
    return overcounted;
  }

  private CorruptSSTableException corrupt(Component component, String reason) {
    return table.corrupt(component, CorruptFileException.WHOLE_FILE, reason);
  }
}
