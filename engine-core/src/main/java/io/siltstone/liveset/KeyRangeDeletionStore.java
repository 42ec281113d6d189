package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.Purgeability;
import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the {@linkplain KeyRangeDeletions deletions of ranges of keys} of a table that are not in
 * memtables any more, in a file beside the SSTables, until nothing is left that they delete. An
 * example, of a table whose {@code gc_grace_seconds} are over:
 *
 * <pre>
 *   flush of a memtable with [b, d) at 20     the file has [b, d) at 20, and so have all views
 *   SSTable 1, keys a to e, data from 10 on   kept: the SSTable may have data of b at 10
 *   compaction of 1 into 2                    b at 10 is left out; purged: all SSTables with keys
 *                                             of [b, d) are free of what it deletes
 * </pre>
 *
 * <p>A purge asks for each SSTable with keys of the range whether all its data is newer, or whether
 * it was written by a compaction that has applied the deletion. Since deletions of ranges have
 * ascending timestamps, one timestamp per SSTable says which were applied.
 *
 * <p>Views and file change together with the SSTables: a flush writes the file before its
 * transaction commits, where the deletions count only if its SSTable is live ({@link
 * KeyRangeFile}); a purge comes after the compaction. Safe for all threads: guarded by the lock of
 * the live set.
 */
public final class KeyRangeDeletionStore {
  /** The name of the file. */
  public static final String FILE = KeyRangeFile.FILE;

  private static final Logger LOG = LoggerFactory.getLogger(KeyRangeDeletionStore.class);

  private final Directory directory;
  private final CurrentView current;
  private final Optional<CorruptionFound> damage;
  private final Map<String, Long> applied;
  // Whether the file has ranges that count only if an SSTable is live.
  private boolean isPending;

  KeyRangeDeletionStore(
      Directory directory,
      CurrentView current,
      KeyRangeFile found,
      Optional<CorruptionFound> damage) {
    this.directory = directory;
    this.current = current;
    this.damage = damage;
    this.applied = new TreeMap<>(found.applied());
    this.isPending = found.isPending();
  }

  /** Returns the text of the file, for a copy of what a view has. */
  public static String textOf(KeyRangeDeletions deletions) {
    return KeyRangeFile.textOf(deletions, Map.of());
  }

  /**
   * Returns how the file was found damaged, so that the deletions are unknown and hide nothing.
   * Only a lenient opening succeeds with a damaged file.
   */
  public Optional<CorruptionFound> damage() {
    return damage;
  }

  /** Returns the deletions of the present view; null for none. */
  public @Nullable KeyRangeDeletions present() {
    current.lock();
    try {
      return current.open().keyRanges();
    } finally {
      current.unlock();
    }
  }

  /**
   * Checks that an import brings nothing back that was deleted in its source.
   *
   * @param dataFiles the names of the data files of its live SSTables
   * @throws IllegalArgumentException if the source has deletions of ranges of keys
   */
  static void requireNone(Directory source, List<String> dataFiles) throws IOException {
    if (KeyRangeFile.read(source, prefixes(dataFiles)).deletions() != null) {
      throw new IllegalArgumentException(
          source.path()
              + " has deletions of ranges of keys, in its file "
              + FILE
              + ", and its SSTables may still have what they delete, which would be shown here;"
              + " compact the source first, or read it with its table and write the entries");
    }
  }

  /**
   * Prepares the view after a transaction, before it commits. The caller holds the lock.
   *
   * <p>If everything is replaced, the deletions go with it: they must not delete what takes its
   * place and may be older. Until the transaction has happened they count, as long as one of the
   * replaced SSTables is live.
   *
   * @param remaining the SSTables of that view
   * @param removed the SSTables that the transaction removes
   * @param added the SSTables that it adds
   * @param flushed the deletions that become visible with them; null for none
   * @param replacesAll whether all that is not added is removed
   */
  View prepare(
      List<CountedSSTable> remaining,
      List<CountedSSTable> removed,
      List<CountedSSTable> added,
      @Nullable KeyRangeDeletions flushed,
      boolean replacesAll)
      throws IOException {
    KeyRangeDeletions present = current.open().keyRanges();
    if (flushed != null) {
      if (added.isEmpty()) {
        throw new IllegalStateException(
            directory.path() + ": a flush of deletions of ranges of keys without an SSTable");
      }
      isPending = true;
      TextFile.replace(
          directory,
          FILE,
          KeyRangeFile.textOf(present, applied, prefix(added.get(0).table), flushed));
    } else if (replacesAll && present != null) {
      isPending = true;
      TextFile.replace(
          directory,
          FILE,
          KeyRangeFile.textOf(null, applied, prefix(removed.get(0).table), present));
      return current.create(remaining, null);
    } else if (!removed.isEmpty()) {
      settle();
    }
    return current.create(remaining, KeyRangeDeletions.union(present, flushed));
  }

  /** Removes the file after a transaction that has replaced everything, deletions included. */
  void replaced() {
    current.lock();
    try {
      if (!current.isClosed() && isPending && current.open().keyRanges() == null) {
        truncated();
      }
    } finally {
      current.unlock();
    }
  }

  /** Returns the prefixes of the names of SSTables. */
  static Set<String> prefixes(Collection<String> dataFiles) {
    return dataFiles.stream().map(SSTableComponents::prefixOf).collect(Collectors.toSet());
  }

  private static String prefix(SSTable table) {
    return SSTableComponents.prefix(table.descriptor());
  }

  /**
   * Makes all deletions count always, before SSTables are removed: those with which they count may
   * be among them. The caller holds the lock.
   */
  void settle() throws IOException {
    KeyRangeDeletions present = current.open().keyRanges();
    if (isPending && present != null) {
      write(present);
    }
  }

  /** Writes deletions that count always, or removes the file if there are none. */
  private void write(@Nullable KeyRangeDeletions deletions) throws IOException {
    if (deletions != null) {
      TextFile.replace(directory, FILE, KeyRangeFile.textOf(deletions, applied));
    } else {
      remove(directory);
    }
    isPending = false;
  }

  private static void remove(Directory directory) throws IOException {
    if (directory.exists(FILE)) {
      directory.delete(FILE);
      directory.sync();
    }
  }

  /**
   * Writes what was found when a directory was opened for writing, if that depends on SSTables: the
   * name of one that is not live may be given to another one.
   */
  static KeyRangeFile settle(Directory directory, KeyRangeFile found) throws IOException {
    if (!found.isPending()) {
      return found;
    }
    KeyRangeDeletions deletions = found.deletions();
    if (deletions == null) {
      remove(directory);
      return KeyRangeFile.NONE;
    }
    TextFile.replace(directory, FILE, KeyRangeFile.textOf(deletions, found.applied()));
    return new KeyRangeFile(deletions, found.applied(), false);
  }

  /** Removes what an interrupted write of the file has left. */
  static void removeTemporary(Directory directory) throws IOException {
    TextFile.removeTemporary(directory, FILE);
  }

  /**
   * Returns the greatest timestamp of deletions that the table has or had; that of no deletion if
   * there are none.
   */
  public long newestTimestamp() {
    current.lock();
    try {
      KeyRangeDeletions present = current.open().keyRanges();
      long newest = present == null ? Long.MIN_VALUE : present.newestTimestamp();
      for (long each : applied.values()) {
        newest = Math.max(newest, each);
      }
      return newest;
    } finally {
      current.unlock();
    }
  }

  /**
   * Purges what is not needed any more after a compaction that has applied deletions. A failure
   * leaves them all, until the next compaction.
   *
   * @param by the deletions that were applied, all that had been flushed when they were read
   * @param outputs the SSTables that the compaction has written
   * @param gcBefore now less {@code gc_grace_seconds}
   * @param leastElsewhere a lower bound of the timestamps in memtables and in SSTables that could
   *     not be opened
   * @throws InDoubtException if it is unknown whether they are purged; then all further changes are
   *     refused
   */
  void purge(KeyRangeDeletions by, List<CountedSSTable> outputs, long gcBefore, long leastElsewhere)
      throws InDoubtException {
    current.lock();
    try {
      View view = current.changeable();
      KeyRangeDeletions present = view.keyRanges();
      if (present == null) {
        return;
      }
      outputs.forEach(output -> applied.put(prefix(output.table), by.newestTimestamp()));
      List<SSTable> live = view.byFirstKey();
      applied
          .keySet()
          .retainAll(live.stream().map(KeyRangeDeletionStore::prefix).collect(Collectors.toSet()));
      KeyRangeDeletions left =
          present.filter(each -> isNeeded(each, live, gcBefore, leastElsewhere));
      if (left == null) {
        applied.clear();
      }
      write(left);
      if (!Objects.equals(left, present)) {
        current.show(current.create(view.tracked(), left));
        view.retire();
      }
    } catch (InDoubtException e) {
      current.refuseChanges(e);
      throw e;
    } catch (IOException e) {
      LOG.warn("{}: deletions of ranges of keys are kept until the next compaction", this, e);
    } finally {
      current.unlock();
    }
  }

  private boolean isNeeded(
      KeyRangeDeletions.Fragment deletion, List<SSTable> live, long gcBefore, long leastElsewhere) {
    long timestamp = deletion.timestamp();
    if (!Purgeability.isGraceOver(deletion.localDeletionTime(), gcBefore)
        || !Purgeability.isFree(timestamp, leastElsewhere)) {
      return true;
    }
    for (SSTable table : live) {
      if (table.statistics().stats().minTimestamp() <= timestamp
          && applied.getOrDefault(prefix(table), Long.MIN_VALUE) < timestamp
          && deletion.overlaps(table.firstKey(), table.lastKey())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes the file, since a truncation is certain to remove all SSTables, or they were replaced.
   * A failure leaves deletions that delete nothing. The caller holds the lock.
   */
  void truncated() {
    try {
      write(null);
      applied.clear();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "{}: deletions of ranges of keys are left after all that they deleted was removed",
          this,
          e);
    }
  }

  @Override
  public String toString() {
    return directory.path() + "/" + FILE;
  }
}
