package io.siltstone.compaction.simulate;

import io.siltstone.compaction.strategy.Split;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;

/** The live SSTables of a simulation, and the effect of merging them. Confined to one thread. */
final class LiveSample {
  private static final Comparator<SampledTable> BY_FIRST_KEY =
      Comparator.comparing(table -> table.live().firstKey());

  private final SampledTable.Scale scale;
  private final long gcGraceSeconds;
  private final boolean mayPurge;
  private final long flushBytes;
  private final Map<Descriptor, SampledTable> tables = new HashMap<>();

  // In the order of first keys; without those in added, and possibly with some that were merged.
  private List<SampledTable> byFirstKey = new ArrayList<>();
  private final List<SampledTable> added = new ArrayList<>();
  private long generation;
  private long onDiskBytes;

  /**
   * @param mayPurge false if nothing may be purged at all
   */
  LiveSample(SampledTable.Scale scale, long gcGraceSeconds, boolean mayPurge, long flushBytes) {
    this.scale = scale;
    this.gcGraceSeconds = gcGraceSeconds;
    this.mayPurge = mayPurge;
    this.flushBytes = flushBytes;
  }

  /** Returns the SSTables as a strategy sees them. */
  LiveTables described(long memtableMinTimestamp) {
    List<LiveTable> live = new ArrayList<>(size());
    tables().forEach(table -> live.add(table.live()));
    return new LiveTables(live, Partitioner.MURMUR3, memtableMinTimestamp, flushBytes);
  }

  int size() {
    return tables.size();
  }

  long onDiskBytes() {
    return onDiskBytes;
  }

  /** Returns the SSTables in the order of first keys; valid until the next change. */
  List<SampledTable> tables() {
    if (byFirstKey.size() != tables.size() || !added.isEmpty()) {
      added.removeIf(SampledTable::isGone);
      added.sort(BY_FIRST_KEY);
      List<SampledTable> all = new ArrayList<>(tables.size());
      int next = 0;
      for (SampledTable table : byFirstKey) {
        if (!table.isGone()) {
          while (next < added.size() && BY_FIRST_KEY.compare(added.get(next), table) < 0) {
            all.add(added.get(next++));
          }
          all.add(table);
        }
      }
      all.addAll(added.subList(next, added.size()));
      added.clear();
      byFirstKey = all;
    }
    return byFirstKey;
  }

  private SampledTable get(LiveTable live) {
    return Objects.requireNonNull(tables.get(live.descriptor()));
  }

  /** Returns whether all inputs are live and none is part of a job. */
  boolean areFree(List<LiveTable> inputs) {
    for (LiveTable input : inputs) {
      SampledTable table = tables.get(input.descriptor());
      if (table == null || table.live().isClaimed()) {
        return false;
      }
    }
    return true;
  }

  void claim(List<LiveTable> inputs) {
    inputs.forEach(input -> get(input).claim());
  }

  /** Adds an SSTable with these rows, which are in the order of tokens. */
  SampledTable add(SampledRows sampledRows, int level, long nowMillis) {
    SampledTable table = SampledTable.of(sampledRows, scale, ++generation, level, nowMillis);
    added.add(table);
    tables.put(table.live().descriptor(), table);
    onDiskBytes += table.live().onDiskBytes();
    return table;
  }

  private void remove(LiveTable table) {
    get(table).markGone();
    tables.remove(table.descriptor());
    onDiskBytes -= table.onDiskBytes();
  }

  /**
   * Returns the bytes that a job has to read, without fully expired SSTables that overlap only
   * newer data.
   *
   * @param nowMillis since 1970
   */
  long readBytes(List<LiveTable> inputs, boolean ignoresOverlaps, long nowMillis) {
    long bytes = 0;
    for (LiveTable input : inputs) {
      if (!isDropped(input, ignoresOverlaps, nowMillis)) {
        bytes += input.onDiskBytes();
      }
    }
    return bytes;
  }

  private boolean isDropped(LiveTable table, boolean ignoresOverlaps, long nowMillis) {
    if (!hasExpired(table, nowMillis)) {
      return false;
    }
    return ignoresOverlaps
        || others(table.firstKey().token(), table.lastKey().token(), table.maxTimestamp()).stream()
            .allMatch(other -> hasExpired(other.live(), nowMillis));
  }

  private boolean hasExpired(LiveTable table, long nowMillis) {
    return mayPurge && table.maxLocalDeletionTime() < nowMillis / 1000 - gcGraceSeconds;
  }

  /**
   * Returns the SSTables with a token in this range, both ends inclusive, and with data as old as a
   * time.
   */
  private List<SampledTable> others(long first, long last, long micros) {
    List<SampledTable> others = new ArrayList<>();
    for (SampledTable table : tables()) {
      LiveTable other = table.live();
      if (other.firstKey().token() > last) {
        break;
      }
      if (other.lastKey().token() >= first && other.minTimestamp() <= micros) {
        others.add(table);
      }
    }
    return others;
  }

  /**
   * Replaces SSTables by their merge.
   *
   * @param begunMillis when the job began, which decides what has expired
   * @return the bytes written
   */
  long merge(
      List<LiveTable> inputs,
      int level,
      Split split,
      boolean ignoresOverlaps,
      long begunMillis,
      long nowMillis) {
    PriorityQueue<SampledRows> parts =
        new PriorityQueue<>(Comparator.comparingInt(SampledRows::size));
    for (LiveTable input : inputs) {
      if (!ignoresOverlaps || !isDropped(input, true, begunMillis)) {
        parts.add(get(input).rows());
      }
    }
    while (parts.size() > 1) {
      parts.add(SampledRows.merge(parts.remove(), parts.remove()));
    }
    inputs.forEach(this::remove);
    if (parts.isEmpty()) {
      return 0;
    }
    return write(purged(parts.remove(), begunMillis), level, split, nowMillis);
  }

  /** Returns the rows without tombstones that are past gc_grace_seconds and shadow nothing. */
  private SampledRows purged(SampledRows sampledRows, long begunMillis) {
    long now = begunMillis / 1000;
    List<SampledTable> others = List.of();
    boolean hasOthers = false;
    SampledRows left = new SampledRows(sampledRows.size());
    for (int i = 0; i < sampledRows.size(); i++) {
      long deletion = scale.deletionTime(sampledRows, i);
      if (deletion == DeletionTime.NO_DELETION_TIME || deletion > now) {
        left.add(sampledRows.token(i), sampledRows.time(i), sampledRows.kind(i));
        continue;
      }
      boolean isNeeded = !mayPurge || deletion >= now - gcGraceSeconds;
      if (!isNeeded) {
        if (!hasOthers) {
          others =
              others(
                  sampledRows.token(0), sampledRows.token(sampledRows.size() - 1), Long.MAX_VALUE);
          hasOthers = true;
        }
        isNeeded = isShadowing(others, sampledRows.token(i), sampledRows.time(i));
      }
      if (isNeeded) {
        byte kind =
            sampledRows.kind(i) == SampledRows.DELETED ? SampledRows.DELETED : SampledRows.EXPIRED;
        left.add(sampledRows.token(i), sampledRows.time(i), kind);
      }
    }
    return left;
  }

  private static boolean isShadowing(List<SampledTable> others, long token, long micros) {
    for (SampledTable other : others) {
      if (other.live().firstKey().token() <= token
          && other.live().lastKey().token() >= token
          && other.live().minTimestamp() <= micros
          && other.rows().contains(token)) {
        return true;
      }
    }
    return false;
  }

  private long write(SampledRows sampledRows, int level, Split split, long nowMillis) {
    long written = 0;
    SampledRows output = new SampledRows(16);
    double bytes = 0;
    int next = 0;
    List<Long> ends = split instanceof Split.AtTokens at ? at.tokens() : List.of();
    long size = split instanceof Split.BySize by ? by.onDiskBytes() : Long.MAX_VALUE;
    for (int i = 0; i < sampledRows.size(); i++) {
      boolean isPastToken = false;
      while (next < ends.size() && sampledRows.token(i) > ends.get(next)) {
        next++;
        isPastToken = true;
      }
      if (output.size() > 0 && (isPastToken || bytes >= size)) {
        written += add(output, level, nowMillis).live().onDiskBytes();
        output = new SampledRows(output.size());
        bytes = 0;
      }
      output.add(sampledRows.token(i), sampledRows.time(i), sampledRows.kind(i));
      bytes += scale.bytes(sampledRows, i);
    }
    if (output.size() > 0) {
      written += add(output, level, nowMillis).live().onDiskBytes();
    }
    return written;
  }
}
