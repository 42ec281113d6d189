package io.siltstone.tools.inspect;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.TombstoneHistogram;

/** Makes up the metadata of SSTables. */
final class MadeTables {
  private MadeTables() {}

  static LiveTable of(int number, long firstToken, long lastToken, long bytes) {
    return new LiveTable(
        Descriptor.parse("oa-" + (number + 1) + "-big-Data.db"),
        new LiveTable.Size(bytes, 2 * bytes, 100, 100, 100),
        new LiveTable.KeySpan(
            PartitionKey.of(new byte[] {1}, firstToken),
            PartitionKey.of(new byte[] {1}, lastToken)),
        new LiveTable.Times(
            0,
            1,
            DeletionTime.NO_DELETION_TIME,
            DeletionTime.NO_DELETION_TIME,
            TombstoneHistogram.empty()),
        0,
        RepairState.UNREPAIRED,
        0,
        CompressionOptions.DEFAULT,
        LiveTable.Use.FREE);
  }
}
