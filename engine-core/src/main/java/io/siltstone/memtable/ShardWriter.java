package io.siltstone.memtable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Applies updates to a memtable shard, one at a time: adds versions and links them, so that readers
 * of older sequence numbers still find theirs. Allocates nothing on the heap once its arrays have
 * grown.
 */
final class ShardWriter {
  // A merger that has grown with a large row is not kept, as the memtable may live long.
  private static final int MOST_KEPT_BYTES = 256 << 10;

  // The approximate sizes on the heap.
  private static final int HEAP_BYTES = 256;
  private static final int HEAP_BYTES_OF_ROWS = 768;
  private static final int HEAP_BYTES_OF_MERGER = 6 << 10;

  // Each level takes two bits.
  private static final long HEIGHT_LIMIT = 1L << 50;

  private final RowEncoding encoding;
  private final boolean clustered;
  private final Arena arena;
  private final PartitionList partitions;
  private final ShardCounters counters;
  // The following are created when they are needed, since most shards of most tables are small.
  private @Nullable RowList rows;
  private @Nullable RowMerger merger;
  private RangeRuns.@Nullable Writer runWriter;
  private @Nullable RangeWalk rangeWalk;
  private @Nullable Slice everything;
  private long random;

  ShardWriter(
      RowEncoding encoding,
      Arena arena,
      PartitionList partitions,
      ShardCounters counters,
      long seed) {
    this.encoding = encoding;
    this.clustered = !encoding.header().clusteringTypes().isEmpty();
    this.arena = arena;
    this.partitions = partitions;
    this.counters = counters;
    // Spread neighboring seeds, and avoid zero, which the generator would never leave.
    this.random = (seed + 1) * 0x9e37_79b9_7f4a_7c15L;
  }

  /**
   * Applies an update.
   *
   * @param inspection that has read the update; its space is reserved
   * @param sequence number of the update, not yet published
   */
  void apply(PartitionUpdate update, UpdateInspection inspection, int sequence) throws IOException {
    int partition = partitions.findToWrite(update.key());
    if (partition == Arena.NONE) {
      partition = partitions.add(update.key(), sequence, randomHeight(PartitionList.MAX_HEIGHT));
      counters.add(ShardCounters.PARTITIONS, 1);
    }
    applyDeletions(partition, update, inspection, sequence);
    PartitionCursor cursor = update.cursor();
    cursor.nextPartition();
    while (cursor.nextUnfiltered()) {
      Unfiltered unfiltered = cursor.unfiltered();
      if (!unfiltered.isMarker() && !unfiltered.isEmpty()) {
        applyRow(partition, unfiltered, sequence);
      }
    }
    if (merger != null && merger.heldBytes() > MOST_KEPT_BYTES) {
      merger = null;
    }
  }

  /** Returns the number of bytes that it has on the heap, about. */
  long heapBytes() {
    return HEAP_BYTES
        + (rows == null ? 0 : HEAP_BYTES_OF_ROWS)
        + (merger == null ? 0 : HEAP_BYTES_OF_MERGER + merger.heldBytes());
  }

  private void applyRow(int partition, Unfiltered row, int sequence) throws IOException {
    if (row.isStatic()) {
      change(partition, PartitionList.STATIC_ROW, row, sequence);
      return;
    }
    if (!clustered) {
      change(partition, PartitionList.ROWS, row, sequence);
      return;
    }
    if (rows == null) {
      rows = new RowList(encoding);
    }
    int head = arena.getInt(partition, PartitionList.ROWS);
    int node = rows.findToWrite(arena, head, row.clustering());
    if (node != Arena.NONE) {
      change(node, RowList.NEWEST, row, sequence);
    } else {
      rows.add(arena, partition, head, row, sequence, randomHeight(Integer.SIZE));
      counters.add(ShardCounters.ROWS, 1);
    }
  }

  /** Adds a version to the chain that begins in a field of a node. */
  private void change(int node, int field, Unfiltered row, int sequence) throws IOException {
    int newest = arena.getInt(node, field);
    int base = newest;
    if (newest == Arena.NONE) {
      counters.add(ShardCounters.ROWS, 1);
    } else {
      if (merger == null) {
        merger = new RowMerger(encoding);
      }
      base = addMergeable(merger, newest, row);
      @Nullable Unfiltered merged = base == newest ? null : merger.mergeWith(row);
      if (merged != null) {
        int version = arena.tryAllocate(RowVersions.BYTES + merged.end() - merged.from());
        if (version != Arena.NONE) {
          RowVersions.write(arena, version, sequence, newest, base, merged);
          arena.putIntRelease(node, field, version);
          return;
        }
      }
      row.rewind();
    }
    int version = arena.allocate(RowVersions.BYTES + row.end() - row.from());
    RowVersions.write(arena, version, sequence, newest, newest, row);
    arena.putIntRelease(node, field, version);
  }

  /**
   * Passes versions to the merger as long as they are small, absolutely or compared to the change
   * to be merged.
   *
   * @return the first other version, NONE if there is none
   */
  private int addMergeable(RowMerger into, int newest, Unfiltered row) throws IOException {
    into.begin();
    long length = (long) row.end() - row.from();
    int version = newest;
    while (version != Arena.NONE) {
      int versionLength = RowVersions.length(arena, version);
      if (versionLength > Math.max(RowVersions.SMALL_BYTES, RowVersions.BASE_FACTOR * length)) {
        return version;
      }
      into.add(arena, version);
      length += versionLength;
      version = RowVersions.base(arena, version);
    }
    return Arena.NONE;
  }

  private void applyDeletions(
      int partition, PartitionUpdate update, UpdateInspection inspection, int sequence)
      throws IOException {
    int newest = arena.getInt(partition, PartitionList.STATE);
    long timestamp = PartitionState.timestamp(arena, newest);
    long localTime = PartitionState.localTime(arena, newest);
    boolean deletes =
        PartitionState.supersedes(
            update.deletionTimestamp(), update.deletionLocalTime(), timestamp, localTime);
    if (deletes) {
      timestamp = update.deletionTimestamp();
      localTime = update.deletionLocalTime();
    }
    int runs = PartitionState.runs(arena, newest);
    if (inspection.ranges() > 0) {
      int run = arena.allocate((int) inspection.runSpace());
      RangeRuns.Writer writer = runWriter();
      writer.begin(run, inspection.ranges(), runs);
      writeRanges(update, writer);
      runs = merged(run, timestamp, localTime);
    } else if (!deletes) {
      return;
    }
    int state = arena.allocate(PartitionState.BYTES);
    PartitionState.write(arena, state, sequence, newest, timestamp, localTime, runs);
    arena.putIntRelease(partition, PartitionList.STATE, state);
  }

  private RangeRuns.Writer runWriter() {
    if (runWriter == null) {
      runWriter = new RangeRuns.Writer(arena);
    }
    return runWriter;
  }

  private static void writeRanges(PartitionUpdate update, RangeRuns.Writer writer)
      throws IOException {
    PartitionCursor cursor = update.cursor();
    cursor.nextPartition();
    while (cursor.nextUnfiltered()) {
      Unfiltered marker = cursor.unfiltered();
      if (marker.isMarker()) {
        Clustering at = marker.clustering();
        if (at.kind().closes()) {
          writer.end(at);
        }
        if (at.kind().opens()) {
          writer.start(at, marker.openTimestamp(), marker.openLocalTime());
        }
      }
    }
  }

  /** Merges the newest runs while there are enough of one size. */
  private int merged(int newest, long timestamp, long localTime) {
    int run = newest;
    while (run != Arena.NONE) {
      int level = RangeRuns.level(arena, run);
      int count = 1;
      int rest = RangeRuns.next(arena, run);
      while (rest != Arena.NONE && RangeRuns.level(arena, rest) <= level) {
        count++;
        rest = RangeRuns.next(arena, rest);
      }
      if (count < RangeRuns.FAN_IN) {
        break;
      }
      if (rangeWalk == null) {
        rangeWalk = new RangeWalk(encoding, arena);
      }
      rangeWalk.open(arena, run, count, timestamp, localTime);
      int one = mergedRun(rangeWalk, rest);
      if (one == Arena.NONE) {
        break;
      }
      run = one;
    }
    return run;
  }

  /** Returns a new run with the ranges of the walk; NONE if there is no room for it. */
  private int mergedRun(RangeWalk walk, int rest) {
    if (everything == null) {
      everything = Slice.all(encoding);
    }
    int ranges = 0;
    long boundBytes = 0;
    walk.begin(everything, false);
    int prefix = everything.start().prefixLength();
    while (true) {
      boolean opens = !DeletionTime.isLive(walk.openTimestamp());
      if (opens) {
        ranges++;
        boundBytes += prefix;
      }
      boolean pending = walk.isPending();
      prefix = (pending ? walk.place() : everything.end()).prefixLength();
      if (opens) {
        boundBytes += prefix;
      }
      if (!pending) {
        break;
      }
      walk.pass();
    }
    if (ranges == 0) {
      return rest;
    }
    long space = RangeRuns.space(ranges, boundBytes);
    int run = space > Integer.MAX_VALUE ? Arena.NONE : arena.tryAllocate((int) space);
    if (run == Arena.NONE) {
      return Arena.NONE;
    }
    RangeRuns.Writer writer = runWriter();
    writer.begin(run, ranges, rest);
    walk.begin(everything, false);
    boolean opens = !DeletionTime.isLive(walk.openTimestamp());
    if (opens) {
      writer.start(everything.start(), walk.openTimestamp(), walk.openLocalTime());
    }
    while (walk.isPending()) {
      if (opens) {
        writer.end(walk.place());
      }
      opens = !DeletionTime.isLive(walk.nextTimestamp());
      if (opens) {
        writer.start(walk.place(), walk.nextTimestamp(), walk.nextLocalTime());
      }
      walk.pass();
    }
    if (opens) {
      writer.end(everything.end());
    }
    return run;
  }

  /** Returns a height that each level more makes four times as rare. */
  private int randomHeight(int most) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    long bits = (random * 0x9e37_79b9_7f4a_7c15L) >>> 8;
    return Math.min(most, 1 + Long.numberOfTrailingZeros(bits | HEIGHT_LIMIT) / 2);
  }
}
