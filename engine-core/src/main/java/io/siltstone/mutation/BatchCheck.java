package io.siltstone.mutation;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.mutation.RangeDeletions.Deletion;
import io.siltstone.partitioner.Partitioner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Rejects a batch whose mutations contradict each other, by the same rules as within one mutation.
 * Only mutations of the same partition with equal timestamps can; mutations whose automatic
 * timestamps all differ are therefore not examined.
 *
 * <p>Confined to one thread.
 */
final class BatchCheck {
  private static final UUID NO_ID = new UUID(0, 0);

  private BatchCheck() {}

  /**
   * Checks a batch.
   *
   * @throws IllegalArgumentException if two mutations contradict each other; names the column and
   *     the row
   */
  static void check(List<Mutation> mutations) {
    if (mutations.size() > 1 && !haveDifferentTimestamps(mutations)) {
      Map<Mutation, List<Mutation>> partitions = new TreeMap<>(BatchCheck::comparePartitions);
      for (Mutation mutation : mutations) {
        if (!mutation.isEmpty()) {
          partitions.computeIfAbsent(mutation, first -> new ArrayList<>(1)).add(mutation);
        }
      }
      for (List<Mutation> several : partitions.values()) {
        // The encodings differ only if the table was altered between the two.
        while (several.size() > 1) {
          RowEncoding encoding = several.get(0).encoding();
          checkPartition(several.stream().filter(each -> each.encoding() == encoding).toList());
          several.removeIf(each -> each.encoding() == encoding);
        }
      }
    }
  }

  private static int comparePartitions(Mutation left, Mutation right) {
    int tables = id(left).compareTo(id(right));
    return tables != 0 ? tables : left.keyView().compareTo(right.keyView());
  }

  private static UUID id(Mutation mutation) {
    return mutation.schema().id().orElse(NO_ID);
  }

  private static boolean haveDifferentTimestamps(List<Mutation> mutations) {
    long[] timestamps = new long[mutations.size()];
    for (int i = 0; i < timestamps.length; i++) {
      if (!mutations.get(i).hasAutomaticTimestamp()) {
        return false;
      }
      timestamps[i] = mutations.get(i).automaticTimestamp();
    }
    Arrays.sort(timestamps);
    for (int i = 1; i < timestamps.length; i++) {
      if (timestamps[i - 1] == timestamps[i]) {
        return false;
      }
    }
    return true;
  }

  private static void checkPartition(List<Mutation> mutations) {
    Mutation first = mutations.get(0);
    TableColumns columns = new TableColumns(first.schema(), first.encoding());
    PartitionChanges changes = new PartitionChanges(columns);
    PartitionUpdate view = new PartitionUpdate(first.encoding());
    int number = 0;
    try {
      for (Mutation mutation : mutations) {
        mutation.wrapIn(view);
        new Reading(changes, number++).read(view);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("mutations cannot be read", e);
    }
    UpdateWriter merged = new UpdateWriter(first.encoding(), Partitioner.MURMUR3);
    merged.update().begin(first.keyView());
    changes.writeTo(merged);
  }

  /** Reads the changes of one mutation. */
  private static final class Reading {
    private final PartitionChanges changes;
    private final int operation;

    Reading(PartitionChanges changes, int operation) {
      this.changes = changes;
      this.operation = operation;
    }

    void read(PartitionUpdate update) throws IOException {
      if (!DeletionTime.isLive(update.deletionTimestamp())) {
        changes.deletePartition(
            new Deletion(update.deletionTimestamp(), update.deletionLocalTime()));
      }
      try (PartitionCursor cursor = update.cursor()) {
        cursor.nextPartition();
        while (cursor.nextUnfiltered()) {
          Unfiltered unfiltered = cursor.unfiltered();
          if (unfiltered.isMarker()) {
            readMarker(unfiltered);
          } else {
            readRow(unfiltered);
          }
        }
      }
    }

    private void readMarker(Unfiltered marker) {
      ClusteringKind kind = marker.clustering().kind();
      Deletion first = new Deletion(marker.deletionTimestamp(), marker.deletionLocalTime());
      if (kind.isBoundary()) {
        add(marker, kind.endBound(), first);
        add(
            marker,
            kind.startBound(),
            new Deletion(marker.openTimestamp(), marker.openLocalTime()));
      } else {
        add(marker, kind, first);
      }
    }

    private void add(Unfiltered marker, ClusteringKind kind, Deletion deletion) {
      Clustering bound = new Clustering();
      bound.copyFrom(marker.clustering(), kind);
      changes.ranges().add(bound, deletion);
    }

    private void readRow(Unfiltered row) throws IOException {
      RowChange change = row.isStatic() ? changes.staticRow() : rowOf(row.clustering());
      if (row.hasLiveness()) {
        change.livenessTimestamp = row.livenessTimestamp();
        change.livenessTtl = row.livenessTtl();
        change.livenessExpirationTime = row.livenessExpirationTime();
      }
      if (row.hasDeletion()) {
        change.deletionTimestamp = row.deletionTimestamp();
        change.deletionLocalTime = row.deletionLocalTime();
      }
      while (row.nextColumn()) {
        readColumn(row, change);
      }
    }

    private RowChange rowOf(Clustering clustering) {
      byte[][] values = new byte[clustering.size()][];
      for (int i = 0; i < values.length; i++) {
        int from = clustering.valueOffset(i);
        values[i] = Arrays.copyOfRange(clustering.bytes(), from, from + clustering.valueLength(i));
      }
      RowChange change = new RowChange(values);
      changes.add(change);
      return change;
    }

    private void readColumn(Unfiltered row, RowChange change) throws IOException {
      int column = row.columnIndex();
      boolean isComplex = row.isComplex();
      long deletedAt = isComplex ? row.complexDeletionTimestamp() : DeletionTime.NO_TIMESTAMP;
      long deletedLocal = isComplex ? row.complexDeletionLocalTime() : 0;
      boolean isReplaced = false;
      while (row.nextCell()) {
        // Elements that replace others are one microsecond later than the deletion.
        isReplaced |= !DeletionTime.isLive(deletedAt) && row.cellTimestamp() == deletedAt + 1;
        change.cells.add(cellOf(row, column, isComplex));
      }
      if (!DeletionTime.isLive(deletedAt)) {
        change.cells.add(
            new CellChange(
                column,
                operation,
                null,
                isReplaced ? new byte[0] : null,
                deletedAt,
                isReplaced ? deletedAt + 1 : deletedAt,
                DeletionTime.NO_TTL,
                deletedLocal));
      }
    }

    private CellChange cellOf(Unfiltered row, int column, boolean isComplex) {
      boolean isTombstone =
          row.cellLocalDeletionTime() != DeletionTime.NO_DELETION_TIME && !row.isCellExpiring();
      return new CellChange(
          column,
          operation,
          isComplex ? copy(row, row.pathOffset(), row.pathLength()) : null,
          isTombstone ? null : copy(row, row.valueOffset(), row.valueLength()),
          row.cellTimestamp(),
          row.cellTimestamp(),
          row.cellTtl(),
          row.cellLocalDeletionTime());
    }

    private static byte[] copy(Unfiltered row, int from, int length) {
      return Arrays.copyOfRange(row.bytes(), from, from + length);
    }
  }
}
