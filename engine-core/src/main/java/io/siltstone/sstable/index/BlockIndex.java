package io.siltstone.sstable.index;

import io.siltstone.cursor.Clustering;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the index blocks of one partition: stretches of its rows and markers, one after the
 * other, of which one can be found by a clustering.
 *
 * <p>An index has no checksum. What the blocks say is to be compared with the data: {@link
 * #beginsWith} and {@link #misplaced} do so as far as the format allows. Confined to one thread;
 * the caller that opens it closes it. Allocates nothing.
 */
public interface BlockIndex extends Closeable {

  /** Moves to a partition without blocks. */
  void openNone();

  /** Returns the number of blocks of the partition, 0 if it has no index. */
  int count();

  /** Returns the number of blocks read since the partition was opened. */
  long reads();

  /** Returns the position of the blocks in their file; there must be blocks. */
  long position();

  /** Returns the timestamp of the partition's deletion; there must be blocks. */
  long deletionTimestamp();

  /** Returns the local deletion time that belongs to {@link #deletionTimestamp()}. */
  long deletionLocalTime();

  /** Moves to the first block. */
  void toFirst() throws IOException;

  /** Moves to the last block. */
  void toLast() throws IOException;

  /**
   * Moves to the block that has what is next to a bound: all blocks before it have only lesser rows
   * and markers, and all blocks after it only greater ones.
   */
  void seek(Clustering bound) throws IOException;

  /** Moves over a number of blocks, 1 or more; returns false if there are not so many. */
  boolean skip(long blocks) throws IOException;

  /** Moves to the block before; returns false, and does not move, if it is the first. */
  boolean previous() throws IOException;

  /** Returns a number that ascends from each block to the next, 0 or more. */
  long ordinal();

  /** Returns whether the current block is the first one. */
  boolean isFirst();

  /** Describes the current block in messages: "block 3". */
  String name();

  /** Returns the offset of the current block in bytes from the partition's beginning. */
  long offset() throws IOException;

  /**
   * Returns the offset of the end of the current block: where the next one begins, or the end of
   * the partition, with or without its end mark.
   */
  long end() throws IOException;

  /**
   * Returns whether all rows and markers up to a bound are in the current block or before it; false
   * if that is not known.
   */
  boolean reaches(Clustering bound) throws IOException;

  /**
   * Returns whether the first row after a bound probably begins in the last part of the current
   * block, so that a search may go back to it from the end of the block.
   *
   * @param offset where that part begins, from the partition's beginning
   * @return false if that is not known, or a range tombstone may be open at the end of the block
   */
  boolean isProbablyFrom(long offset, Clustering bound) throws IOException;

  /** Returns whether the next block may begin with a clustering; false if that is not known. */
  boolean isFollowedBy(Clustering clustering);

  /**
   * Reads which range tombstone is open where the current block begins, for {@link
   * #openTimestamp()}. The row or marker at the block's beginning is to be compared with {@link
   * #beginsWith} afterwards.
   */
  void readOpen() throws IOException;

  /**
   * Returns the timestamp of the range tombstone that {@link #readOpen()} has found, {@link
   * io.siltstone.cursor.DeletionTime#NO_TIMESTAMP} if none is.
   */
  long openTimestamp();

  /** Returns the local deletion time that belongs to {@link #openTimestamp()}. */
  long openLocalTime();

  /**
   * Copies the last row or marker before the current block, which {@link #readOpen()} has read;
   * returns false if there is none, or the index does not have it.
   */
  boolean copyLastBefore(Clustering to);

  /**
   * Returns whether the index has the first and last clustering of each block, by which it can be
   * compared with the data. If not, it has only separators between blocks.
   */
  boolean hasClusterings();

  /**
   * Copies the first clustering of the current block; only if the index {@link #hasClusterings}.
   */
  void copyFirst(Clustering to) throws IOException;

  /**
   * Compares a clustering with which the current block begins in the data.
   *
   * @return the reason why it cannot be that of the block; null if it can
   */
  @Nullable String beginsWith(Clustering clustering) throws IOException;

  /**
   * Compares a row or marker of the data with the end of its block.
   *
   * @param ordinal of the block that has it, or after which it is the first
   * @param offset of the row or marker, from the partition's beginning
   * @return the reason why it cannot be there; null if it can
   */
  @Nullable String misplaced(long ordinal, long offset, Clustering clustering) throws IOException;
}
