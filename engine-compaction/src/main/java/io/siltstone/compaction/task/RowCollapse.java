package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges any number of versions of a row into one, 16 at a time, by the rules of a read. Confined
 * to one thread.
 */
final class RowCollapse {
  private static final int AT_ONCE = 16;

  private final RowEncoding encoding;
  private final TableEncoding table;

  RowCollapse(RowEncoding encoding) {
    this.encoding = encoding;
    this.table = new TableEncoding(encoding, List.of());
  }

  /**
   * Returns the merge of versions of a row.
   *
   * @param versions serialized, all of one clustering or all static
   * @return the serialized row; null if there are no versions or nothing is left
   */
  byte @Nullable [] collapse(PartitionKey key, List<byte[]> versions) throws IOException {
    List<byte[]> left = versions;
    while (left.size() > 1) {
      List<byte[]> fewer = new ArrayList<>();
      for (int from = 0; from < left.size(); from += AT_ONCE) {
        byte[] merged = merge(key, left.subList(from, Math.min(left.size(), from + AT_ONCE)));
        if (merged != null) {
          fewer.add(merged);
        }
      }
      left = fewer;
    }
    return left.isEmpty() ? null : left.get(0);
  }

  private byte @Nullable [] merge(PartitionKey key, List<byte[]> versions) throws IOException {
    List<PartitionCursor> cursors = new ArrayList<>();
    for (byte[] version : versions) {
      cursors.add(new OneRow(encoding, key, version));
    }
    try (MergeCursor merge = new MergeCursor(table)) {
      merge.begin(cursors, false);
      if (!merge.nextPartition() || !merge.nextUnfiltered()) {
        return null;
      }
      Unfiltered row = merge.unfiltered();
      return Arrays.copyOfRange(row.bytes(), row.from(), row.end());
    }
  }

  /** A cursor over one partition with one row. */
  private static final class OneRow implements PartitionCursor {
    private final RowEncoding encoding;
    private final PartitionKey key;
    private final Unfiltered row;
    private boolean hasBegun;
    private boolean hasShown;

    OneRow(RowEncoding encoding, PartitionKey key, byte[] bytes) throws IOException {
      this.encoding = encoding;
      this.key = key;
      this.row =
          new Unfiltered(
              encoding, (at, reason) -> new IOException("a copied row is damaged: " + reason));
      row.wrap(bytes, 0, bytes.length);
    }

    @Override
    public RowEncoding encoding() {
      return encoding;
    }

    @Override
    public boolean nextPartition() {
      boolean isFirst = !hasBegun;
      hasBegun = true;
      return isFirst;
    }

    @Override
    public PartitionKey key() {
      return key;
    }

    @Override
    public long deletionTimestamp() {
      return DeletionTime.NO_TIMESTAMP;
    }

    @Override
    public long deletionLocalTime() {
      return DeletionTime.NO_DELETION_TIME;
    }

    @Override
    public boolean nextUnfiltered() {
      boolean isFirst = !hasShown;
      hasShown = true;
      return isFirst;
    }

    @Override
    public Unfiltered unfiltered() {
      return row;
    }

    @Override
    public void close() {
      // The bytes are on the heap.
    }
  }
}
