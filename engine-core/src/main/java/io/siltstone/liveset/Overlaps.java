package io.siltstone.liveset;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.OverlapView;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The overlaps of a claim: the memtables and the SSTables of the current view that are not its
 * inputs.
 */
final class Overlaps implements OverlapView {
  private static final Logger LOG = LoggerFactory.getLogger(Overlaps.class);

  private final LiveSet owner;
  private final Set<SSTable> inputs;
  private final long[] hash = new long[2];
  private @Nullable View view;
  private List<SSTable> others = List.of();
  private final Set<SSTable> unreadable = new HashSet<>();
  private OverlapSweep<SSTable> sweep = sweep(others);

  Overlaps(LiveSet owner, List<SSTable> inputs) {
    this.owner = owner;
    this.inputs = new HashSet<>(inputs);
  }

  @Override
  public long minTimestamp(PartitionKey key) {
    long least = Math.min(owner.unseenMinTimestamp(), owner.memtables().minTimestamp(key, key));
    refresh();
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    List<SSTable> there = sweep.at(key);
    // Called for each partition, so no iterator is allocated.
    for (int i = 0; i < there.size(); i++) {
      SSTable table = there.get(i);
      if (least > minTimestamp(table) && mightContain(table, key)) {
        least = minTimestamp(table);
      }
    }
    return least;
  }

  /** An SSTable whose filter cannot be read might contain every key: its tombstones are kept. */
  private boolean mightContain(SSTable table, PartitionKey key) {
    if (unreadable.contains(table)) {
      return true;
    }
    try {
      return table.mightContain(key, hash[0], hash[1]);
    } catch (IOException e) {
      LOG.warn("tombstones of keys that {} may contain are kept: {}", table, e.getMessage());
      unreadable.add(table);
      return true;
    }
  }

  @Override
  public long minTimestamp(PartitionKey first, PartitionKey last, long gcBefore) {
    long least = Math.min(owner.unseenMinTimestamp(), owner.memtables().minTimestamp(first, last));
    for (SSTable table : tables(first, last)) {
      if (table.statistics().stats().maxLocalDeletionTime() >= gcBefore) {
        least = Math.min(least, minTimestamp(table));
      }
    }
    return least;
  }

  @Override
  public List<SSTable> tables(PartitionKey first, PartitionKey last) {
    refresh();
    return others.stream()
        .filter(
            table -> table.firstKey().compareTo(last) <= 0 && table.lastKey().compareTo(first) >= 0)
        .toList();
  }

  /** Returns the minimum timestamp, but never the value that means that there is no data. */
  private static long minTimestamp(SSTable table) {
    return Math.min(table.statistics().stats().minTimestamp(), Long.MAX_VALUE - 1);
  }

  private void refresh() {
    View held = view;
    if (held != null && owner.isCurrent(held)) {
      return;
    }
    release();
    View fresh = owner.acquire();
    view = fresh;
    look(fresh.byFirstKey().stream().filter(table -> !inputs.contains(table)).toList());
  }

  private void look(List<SSTable> tables) {
    others = tables;
    sweep = sweep(tables);
  }

  private static OverlapSweep<SSTable> sweep(List<SSTable> tables) {
    return new OverlapSweep<>(tables, SSTable::firstKey, SSTable::lastKey);
  }

  @Override
  public boolean isStale() {
    View held = view;
    return held != null && !owner.isCurrent(held);
  }

  @Override
  public void release() {
    View held = view;
    view = null;
    look(List.of());
    if (held != null) {
      held.release();
    }
  }
}
