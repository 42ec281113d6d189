package io.siltstone.spi;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import java.time.Instant;
import java.util.Optional;

/**
 * The metadata of a live SSTable by which a compaction strategy chooses its inputs. Immutable;
 * without files, so that simulations and tests can invent them.
 *
 * @param descriptor version and generation: the identity of the SSTable within the table
 * @param size bytes, partitions, rows and cells
 * @param keys first and last key
 * @param times timestamps and deletion times
 * @param level in leveled compaction
 * @param repair state of repair
 * @param writtenAt completion time of its data file, in milliseconds since 1970
 * @param compression of its data
 * @param use whether a job may take it
 */
public record LiveTable(
    Descriptor descriptor,
    Size size,
    KeySpan keys,
    Times times,
    int level,
    RepairState repair,
    long writtenAt,
    CompressionOptions compression,
    Use use) {

  /**
   * The size of an SSTable.
   *
   * @param onDiskBytes of the data file
   * @param dataBytes of the data, uncompressed
   * @param partitions approximate number
   * @param rows number, including static rows
   * @param cells approximate number, including tombstones
   */
  public record Size(long onDiskBytes, long dataBytes, long partitions, long rows, long cells) {}

  /**
   * The span of an SSTable's keys. Callers must not modify them.
   *
   * @param first key of the first partition
   * @param last key of the last partition
   */
  public record KeySpan(PartitionKey first, PartitionKey last) {

    /** Returns whether the spans have a key in common. */
    public boolean overlaps(KeySpan other) {
      return first.compareTo(other.last) <= 0 && other.first.compareTo(last) <= 0;
    }
  }

  /**
   * The ranges of an SSTable's times.
   *
   * @param minTimestamp of all cells, rows and deletions, in microseconds
   * @param maxTimestamp of the same
   * @param minLocalDeletionTime of all tombstones and expiring cells, in seconds, or {@link
   *     DeletionTime#NO_DELETION_TIME}
   * @param maxLocalDeletionTime of the same; {@link DeletionTime#NO_DELETION_TIME} if any cell is
   *     neither deleted nor expires
   * @param tombstoneTimes number of cells that are deleted or expire, by time
   * @param maxEventTime of the first clustering column, if that is a time and has a greatest value
   */
  public record Times(
      long minTimestamp,
      long maxTimestamp,
      long minLocalDeletionTime,
      long maxLocalDeletionTime,
      TombstoneHistogram tombstoneTimes,
      Optional<EventTime> maxEventTime) {

    /** Creates the times of an SSTable without an event time. */
    public Times(
        long minTimestamp,
        long maxTimestamp,
        long minLocalDeletionTime,
        long maxLocalDeletionTime,
        TombstoneHistogram tombstoneTimes) {
      this(
          minTimestamp,
          maxTimestamp,
          minLocalDeletionTime,
          maxLocalDeletionTime,
          tombstoneTimes,
          Optional.empty());
    }
  }

  /**
   * A time of the first clustering column.
   *
   * @param time in milliseconds since 1970, or in the unit of the application
   * @param isMillis whether it is in milliseconds, as the type of the column is a time; otherwise
   *     it is a number
   */
  public record EventTime(long time, boolean isMillis) {}

  /** How much of an SSTable the retention floor hides. */
  public enum Hidden {
    /** Some rows are not below the floor, or there is none. */
    NOT_ALL,
    /** All rows are below the floor, but not all static rows and deletions of partitions. */
    ROWS,
    /** All of it: the SSTable may be dropped without being read. */
    ALL
  }

  /**
   * Whether a job may take an SSTable.
   *
   * @param isClaimed whether it is part of a claim
   * @param isDamaged whether jobs have failed because it is corrupt or could not be read. A
   *     compactor sets this, a host does not know it
   * @param hidden how much of it the retention floor hides
   */
  public record Use(boolean isClaimed, boolean isDamaged, Hidden hidden) {
    /** The use of an SSTable that is neither claimed nor known to be corrupt. */
    public static final Use FREE = new Use(false, false);

    /** Creates the use of an SSTable of which no floor hides all. */
    public Use(boolean isClaimed, boolean isDamaged) {
      this(isClaimed, isDamaged, Hidden.NOT_ALL);
    }
  }

  /** Returns the metadata as users see it. */
  LiveSSTable forUsers() {
    return new LiveSSTable(
        descriptor,
        onDiskBytes(),
        dataBytes(),
        partitions(),
        rows(),
        level,
        minTimestamp(),
        maxTimestamp(),
        Instant.ofEpochMilli(writtenAt));
  }

  /** Returns a copy that is part of a claim. */
  public LiveTable claimed() {
    return with(new Use(true, isDamaged(), hidden()));
  }

  /** Returns a copy that is known to be corrupt. */
  public LiveTable damaged() {
    return with(new Use(isClaimed(), true, hidden()));
  }

  private LiveTable with(Use other) {
    return new LiveTable(
        descriptor, size, keys, times, level, repair, writtenAt, compression, other);
  }

  /** Returns the size of the data file in bytes. */
  public long onDiskBytes() {
    return size.onDiskBytes();
  }

  /** Returns the size of the uncompressed data in bytes. */
  public long dataBytes() {
    return size.dataBytes();
  }

  /** Returns the approximate number of partitions. */
  public long partitions() {
    return size.partitions();
  }

  /** Returns the number of rows. */
  public long rows() {
    return size.rows();
  }

  /** Returns the approximate number of cells. */
  public long cells() {
    return size.cells();
  }

  /** Returns the key of the first partition. */
  public PartitionKey firstKey() {
    return keys.first();
  }

  /** Returns the key of the last partition. */
  public PartitionKey lastKey() {
    return keys.last();
  }

  /** Returns the least timestamp in microseconds. */
  public long minTimestamp() {
    return times.minTimestamp();
  }

  /** Returns the greatest timestamp in microseconds. */
  public long maxTimestamp() {
    return times.maxTimestamp();
  }

  /** Returns the least local deletion time in seconds. */
  public long minLocalDeletionTime() {
    return times.minLocalDeletionTime();
  }

  /** Returns the greatest local deletion time in seconds. */
  public long maxLocalDeletionTime() {
    return times.maxLocalDeletionTime();
  }

  /** Returns the number of cells that are deleted or expire, by time. */
  public TombstoneHistogram tombstoneTimes() {
    return times.tombstoneTimes();
  }

  /** Returns whether it is part of a claim. */
  public boolean isClaimed() {
    return use.isClaimed();
  }

  /** Returns whether it is known to be corrupt. */
  public boolean isDamaged() {
    return use.isDamaged();
  }

  /** Returns how much of it the retention floor hides. */
  public Hidden hidden() {
    return use.hidden();
  }

  /** Returns the greatest time of the first clustering column, if that is a time. */
  public Optional<EventTime> maxEventTime() {
    return times.maxEventTime();
  }

  /** Returns whether a job may take it. */
  public boolean isFree() {
    return !isClaimed() && !isDamaged();
  }

  /** Returns whether it has been repaired. */
  public boolean isRepaired() {
    return repair.isRepaired();
  }

  /** Returns whether it is part of a repair that has not ended, or of a transient replica. */
  public boolean isRepairSeparated() {
    return repair.isRepairSeparated();
  }

  /** Returns whether their states of repair allow that they become one. */
  public boolean isMergeableWith(LiveTable other) {
    return repair.isMergeableWith(other.repair);
  }

  /**
   * Returns the estimated share, from 0 to 1, of cells that are deleted or expired at a time.
   *
   * @param gcBefore in seconds since 1970: now less {@code gc_grace_seconds}
   */
  public double droppableTombstoneRatio(long gcBefore) {
    return cells() == 0 ? 0 : Math.min(1, tombstoneTimes().countUpTo(gcBefore) / cells());
  }

  /** Returns whether the ranges of keys have a key in common. */
  public boolean overlaps(LiveTable other) {
    return keys.overlaps(other.keys);
  }
}
