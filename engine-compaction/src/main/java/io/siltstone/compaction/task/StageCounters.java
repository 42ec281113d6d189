package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.MergeListener;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What each stage of a task has counted, independently of the others. Confined to one thread;
 * tallies of several are added up.
 */
final class StageCounters {
  // Odd, with bits of no pattern: the golden ratio's.
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  /** What has passed a place between two stages, or has been taken away there. */
  static final class Flow {
    long partitions;
    long rows;
    long markers;
    // Of partitions and of rows.
    long deletions;
    // A sum over their timestamps, which does not depend on their order.
    long deletionTimes;
    // A sum over the keys of partitions, which does not depend on their order.
    long keys;

    void partition(PartitionKey key) {
      partitions++;
      keys += key.longHash();
    }

    void deletion(long timestamp) {
      deletions++;
      deletionTimes += Long.rotateLeft(timestamp, 17) * SPREAD;
    }

    /** The deletion of a partition, if it has one. */
    void partitionDeletion(long timestamp) {
      if (!DeletionTime.isLive(timestamp)) {
        deletion(timestamp);
      }
    }

    /** The deletion of a row, if it has one. */
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
      return partitions
          + " partitions, "
          + rows
          + " rows, "
          + markers
          + " markers, "
          + deletions
          + " deletions at "
          + Long.toHexString(deletionTimes)
          + ", keys "
          + Long.toHexString(keys);
    }
  }

  /** By the merge: taken from its sources. */
  final Flow taken = new Flow();

  /** By the merge: taken, and not shown, as it was part of something else or nothing was left. */
  final Flow merged = new Flow();

  /** By the filter of what SSTables outside have deleted: left out. */
  final Flow covered = new Flow();

  /** By the purge: taken from what is before it. */
  final Flow seen = new Flow();

  /** By the purge: seen, and forgotten. */
  final Flow purged = new Flow();

  /** By the outputs' writers. */
  final Flow written = new Flow();

  long tombstonesPurged;
  long tombstonesKeptForGrace;
  long tombstonesKeptForOverlap;
  long expiredCells;

  private final List<Flow> read;
  private long[] partitionsBySources = new long[2];
  private long[] rowsBySources = new long[2];

  /** Of that many inputs. */
  StageCounters(int inputs) {
    this.read = Stream.generate(Flow::new).limit(inputs).toList();
  }

  /** By the cursor of an input. */
  Flow read(int input) {
    return read.get(input);
  }

  /** By the cursors of all inputs. */
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
    covered.add(other.covered);
    taken.add(other.taken);
    merged.add(other.merged);
    seen.add(other.seen);
    purged.add(other.purged);
    written.add(other.written);
    tombstonesPurged += other.tombstonesPurged;
    tombstonesKeptForGrace += other.tombstonesKeptForGrace;
    tombstonesKeptForOverlap += other.tombstonesKeptForOverlap;
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
   * That each stage has got what the one before it has passed on, and the writers all that is left.
   *
   * @throws CompactionCheckException with the figures if not
   */
  void check(String what) throws CompactionCheckException {
    Flow toPurge = copy(taken);
    toPurge.subtract(merged);
    toPurge.subtract(covered);
    Flow toWrite = copy(seen);
    toWrite.subtract(purged);
    if (!read().isSameAs(taken) || !toPurge.isSameAs(seen) || !toWrite.isSameAs(written)) {
      throw new CompactionCheckException(
          what
              + ": the figures do not add up, so nothing was changed. Read "
              + read()
              + "; taken by the merge "
              + taken
              + "; merged away "
              + merged
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
   * What the merge tells.
   *
   * @param boundaryKeyCheck that hear of partitions of which nothing is left
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

  private static long[] count(long[] bySources, int sources) {
    long[] counts = bySources.length > sources ? bySources : Arrays.copyOf(bySources, 2 * sources);
    counts[sources]++;
    return counts;
  }
}
