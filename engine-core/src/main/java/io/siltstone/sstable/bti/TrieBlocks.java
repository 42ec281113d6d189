package io.siltstone.sstable.bti;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The index blocks of a partition in {@code Rows.db}. It has separators between blocks rather than
 * clusterings, so that readers compare the rows around the beginning of a block with what they look
 * for. Confined to one thread; allocates nothing.
 */
public final class TrieBlocks implements BlockIndex {
  private final RowTrieCursor rows;
  private int count;
  private long reads;
  private long position;

  // The current block. The cursor is at the entry after it, if it is ahead.
  private boolean isAhead;
  private long offset;
  private long end;
  private long openTimestamp;
  private long openLocalTime;
  // Whether a range tombstone may be open at its end.
  private boolean mayEndOpen;

  // The separators before and after it.
  private final ComparableBytes separator = new ComparableBytes();
  private final ComparableBytes following = new ComparableBytes();
  private final ComparableBytes compared = new ComparableBytes();

  TrieBlocks(RowTrieCursor rows) {
    this.rows = rows;
  }

  @Override
  public void openNone() {
    count = 0;
    reads = 0;
    offset = 0;
    end = 0;
    isAhead = false;
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openLocalTime = DeletionTime.NO_DELETION_TIME;
  }

  /** Moves to the blocks of the partition whose entry is at a position of {@code Rows.db}. */
  public void open(long entryPosition) throws IOException {
    openNone();
    position = entryPosition;
    rows.open(entryPosition);
    if (rows.count() > Integer.MAX_VALUE) {
      throw rows.corrupt(entryPosition, rows.count() + " blocks of a partition");
    }
    count = (int) rows.count();
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long reads() {
    return reads;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long deletionTimestamp() {
    return rows.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return rows.deletionLocalTime();
  }

  /** Makes the entry at which the cursor is the current block; it has been read. */
  private void take() {
    reads++;
    offset = rows.offset();
    openTimestamp = rows.openTimestamp();
    openLocalTime = rows.openLocalTime();
    rows.copySeparatorTo(separator);
    isAhead = false;
  }

  /** Reads where the current block ends; returns false if the cursor is after the last block. */
  private boolean readEnd() throws IOException {
    if (!rows.next()) {
      return false;
    }
    end = rows.offset();
    mayEndOpen = !DeletionTime.isLive(rows.openTimestamp());
    rows.copySeparatorTo(following);
    isAhead = true;
    return true;
  }

  @Override
  public void toFirst() throws IOException {
    rows.toFirst();
    take();
    if (!readEnd()) {
      throw rows.corrupt(position, "a partition of one block, which has no end");
    }
  }

  @Override
  public void toLast() throws IOException {
    rows.toEnd();
    end = rows.offset();
    // The last block is followed by the end of the partition, not by a row that a search could go
    // back from.
    mayEndOpen = true;
    rows.copySeparatorTo(following);
    if (!rows.previous()) {
      throw rows.corrupt(position, "a partition of no block");
    }
    take();
  }

  @Override
  public void seek(Clustering bound) throws IOException {
    rows.seek(bound);
    take();
    if (!readEnd()) {
      // A cursor cannot go back once it has found that there is no next entry.
      toLast();
    }
  }

  @Override
  public boolean skip(long blocks) throws IOException {
    for (long i = 0; i < blocks; i++) {
      if (!isAhead && !rows.next()) {
        return false;
      }
      take();
      if (!readEnd()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean previous() throws IOException {
    if (isAhead) {
      rows.previous();
      isAhead = false;
    }
    long to = offset;
    if (!rows.previous()) {
      rows.toFirst();
      return false;
    }
    mayEndOpen = !DeletionTime.isLive(openTimestamp);
    following.copyFrom(separator, separator.length());
    take();
    end = to;
    return true;
  }

  @Override
  public long ordinal() {
    return offset;
  }

  @Override
  public boolean isFirst() {
    // Only the first separator is empty.
    return separator.length() == 0;
  }

  @Override
  public String name() {
    return "the block at offset " + offset;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public boolean reaches(Clustering bound) {
    rows.encode(bound, compared);
    return compare(compared, following) < 0;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A row is taken to be as far from the ends of the block as its byte-comparable form is from
   * the separators, as numbers of eight bytes after what the separators have in common.
   */
  @Override
  public boolean isProbablyFrom(long from, Clustering bound) {
    if (mayEndOpen) {
      return false;
    }
    rows.encode(bound, compared);
    int common = ComparableBytes.commonLength(separator, following);
    double least = number(separator, common);
    double width = number(following, common) - least;
    double share = width > 0 ? (number(compared, common) - least) / width : 0;
    return share * (end - offset) >= from - offset;
  }

  /** Returns the bytes from an index on as a number of 63 bits. */
  private static long number(ComparableBytes of, int from) {
    long value = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      value = value << Byte.SIZE | (i < of.length() ? of.get(i) : 0);
    }
    return value >>> 1;
  }

  @Override
  public boolean isFollowedBy(Clustering clustering) {
    rows.encode(clustering, compared);
    return compare(following, compared) <= 0;
  }

  @Override
  public void readOpen() {
    // The entry of a block has it.
  }

  @Override
  public long openTimestamp() {
    return openTimestamp;
  }

  @Override
  public long openLocalTime() {
    return openLocalTime;
  }

  @Override
  public boolean copyLastBefore(Clustering to) {
    return false;
  }

  @Override
  public boolean hasClusterings() {
    return false;
  }

  @Override
  public void copyFirst(Clustering to) {
    throw new IllegalStateException("a trie of separators has no clusterings");
  }

  @Override
  public @Nullable String beginsWith(Clustering clustering) {
    rows.encode(clustering, compared);
    return compare(separator, compared) <= 0 && compare(compared, following) < 0
        ? null
        : "begins with a row that is not between its separators";
  }

  private static int compare(ComparableBytes left, ComparableBytes right) {
    return Arrays.compareUnsigned(left.bytes(), 0, left.length(), right.bytes(), 0, right.length());
  }

  @Override
  public @Nullable String misplaced(long ordinal, long at, Clustering clustering) {
    return null;
  }

  @Override
  public void close() {
    // The file belongs to the index.
  }
}
