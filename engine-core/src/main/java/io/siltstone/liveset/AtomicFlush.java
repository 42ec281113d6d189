package io.siltstone.liveset;

import io.siltstone.io.InDoubtException;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
  public Claim begin(LiveSet liveSet, CommitLogIntervals intervals) {
    return liveSet.beginFlush(intervals, parts::add);
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
    for (PublishedOutputs part : parts) {
      outputs.computeIfAbsent(part.owner(), owner -> new ArrayList<>()).addAll(part.opened());
    }
    List<Addition> additions = new ArrayList<>();
    try {
      for (Map.Entry<LiveSet, List<CountedSSTable>> entry : outputs.entrySet()) {
        additions.add(entry.getKey().add(entry.getValue()));
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
      part.owner().observe(part.change());
    }
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
