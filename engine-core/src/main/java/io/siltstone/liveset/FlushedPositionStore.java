package io.siltstone.liveset;

import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.files.TextFile;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Remembers up to where the commit logs of hosts were flushed to SSTables of a table, or were
 * truncated, even if those SSTables are gone: replay skips what lies before. Positions that the
 * live SSTables do not contain are kept in the file {@value FlushedPositions#FILE}.
 *
 * <p>Safe for all threads: guarded by the lock of the live set.
 */
public final class FlushedPositionStore {
  /** The name of the file. */
  public static final String FILE = FlushedPositions.FILE;

  private final Directory directory;
  private final CurrentView current;
  private final WriteGuard guard;
  private final Optional<CorruptionFound> damage;
  private FlushedPositions kept;

  FlushedPositionStore(
      Directory directory, CurrentView current, WriteGuard guard, OpenedSSTables opened) {
    this.directory = directory;
    this.current = current;
    this.guard = guard;
    this.damage = opened.damagedPositions();
    this.kept = opened.positions();
  }

  /**
   * Returns the positions that the file of a directory contains.
   *
   * @throws CorruptFileException if it is damaged
   */
  public static Map<UUID, CommitLogPosition> read(Directory directory) throws IOException {
    return FlushedPositions.read(directory).byHost();
  }

  /** As {@link #keep(UUID, CommitLogPosition)}, for a directory that has no live set yet. */
  public static void keepIn(Directory directory, UUID host, CommitLogPosition position)
      throws IOException {
    new FlushedPositions(Map.of(host, position)).write(directory);
  }

  /** Removes what an interrupted write of the file has left. */
  static void removeTemporary(Directory directory) throws IOException {
    TextFile.removeTemporary(directory, FILE);
  }

  /**
   * Returns how the file was found damaged, so that its positions are unknown. Only a lenient
   * opening succeeds with a damaged file.
   */
  public Optional<CorruptionFound> damage() {
    return damage;
  }

  /**
   * Returns up to where the commit log of a host was flushed; {@link CommitLogPosition#NONE} if
   * nothing of it was.
   */
  public CommitLogPosition of(UUID host) {
    return all().of(host);
  }

  /** Returns the last known position of any commit log, or {@link CommitLogPosition#NONE}. */
  public CommitLogPosition greatest() {
    return all().byHost().values().stream()
        .max(Comparator.naturalOrder())
        .orElse(CommitLogPosition.NONE);
  }

  private FlushedPositions all() {
    current.lock();
    try {
      return and(current.open().tracked());
    } finally {
      current.unlock();
    }
  }

  /**
   * Keeps, durably, that all changes of a host's log up to a position have been flushed or were
   * dropped.
   */
  public void keep(UUID host, CommitLogPosition position) throws IOException {
    current.lock();
    try {
      guard.requireOwned();
      write(new FlushedPositions(Map.of(host, position)));
    } finally {
      current.unlock();
    }
  }

  /**
   * Replaces a damaged file by a position before which all changes are in SSTables now. Does
   * nothing if the file was not damaged.
   */
  public void mend(UUID host, CommitLogPosition position) throws IOException {
    if (damage.isPresent()) {
      keep(host, position);
    }
  }

  /**
   * Keeps the positions of SSTables that are about to be removed, if those that remain say less.
   * The caller holds the lock.
   */
  void keep(List<CountedSSTable> removed, List<CountedSSTable> remaining) throws IOException {
    if (removed.isEmpty()) {
      return;
    }
    FlushedPositions positions = FlushedPositions.of(removed);
    FlushedPositions known = and(remaining);
    if (!known.and(positions).equals(known)) {
      write(positions);
    }
  }

  private FlushedPositions and(List<CountedSSTable> live) {
    return kept.and(FlushedPositions.of(live));
  }

  /** Adds positions to the file. After a failure all is as before. */
  private void write(FlushedPositions positions) throws IOException {
    FlushedPositions all = kept.and(positions);
    all.write(directory);
    kept = all;
  }
}
