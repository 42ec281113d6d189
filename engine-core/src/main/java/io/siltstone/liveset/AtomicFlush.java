package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.io.InDoubtException;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One atomic flush of memtables of several tables: a transaction for each memtable, all of which
 * happen or none. {@link AtomicFlushes} explains how.
 *
 * <p>Confined to one thread. The caller excludes other flushes of the tables, closes each claim,
 * and then the flush.
 */
public final class AtomicFlush implements Closeable {
  private final AtomicFlushes flushes;
  private final List<PublishedOutputs> parts = new ArrayList<>();
  private boolean isDecided;

  AtomicFlush(AtomicFlushes flushes) {
    this.flushes = flushes;
  }

  /**
   * Begins the flush of one memtable, as {@link LiveSet#beginFlush}. The commit of the claim
   * completes and names the files; they become live with {@link #commit}.
   */
  public Claim begin(
      LiveSet liveSet, CommitLogIntervals intervals, @Nullable KeyRangeDeletions keyRanges) {
    return liveSet.beginFlush(intervals, keyRanges, parts::add);
  }

  /**
   * Commits all claims that were committed, each of which is closed.
   *
   * @throws InDoubtException if it is unknown whether they are committed; then all further changes
   *     of the tables are refused
   * @throws IOException if none is
   */
  public void commit() throws IOException {
    if (parts.isEmpty()) {
      return;
    }
    Map<LiveSet, List<CountedSSTable>> outputs = new LinkedHashMap<>();
    Map<LiveSet, KeyRangeDeletions> keyRanges = new HashMap<>();
    for (PublishedOutputs part : parts) {
      KeyRangeDeletions ranges = part.keyRanges();
      if (ranges != null) {
        keyRanges.merge(part.owner(), ranges, AtomicFlush::union);
      }
      outputs.computeIfAbsent(part.owner(), owner -> new ArrayList<>()).addAll(part.opened());
    }
    List<Addition> additions = new ArrayList<>();
    try {
      for (Map.Entry<LiveSet, List<CountedSSTable>> entry : outputs.entrySet()) {
        LiveSet owner = entry.getKey();
        additions.add(owner.add(entry.getValue(), keyRanges.get(owner)));
      }
      decide(additions);
    } catch (InDoubtException e) {
      additions.forEach(Addition::close);
      outputs.keySet().forEach(owner -> owner.observeRefusal(e));
      throw e;
    } finally {
      additions.forEach(Addition::close);
    }
    flushes.tidy(logs(), () -> deleteLogs(outputs.keySet()));
    for (PublishedOutputs part : parts) {
      part.owner().movements().add(LiveSetChange.Cause.FLUSH, 0, part.onDiskBytes());
      part.owner().notifyObserver(part.change());
    }
  }

  private static KeyRangeDeletions union(KeyRangeDeletions left, KeyRangeDeletions right) {
    return Objects.requireNonNull(KeyRangeDeletions.union(left, right));
  }

  private void decide(List<Addition> additions) throws IOException {
    try {
      flushes.decide(logs());
      isDecided = true;
      additions.forEach(Addition::show);
    } catch (InDoubtException e) {
      // Both outcomes must remain possible: neither outputs nor logs may be touched.
      isDecided = true;
      additions.forEach(addition -> addition.refuseChanges(e));
      throw e;
    } catch (RuntimeException | Error e) {
      // It may have come after the decision; the next opening finds out.
      isDecided = true;
      throw e;
    }
  }

  private Set<String> logs() {
    Set<String> names = new LinkedHashSet<>();
    parts.forEach(part -> names.add(part.log().toString()));
    return names;
  }

  private void deleteLogs(Set<LiveSet> owners) throws IOException {
    for (PublishedOutputs part : parts) {
      part.log().delete();
    }
    for (LiveSet owner : owners) {
      owner.directory().sync();
    }
  }

  /** Removes the files of a flush that was not committed. */
  @Override
  public void close() throws IOException {
    List<Closeable> steps = new ArrayList<>();
    for (PublishedOutputs part : parts) {
      if (!isDecided) {
        steps.add(part::undo);
      }
      steps.add(part::release);
    }
    parts.clear();
    Closeables.closeAll(steps);
  }
}
