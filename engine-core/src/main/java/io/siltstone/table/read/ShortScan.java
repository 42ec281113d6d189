package io.siltstone.table.read;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scan that begins in the caches: a range of partitions of which perhaps only the first few are
 * wanted is read with pooled readers; after {@value #BROWSED_BYTES} bytes it continues with the
 * next partition as a sequential scan, whose read-ahead pays off only then.
 *
 * <p>Confined to one thread. Closing it closes the merge.
 */
public final class ShortScan implements PartitionCursor {
  private static final int BROWSED_BYTES = SequentialAccess.DEFAULT_READ_AHEAD_BYTES;

  private final MergeCursor merge;
  private final @Nullable PartitionKey to;
  private final Function<PartitionRange, List<PartitionCursor>> scans;
  private final CancelSignal cancelSignal;
  private final @Nullable KeyRangeDeletions keyRanges;
  // Bytes that are still to be read through the caches; 0 once it is a sequential scan.
  private long left = BROWSED_BYTES;
  private boolean isScan;
  private boolean ended;

  /**
   * @param merge that was begun with sources that are read through the caches; it may show more
   *     than the range
   * @param to the end of the range, exclusive; null for no end
   * @param scans opens the sources of a sequential scan of a range
   * @param cancelSignal ends steps of that merge once it has begun
   * @param keyRanges deletions of ranges of keys that the merge applies; null for none
   */
  ShortScan(
      MergeCursor merge,
      @Nullable PartitionKey to,
      Function<PartitionRange, List<PartitionCursor>> scans,
      CancelSignal cancelSignal,
      @Nullable KeyRangeDeletions keyRanges) {
    this.merge = merge;
    this.to = to;
    this.scans = scans;
    this.cancelSignal = cancelSignal;
    this.keyRanges = keyRanges;
  }

  @Override
  public RowEncoding encoding() {
    return merge.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    if (ended) {
      return false;
    }
    if (left < 0 && !isScan) {
      PartitionRange rest = new PartitionRange(merge.key().successor(), to);
      merge.close();
      merge.begin(scans.apply(rest), false, cancelSignal, keyRanges, false);
      isScan = true;
    }
    ended = !merge.nextPartition() || (!isScan && to != null && merge.key().compareTo(to) >= 0);
    if (!ended) {
      left -= merge.key().length();
    }
    return !ended;
  }

  @Override
  public PartitionKey key() {
    return merge.key();
  }

  @Override
  public long deletionTimestamp() {
    return merge.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return merge.deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (ended || !merge.nextUnfiltered()) {
      return false;
    }
    Unfiltered present = merge.unfiltered();
    left -= present.end() - present.from();
    return true;
  }

  @Override
  public Unfiltered unfiltered() {
    return merge.unfiltered();
  }

  @Override
  public void close() throws IOException {
    ended = true;
    merge.close();
  }
}
