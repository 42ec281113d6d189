package io.siltstone.table.read;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.liveset.View;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.Split;
import io.siltstone.sstable.IndexStretches;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.index.PartitionSample;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides a table into splits of about the same number of bytes, by the indexes of its SSTables and
 * samples of its memtables. An example, of splits of 100 bytes; SSTable X has a partition 5 of 250
 * bytes:
 *
 * <pre>
 *   X:  1..2 60 bytes    3..4 30 bytes    5 250 bytes    6..9 40 bytes
 *   Y:  1..3 40 bytes    4..9 50 bytes
 *
 *   partitions before 3             100 bytes
 *   partitions from 3 before 5       80 bytes
 *   rows of 5, three splits          83 bytes each, cut where index blocks begin
 *   partitions after 5               40 bytes
 * </pre>
 *
 * A stretch counts as if it lay where it begins, so that a split is wrong by a stretch of each
 * SSTable at most. Confined to one thread, for one use.
 */
final class TableSplits {
  // More make splits more even, and cost more reads of the index.
  private static final int STRETCHES_PER_SPLIT = 8;

  /** The SSTables that are assumed to share a partition, as far as it decides about its size. */
  private static final int MOST_SHARING = 16;

  private final ReadSources of;
  private final List<MemtableSnapshot> memtables;
  private final View view;
  private final long splitBytes;
  private final long stretchBytes;
  private final List<Split> splits = new ArrayList<>();
  private @Nullable PartitionKey from;
  private long bytes;

  /**
   * Partitions of one source, from a key up to the next stretch.
   *
   * @param isPartition whether it is a single one, which is large
   */
  private record Stretch(PartitionKey key, long bytes, boolean isPartition) {}

  /**
   * @param splitBytes the size of a split before compression, at least 1
   */
  TableSplits(ReadSources of, List<MemtableSnapshot> memtables, View view, long splitBytes) {
    this.of = of;
    this.memtables = memtables;
    this.view = view;
    this.splitBytes = splitBytes;
    int sharing = Math.max(1, Math.min(MOST_SHARING, view.byFirstKey().size()));
    this.stretchBytes = Math.max(1, splitBytes / STRETCHES_PER_SPLIT / sharing);
  }

  /** Returns the splits, in the order of partitions and rows; at least one. */
  List<Split> divide() throws IOException {
    List<Stretch> stretches = stretches();
    int next = 0;
    while (next < stretches.size()) {
      PartitionKey key = stretches.get(next).key();
      long ofPartition = 0;
      long others = 0;
      while (next < stretches.size() && stretches.get(next).key().equals(key)) {
        Stretch stretch = stretches.get(next++);
        ofPartition += stretch.isPartition() ? stretch.bytes() : 0;
        others += stretch.isPartition() ? 0 : stretch.bytes();
      }
      if (ofPartition > splitBytes) {
        endBefore(key);
        addRows(key);
        from = key.successor();
        bytes = others;
      } else {
        long here = ofPartition + others;
        if (bytes > 0 && bytes + here / 2 >= splitBytes) {
          endBefore(key);
        }
        bytes += here;
      }
    }
    splits.add(new Split(new PartitionRange(from, null), List.of(), List.of(), bytes));
    return List.copyOf(splits);
  }

  private List<Stretch> stretches() throws IOException {
    List<Stretch> stretches = new ArrayList<>();
    for (SSTable table : view.byFirstKey()) {
      List<PartitionSample> begins = IndexStretches.ofPartitions(table, stretchBytes);
      for (int i = 0; i < begins.size(); i++) {
        long end = i + 1 < begins.size() ? begins.get(i + 1).dataPosition() : table.dataLength();
        PartitionSample begin = begins.get(i);
        long size = end - begin.dataPosition();
        stretches.add(new Stretch(begin.key(), size, size > stretchBytes));
      }
    }
    for (MemtableSnapshot snapshot : memtables) {
      List<PartitionKey> samples = MemtableSamples.of(snapshot.memtable(), PartitionRange.ALL);
      long size = snapshot.memtable().statistics().dataBytes() / (samples.size() + 1);
      stretches.add(new Stretch(MemtableSamples.LEAST, size, false));
      samples.forEach(sample -> stretches.add(new Stretch(sample, size, false)));
    }
    stretches.sort(Comparator.comparing(Stretch::key));
    return stretches;
  }

  private void endBefore(PartitionKey key) {
    if (from == null || from.compareTo(key) < 0) {
      splits.add(new Split(new PartitionRange(from, key), List.of(), List.of(), bytes));
      from = key;
      bytes = 0;
    }
  }

  /** Adds the splits of a partition. */
  private void addRows(PartitionKey key) throws IOException {
    ClusteringComparator order = new ClusteringComparator(of.schema().clusteringTypes());
    List<IndexStretches.Rows> stretches = new ArrayList<>();
    for (SSTable table : view.byFirstKey()) {
      stretches.addAll(IndexStretches.ofRows(table, key, stretchBytes));
    }
    stretches.sort(Comparator.comparing(IndexStretches.Rows::first, order));
    PartitionRange partition = new PartitionRange(key, key.successor());
    List<Object> fromRow = List.of();
    Clustering cut = null;
    long size = 0;
    for (IndexStretches.Rows rows : stretches) {
      if (size > 0 && size + rows.bytes() / 2 >= splitBytes) {
        List<Object> values = values(rows.first());
        Clustering here = startOf(rows.first(), values.size());
        if (!values.isEmpty() && (cut == null || order.compare(cut, here) < 0)) {
          splits.add(new Split(partition, fromRow, values, size));
          fromRow = values;
          cut = here;
          size = 0;
        }
      }
      size += rows.bytes();
    }
    splits.add(new Split(partition, fromRow, List.of(), size));
  }

  /** Returns the values of a clustering up to the first that is null or empty. */
  private List<Object> values(Clustering clustering) {
    List<CqlType> types = of.schema().clusteringTypes();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < clustering.size(); i++) {
      Object value =
          clustering.valueLength(i) <= 0
              ? null
              : types
                  .get(i)
                  .decode(clustering.bytes(), clustering.valueOffset(i), clustering.valueLength(i));
      if (value == null) {
        break;
      }
      values.add(value);
    }
    return values;
  }

  /** Returns the place before all rows that begin with the first values of a clustering. */
  private Clustering startOf(Clustering clustering, int count) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = clustering.valueOffset(i);
      values.add(Arrays.copyOfRange(clustering.bytes(), at, at + clustering.valueLength(i)));
    }
    return Clustering.of(ClusteringKind.INCL_START_BOUND, of.encoding().rows(), values);
  }
}
