package io.siltstone.model;

import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Merges any SSTables, by a random source, and purges nothing; sometimes it gives up before the
 * end.
 */
public final class RandomMerge {
  private RandomMerge() {}

  /** Merges some of the live SSTables of a table into one or two. */
  public static void merge(CompactionHost host, TableId table, Random random) throws IOException {
    Set<Descriptor> inputs = new HashSet<>();
    for (LiveTable live : host.live(table).tables()) {
      if (random.nextInt(3) > 0) {
        inputs.add(live.descriptor());
      }
    }
    if (inputs.isEmpty()) {
      return;
    }
    // Others may have them: then there is nothing to do.
    Optional<Claim> claimed = host.claim(table, inputs);
    if (claimed.isPresent()) {
      try (Claim claim = claimed.get()) {
        write(claim, host.schema(table), random.nextInt(3) == 0);
        if (random.nextInt(8) > 0) {
          claim.commit();
        }
      }
    }
  }

  private static void write(Claim claim, TableSchema schema, boolean inTwo) throws IOException {
    List<PartitionCursor> cursors = new ArrayList<>();
    TableEncoding encoding =
        new TableEncoding(
            RowEncoding.of(schema, EncodingStats.NONE, true), schema.droppedColumns());
    OutputHints hints = OutputHints.of(encoding.rows().header(), 10);
    try (MergeCursor merge = new MergeCursor(encoding)) {
      try {
        for (SSTable input : claim.inputs()) {
          cursors.add(input.scan());
        }
      } finally {
        merge.begin(cursors, false);
      }
      SSTableWriter writer = claim.newOutput(hints);
      while (merge.nextPartition()) {
        if (inTwo && writer.partitions() == 2) {
          writer = claim.newOutput(hints);
        }
        writer.add(merge);
      }
    }
  }
}
