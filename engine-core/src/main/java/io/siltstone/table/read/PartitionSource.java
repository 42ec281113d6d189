package io.siltstone.table.read;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One source of a {@link PartitionRead}: a cursor that stands at the partition, whose deletion and
 * first unfiltered can be inspected before it is merged.
 *
 * <p>Reusable, confined to one thread. Does not close the cursor: the {@link PartitionRead} does.
 */
final class PartitionSource implements PartitionCursor {
  private @Nullable PartitionCursor cursor;
  private boolean partitionPending;
  // Whether the first unfiltered was inspected and is still to be shown.
  private boolean peeked;
  private boolean firstPending;

  /** Takes a cursor that stands before a partition, and moves to it. */
  void begin(PartitionCursor at) throws IOException {
    cursor = at;
    partitionPending = at.nextPartition();
    peeked = false;
    firstPending = false;
  }

  private PartitionCursor cursor() {
    PartitionCursor present = cursor;
    if (present == null) {
      throw new IllegalStateException("the source is closed");
    }
    return present;
  }

  /**
   * Returns the first unfiltered that will be shown, or null if there is none. To be called once,
   * before the partition is moved to.
   */
  @Nullable Unfiltered peek() throws IOException {
    peeked = true;
    firstPending = cursor().nextUnfiltered();
    return firstPending ? cursor().unfiltered() : null;
  }

  @Override
  public RowEncoding encoding() {
    return cursor().encoding();
  }

  @Override
  public boolean nextPartition() {
    boolean first = partitionPending;
    partitionPending = false;
    return first;
  }

  @Override
  public PartitionKey key() {
    return cursor().key();
  }

  @Override
  public long deletionTimestamp() {
    return cursor().deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return cursor().deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (peeked) {
      peeked = false;
      return firstPending;
    }
    return cursor().nextUnfiltered();
  }

  @Override
  public Unfiltered unfiltered() {
    return cursor().unfiltered();
  }

  /** Releases the cursor without closing it. */
  @Override
  public void close() {
    cursor = null;
  }
}
