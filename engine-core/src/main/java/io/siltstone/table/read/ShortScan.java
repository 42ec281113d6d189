package io.siltstone.table.read;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A scan that begins in the caches: a range of partitions of which perhaps only the first few are
 * wanted is read with pooled readers; after {@value #BROWSED_BYTES} bytes it continues with the
 * next partition as a sequential scan, whose read-ahead pays off only then.
 *
 * <p>Reusable, confined to one thread. Closing it closes the merge.
 */
final class ShortScan implements PartitionCursor {
  private static final int BROWSED_BYTES = SequentialAccess.DEFAULT_READ_AHEAD_BYTES;

  private final MergeCursor merge;
  private final Scans scans;
  private @Nullable PartitionKey to;
  // Bytes that are still to be read through the caches; 0 once it is a sequential scan.
  private long left;
  private boolean isScan;
  private boolean ended = true;

  /** Begins a merge of sequential scans. */
  @FunctionalInterface
  interface Scans {
    /** Begins the merge, which is closed, with the sources of a sequential scan of a range. */
    void begin(PartitionRange range) throws IOException;
  }

  /**
   * @param merge of the sources
   */
  ShortScan(MergeCursor merge, Scans scans) {
    this.merge = merge;
    this.scans = scans;
  }

  /**
   * Begins a scan. The merge has begun with sources that are read through the caches; it may show
   * more than the range.
   *
   * @param end of the range, exclusive; null for no end
   */
  void begin(@Nullable PartitionKey end) {
    to = end;
    left = BROWSED_BYTES;
    isScan = false;
    ended = false;
  }

  /** Ends the scan without closing the merge. */
  void end() {
    ended = true;
    to = null;
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
      scans.begin(rest);
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
    end();
    merge.close();
  }
}
