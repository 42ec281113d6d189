package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.MergeListener;
import io.siltstone.cursor.RetentionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.text.CountText;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts what passes each stage of a compaction (read, merge, garbage collection, purge, write),
 * independently of the other stages, so that a lost row or partition is detected before the commit.
 * Confined to one thread; the counters of several subcompactions are added up.
 */
final class StageCounters {
  // An odd number without a bit pattern: that of the golden ratio.
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  /** Counts of what passes between two stages, or is removed by one. */
  static final class Flow {
    long partitions;
    long rows;
    long markers;
    // Deletions of partitions and of rows.
    long deletions;
    // A sum over their timestamps, which does not depend on their order.
    long deletionTimes;
    // A sum over the hashes of partition keys, which does not depend on their order.
    long keys;

    void partition(PartitionKey key) {
      partitions++;
      keys += key.longHash();
    }

    void deletion(long timestamp) {
      deletions++;
      deletionTimes += Long.rotateLeft(timestamp, 17) * SPREAD;
    }

    /** Counts the deletion of a partition, if it has one. */
    void partitionDeletion(long timestamp) {
      if (!DeletionTime.isLive(timestamp)) {
        deletion(timestamp);
      }
    }

    /** Counts the deletion of a row, if it has one. */
    void rowDeletion(Unfiltered row) {
      if (row.hasDeletion()) {
        deletion(row.deletionTimestamp());
      }
    }

    void add(Flow other) {
      partitions += other.partitions;
      rows += other.rows;
      markers += other.markers;
      deletions += other.deletions;
      deletionTimes += other.deletionTimes;
      keys += other.keys;
    }

    void subtract(Flow other) {
      partitions -= other.partitions;
      rows -= other.rows;
      markers -= other.markers;
      deletions -= other.deletions;
      deletionTimes -= other.deletionTimes;
      keys -= other.keys;
    }

    boolean isSameAs(Flow other) {
      return partitions == other.partitions
          && rows == other.rows
          && markers == other.markers
          && deletions == other.deletions
          && deletionTimes == other.deletionTimes
          && keys == other.keys;
    }

    @Override
    public String toString() {
      return CountText.of(partitions, "partition")
          + ", "
          + CountText.of(rows, "row")
          + ", "
          + CountText.of(markers, "marker")
          + ", "
          + deletions
          + " deletions at "
          + Long.toHexString(deletionTimes)
          + ", keys "
          + Long.toHexString(keys);
    }
  }

  /** Counts what the merge has taken from its sources. */
  final Flow taken = new Flow();

  /**
   * Counts what the merge has taken and not passed on, as it became part of another row or nothing
   * was left.
   */
  final Flow merged = new Flow();

  /** Counts what lies below the retention floor of the table, and was left out. */
  final Flow belowFloor = new Flow();

  /** Counts what garbage collection has left out, as overlapping SSTables have deleted it. */
  final Flow covered = new Flow();

  /** Counts what the purge has taken from the stage before. */
  final Flow seen = new Flow();

  /** Counts what the purge has dropped. */
  final Flow purged = new Flow();

  /** Counts what the writers of the outputs have written. */
  final Flow written = new Flow();

  long tombstonesPurged;
  long tombstonesKeptForGrace;
  long tombstonesKeptForOverlap;
  long tombstonesNotPurgeable;
  long expiredCells;

  private final List<Flow> read;
  private long[] partitionsBySources = new long[2];
  private long[] rowsBySources = new long[2];

  /**
   * @param inputs the number of inputs
   */
  StageCounters(int inputs) {
    this.read = Stream.generate(Flow::new).limit(inputs).toList();
  }

  /** Returns the counts of the cursor of an input. */
  Flow read(int input) {
    return read.get(input);
  }

  /** Returns the sum over the cursors of all inputs. */
  Flow read() {
    Flow sum = new Flow();
    read.forEach(sum::add);
    return sum;
  }

  long[] partitionsBySources() {
    return partitionsBySources;
  }

  long[] rowsBySources() {
    return rowsBySources;
  }

  void add(StageCounters other) {
    for (int i = 0; i < read.size(); i++) {
      read.get(i).add(other.read.get(i));
    }
    belowFloor.add(other.belowFloor);
    covered.add(other.covered);
    taken.add(other.taken);
    merged.add(other.merged);
    seen.add(other.seen);
    purged.add(other.purged);
    written.add(other.written);
    tombstonesPurged += other.tombstonesPurged;
    tombstonesKeptForGrace += other.tombstonesKeptForGrace;
    tombstonesKeptForOverlap += other.tombstonesKeptForOverlap;
    tombstonesNotPurgeable += other.tombstonesNotPurgeable;
    expiredCells += other.expiredCells;
    partitionsBySources = sum(partitionsBySources, other.partitionsBySources);
    rowsBySources = sum(rowsBySources, other.rowsBySources);
  }

  private static long[] sum(long[] left, long[] right) {
    long[] sum = Arrays.copyOf(left, Math.max(left.length, right.length));
    for (int i = 0; i < right.length; i++) {
      sum[i] += right[i];
    }
    return sum;
  }

  /**
   * Checks that each stage has received what the one before it has passed on.
   *
   * @throws CompactionCheckException with all counts if not
   */
  void check(String what) throws CompactionCheckException {
    Flow toPurge = copy(taken);
    toPurge.subtract(merged);
    toPurge.subtract(belowFloor);
    toPurge.subtract(covered);
    Flow toWrite = copy(seen);
    toWrite.subtract(purged);
    if (!read().isSameAs(taken) || !toPurge.isSameAs(seen) || !toWrite.isSameAs(written)) {
      throw new CompactionCheckException(
          what
              + ": the counts of its stages do not agree, so nothing was changed. Read "
              + read()
              + "; taken by the merge "
              + taken
              + "; merged away "
              + merged
              + "; below the retention floor "
              + belowFloor
              + "; covered by others "
              + covered
              + "; seen by the purge "
              + seen
              + "; purged "
              + purged
              + "; written "
              + written);
    }
  }

  private static Flow copy(Flow of) {
    Flow copy = new Flow();
    copy.add(of);
    return copy;
  }

  /**
   * Returns a listener that counts for the merge.
   *
   * @param boundaryKeyCheck notified of partitions of which nothing is left
   */
  MergeListener listener(BoundaryKeyCheck boundaryKeyCheck) {
    return new MergeListener() {
      @Override
      public void partition(PartitionKey key, int sources) {
        long hash = key.longHash();
        taken.partitions += sources;
        taken.keys += sources * hash;
        merged.partitions += sources - 1;
        merged.keys += (sources - 1) * hash;
        partitionsBySources = count(partitionsBySources, sources);
      }

      @Override
      public void emptyPartition(PartitionKey key) {
        merged.partition(key);
        boundaryKeyCheck.pass(key);
      }

      @Override
      public void deletion(long timestamp, boolean isShown) {
        taken.deletion(timestamp);
        if (!isShown) {
          merged.deletion(timestamp);
        }
      }

      @Override
      public void row(int sources, boolean isShown) {
        taken.rows += sources;
        merged.rows += isShown ? sources - 1 : sources;
        rowsBySources = count(rowsBySources, sources);
      }

      @Override
      public void marker(int sources, boolean isShown) {
        taken.markers += sources;
        merged.markers += isShown ? sources - 1 : sources;
      }
    };
  }

  /**
   * Returns a listener that counts what is left out below the retention floor.
   *
   * @param boundaryKeyCheck notified of partitions of which nothing is left
   */
  RetentionCursor.Listener floorListener(BoundaryKeyCheck boundaryKeyCheck) {
    return new RetentionCursor.Listener() {
      @Override
      public void partition(PartitionKey key) {
        belowFloor.partition(key);
        boundaryKeyCheck.pass(key);
      }

      @Override
      public void row(Unfiltered row) {
        belowFloor.rows++;
        belowFloor.rowDeletion(row);
      }

      @Override
      public void markers(int count) {
        belowFloor.markers += count;
      }
    };
  }

  private static long[] count(long[] bySources, int sources) {
    long[] counts = bySources.length > sources ? bySources : Arrays.copyOf(bySources, 2 * sources);
    counts[sources]++;
    return counts;
  }
}
