package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.RandomPartitions;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Reads of random tables show what a merge of all there is shows. A run can be repeated with {@code
 * -Dsiltstone.seed=N}, and enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomReadsTest {
  private static final long EPOCH_SECONDS = RandomTables.EPOCH_SECONDS;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static Read.OfPartition read(Random random, TableModel model, RowEncoding encoding) {
    Partition partition = model.partitions().get(random.nextInt(model.partitions().size()));
    List<Slice> slices = List.of(Slice.all(encoding));
    Clustering row = random.nextInt(3) == 0 ? null : anyRow(random, partition);
    if (row != null) {
      slices = List.of(Slice.of(row));
    } else if (random.nextBoolean()) {
      slices = RandomPartitions.slices(random, model, encoding, partition);
    }
    if (slices.isEmpty()) {
      slices = List.of(Slice.all(encoding));
    }
    return new Read.OfPartition(partition.key(), slices, random.nextInt(3) == 0);
  }

  private static @Nullable Clustering anyRow(Random random, Partition partition) {
    List<Clustering> rows =
        partition.items().stream()
            .map(Item::clustering)
            .filter(place -> place.kind() == ClusteringKind.CLUSTERING && place.size() > 0)
            .toList();
    return rows.isEmpty() ? null : rows.get(random.nextInt(rows.size()));
  }

  /** Before anything expires, in the midst, at the end of times. */
  private static long[] times(Random random) {
    return new long[] {
      EPOCH_SECONDS - 1, EPOCH_SECONDS + random.nextInt(2000), DeletionTime.MAX_DELETION_TIME
    };
  }

  @Test
  void readsOfPartitionsShowWhatAllSourcesTogetherSay() {
    RandomTables.each(
        leaks,
        50,
        (random, table, models) -> {
          for (int i = 0; i < 12; i++) {
            TableModel model = models.get(random.nextInt(models.size()));
            Read.OfPartition read = read(random, model, table.encoding());
            for (long now : times(random)) {
              assertThat(table.read(read, now))
                  .as("%s at %s", read, now)
                  .isEqualTo(table.readAll(read, now));
            }
          }
        });
  }

  @Test
  void snapshotsShowWhatAllSourcesTogetherSaid() {
    RandomTables.each(
        leaks,
        75,
        (random, table, models) -> {
          TableModel model = models.get(random.nextInt(models.size()));
          Read.OfPartition partition = read(random, model, table.encoding());
          Read.OfRange range = new Read.OfRange(range(random, models));
          long now = EPOCH_SECONDS + random.nextInt(2000);
          try (TableSnapshot snapshot = table.sources().snapshot()) {
            List<String> expected = table.readAll(partition, now);
            List<String> expectedRange = table.scanAll(range, now);
            disturb(table, models);
            try (PartitionCursor cursor = snapshot.open(partition)) {
              assertThat(LiveLines.of(cursor, now)).isEqualTo(expected);
            }
            try (PartitionCursor cursor = snapshot.open(range)) {
              assertThat(LiveLines.of(cursor, now)).isEqualTo(expectedRange);
            }
            try (PartitionCursor cursor = snapshot.open(new Read.OfRange(range.range(), true))) {
              assertThat(LiveLines.of(cursor, now)).isEqualTo(expectedRange);
            }
          }
        });
  }

  /** Writes more, flushes, compacts. */
  private static void disturb(TestedTable table, List<TableModel> models) throws IOException {
    RowEncoding encoding = table.encoding();
    for (TableModel model : models) {
      if (model.header().regularColumns().equals(encoding.header().regularColumns())
          && model.header().staticColumns().equals(encoding.header().staticColumns())) {
        table.write(RandomTables.later(model, 1_000_000));
      }
    }
    table.flush();
    while (!table.memtables().flushing().isEmpty()) {
      table.flush(table.memtables().flushing().get(0));
    }
    table.compact();
  }

  private static PartitionRange range(Random random, List<TableModel> models) {
    TreeSet<PartitionKey> keys = new TreeSet<>();
    models.forEach(model -> model.partitions().forEach(partition -> keys.add(partition.key())));
    List<PartitionKey> sorted = new ArrayList<>(keys);
    int from = random.nextInt(sorted.size());
    int to = from + random.nextInt(sorted.size() - from);
    return new PartitionRange(
        random.nextInt(3) == 0 ? null : sorted.get(from),
        random.nextInt(3) == 0 ? null : sorted.get(to));
  }
}
