package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.ConflictRules;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.LaterRows;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Reconciler;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows the sorted records of an arena as partitions: each row once, reconciled with its other
 * versions. Rows that a deletion of their partition covers are shown, too; the merge that reads
 * this cursor leaves them out. Nothing is allocated per record.
 */
final class ArenaCursor implements PartitionCursor {
  // The number of versions of a row that are reconciled at a time.
  private static final int BATCH = 16;

  private final RecordArena arena;
  private final int clusteringColumns;
  private final RowEncoding encoding;
  private final Reconciler reconciler;
  private final @Nullable LaterRows laterRows;
  // One more than are reconciled, since the result may be one of the versions.
  private final Unfiltered[] views = new Unfiltered[BATCH + 1];
  private final Unfiltered[] versions = new Unfiltered[BATCH];
  private final PartitionKey key = new PartitionKey();

  // The index of the record after the present one.
  private int index;
  private int partitionFirst = -1;
  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  private Unfiltered unfiltered;
  private byte[] rowBytes = {};
  private int rowFrom;
  private int rowTo;

  /**
   * @param arena sorted, and not changed while this is used
   * @param laterRows merges the versions of a row in the order in which they were added; null to
   *     reconcile them by their timestamps
   */
  ArenaCursor(
      RecordArena arena, RecordOrder order, RowEncoding encoding, @Nullable LaterRows laterRows) {
    this.arena = arena;
    this.clusteringColumns = order.clusteringColumns();
    this.encoding = encoding;
    this.laterRows = laterRows;
    this.reconciler = new Reconciler(new TableEncoding(encoding, List.of()));
    for (int i = 0; i < views.length; i++) {
      views[i] =
          new Unfiltered(
              encoding, (at, reason) -> new IOException("a row of " + key + ": " + reason));
    }
    this.unfiltered = views[0];
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  @Override
  public boolean nextPartition() {
    if (partitionFirst >= 0) {
      while (isInPartition()) {
        index++;
      }
    }
    if (index == arena.count()) {
      return false;
    }
    partitionFirst = index;
    byte[] bytes = arena.bytesOf(index);
    int record = arena.fromOf(index);
    key.copyFrom(
        bytes,
        record + RecordFormat.KEY_AT,
        RecordFormat.keyLength(bytes, record),
        arena.token(index));
    readDeletions();
    return true;
  }

  private boolean isInPartition() {
    return index < arena.count()
        && (index == partitionFirst || arena.isSamePartition(partitionFirst, index));
  }

  /** Moves past the deletions of the partition, which come first. */
  private void readDeletions() {
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    while (isInPartition()) {
      byte[] bytes = arena.bytesOf(index);
      int record = arena.fromOf(index);
      if (RecordFormat.kind(bytes, record) != RecordFormat.DELETION) {
        return;
      }
      int at = RecordFormat.contentFrom(bytes, record, clusteringColumns);
      long timestamp = BigEndian.getLong(bytes, at);
      long localTime = BigEndian.getLong(bytes, at + Long.BYTES);
      if (DeletionTime.isLive(deletionTimestamp)
          || ConflictRules.deletionSupersedes(
              timestamp, localTime, deletionTimestamp, deletionLocalTime)) {
        deletionTimestamp = timestamp;
        deletionLocalTime = localTime;
      }
      index++;
    }
  }

  @Override
  public PartitionKey key() {
    return key;
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    while (isInPartition()) {
      if (!isRepeated()) {
        unfiltered = views[0];
        wrap(unfiltered);
        return true;
      }
      Unfiltered merged = merge();
      if (merged != null) {
        unfiltered = merged;
        return true;
      }
    }
    return false;
  }

  /**
   * Moves to the next row, as {@link #nextUnfiltered}, but shows its bytes only: a row that was
   * added once is not parsed.
   */
  boolean nextRow() throws IOException {
    while (isInPartition()) {
      if (!isRepeated()) {
        byte[] bytes = arena.bytesOf(index);
        int record = arena.fromOf(index);
        rowBytes = bytes;
        rowFrom = RecordFormat.contentFrom(bytes, record, clusteringColumns);
        rowTo = record + RecordFormat.length(bytes, record);
        index++;
        return true;
      }
      Unfiltered merged = merge();
      if (merged != null) {
        rowBytes = merged.bytes();
        rowFrom = merged.from();
        rowTo = merged.end();
        return true;
      }
    }
    return false;
  }

  /** Returns the array that contains the row of {@link #nextRow}. */
  byte[] rowBytes() {
    return rowBytes;
  }

  /** Returns the index in {@link #rowBytes()} of the row. */
  int rowFrom() {
    return rowFrom;
  }

  /** Returns the index in {@link #rowBytes()} after the row. */
  int rowTo() {
    return rowTo;
  }

  /** Returns whether the next record is of the same row as the record after it. */
  private boolean isRepeated() {
    return index + 1 < arena.count() && arena.isEqual(index, index + 1);
  }

  /** Points a view at the next record, and moves past it. */
  private void wrap(Unfiltered view) throws IOException {
    byte[] bytes = arena.bytesOf(index);
    int record = arena.fromOf(index);
    view.wrap(
        bytes,
        RecordFormat.contentFrom(bytes, record, clusteringColumns),
        record + RecordFormat.length(bytes, record));
    index++;
  }

  /** Merges all versions of the next row; null if nothing remains. */
  private @Nullable Unfiltered merge() throws IOException {
    @Nullable Unfiltered merged = null;
    boolean more = true;
    while (more) {
      int count = 0;
      if (merged != null) {
        versions[count++] = merged;
      }
      for (int view = 0; more && count < BATCH; view++) {
        if (views[view] != merged) {
          more = isRepeated();
          wrap(views[view]);
          versions[count++] = views[view];
        }
      }
      merged =
          laterRows != null
              ? laterRows.merge(versions, count)
              : reconciler.reconcile(
                  versions, count, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
    }
    return merged;
  }

  @Override
  public Unfiltered unfiltered() {
    return unfiltered;
  }

  @Override
  public void close() {
    // The arena is released by its owner.
  }
}
