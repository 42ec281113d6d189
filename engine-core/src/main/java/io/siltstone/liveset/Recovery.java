package io.siltstone.liveset;

import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.event.RecoveryReport;
import io.siltstone.files.DirectoryListing;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.sstable.SSTableQuarantine;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Recovers the live set of a table's directory from its files and transaction logs: which SSTables
 * are live, and what interrupted work has left.
 *
 * <p>For example, a compaction of 1 and 2 to 3 was interrupted. If its transaction log has no last
 * line that commits, 1 and 2 are live, and the files of 3 are removed. If it has, 3 is live, and
 * what is left of 1 and 2 is removed. In both cases the log is removed last.
 *
 * <p>Reading changes nothing; {@link #clean()} removes the leftovers, each only if a transaction
 * log or its temporary name proves that it is one. {@code clean} may itself be interrupted at any
 * point, and repeated.
 */
public final class Recovery {
  private static final String UNFINISHED_DATA =
      Component.DATA.fileName() + Descriptor.TEMPORARY_SUFFIX;

  // The directory in which Cassandra links what it flushes, if incremental_backups is on.
  private static final String BACKUPS = "backups";

  // The maximum number of attempts while another process changes the directory.
  private static final int ATTEMPTS = 100;

  private final Directory directory;
  private final List<FoundTransactionLog> logs = new ArrayList<>();
  private final List<String> dataFiles = new ArrayList<>();
  private final List<String> orphans = new ArrayList<>();
  // Files of writers that were interrupted while they renamed their files.
  private final List<String> uncommitted = new ArrayList<>();
  private final List<String> temporary = new ArrayList<>();
  private long greatestGeneration;

  private final @Nullable List<RecoveryAssumed> assumptions;

  private Recovery(Directory directory, boolean isLenient) {
    this.directory = directory;
    this.assumptions = isLenient ? new ArrayList<>() : null;
  }

  /**
   * Reads a directory.
   *
   * @throws CorruptFileException if a transaction log is damaged, or describes other files than are
   *     there
   */
  static Recovery read(Directory directory) throws IOException {
    return read(directory, false, Set.of());
  }

  /**
   * Reads a directory.
   *
   * @param isLenient whether the content of a damaged transaction log is assumed, as far as that is
   *     certain
   * @param committed the names of logs that an atomic flush has committed
   * @throws CorruptFileException if a log is damaged otherwise, or describes other files than are
   *     there
   */
  static Recovery read(Directory directory, boolean isLenient, Set<String> committed)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<String> names = directory.files();
      Recovery recovery = new Recovery(directory, isLenient);
      try {
        recovery.readLogs(names, committed);
      } catch (CorruptFileException e) {
        if (attempt == ATTEMPTS || isAsBefore(directory, names)) {
          throw e;
        }
        continue;
      }
      if (isAsBefore(directory, names)) {
        recovery.sort(names);
        recovery.noteGenerationsOfCopies(directory.directories());
        return recovery;
      }
      if (attempt == ATTEMPTS) {
        throw new IOException(directory.path() + ": its files change whenever they are listed");
      }
    }
  }

  /** Reads a directory that no other process changes; otherwise as {@link #read}. */
  static Recovery readOwn(Directory directory, boolean isLenient, Set<String> committed)
      throws IOException {
    List<String> names = directory.files();
    Recovery recovery = new Recovery(directory, isLenient);
    recovery.readLogs(names, committed);
    recovery.sort(names);
    recovery.noteGenerationsOfCopies(directory.directories());
    return recovery;
  }

  /**
   * Returns what is in a directory that has not changed since {@link #isSettled} was true of it.
   */
  static Recovery unchanged(Directory directory, DirectoryListing listing) throws IOException {
    Recovery recovery = new Recovery(directory, false);
    if (!recovery.sortComplete(listing.files())) {
      recovery.sort(listing.files());
    }
    recovery.noteGenerationsOfCopies(listing.directories());
    return recovery;
  }

  /** Returns whether a file is the log of a transaction, by its name. */
  public static boolean isTransactionLog(String fileName) {
    return FoundTransactionLog.isName(fileName);
  }

  /**
   * Returns whether a directory with these files has nothing to be completed, undone or removed.
   */
  public static boolean isSettled(DirectoryListing listing) {
    return listing.files().stream()
        .noneMatch(
            name -> FoundTransactionLog.isName(name) || name.endsWith(Descriptor.TEMPORARY_SUFFIX));
  }

  private void readLogs(List<String> names, Set<String> committed) throws IOException {
    for (String name : names) {
      if (FoundTransactionLog.isName(name)) {
        FoundTransactionLog log = FoundTransactionLog.read(directory, name, assumptions);
        logs.add(
            (committed.contains(name) ? log.committed() : log)
                .check(directory, names, assumptions));
      }
    }
  }

  /**
   * Returns whether the logs that were read describe the files that were listed. If another process
   * is changing the directory, files may have been renamed or deleted between the two.
   */
  private static boolean isAsBefore(Directory directory, List<String> names) throws IOException {
    return new HashSet<>(names).equals(new HashSet<>(directory.files()));
  }

  /**
   * Sorts the files of a settled directory in which each SSTable has its data file, as all do but a
   * few; returns whether that is so, and otherwise finds nothing.
   *
   * @param names sorted
   */
  private boolean sortComplete(List<String> names) {
    String prefix = "";
    boolean hasData = true;
    for (String name : names) {
      if (prefix.isEmpty() || !name.startsWith(prefix)) {
        if (!hasData) {
          dataFiles.clear();
          return false;
        }
        prefix = SSTableComponents.prefixOf(name);
        hasData = prefix.isEmpty();
        noteGeneration(prefix);
      }
      if (!hasData && SSTableComponents.is(name, prefix, Component.DATA)) {
        hasData = true;
        dataFiles.add(name);
      }
    }
    if (!hasData) {
      dataFiles.clear();
    }
    return hasData;
  }

  private void sort(List<String> names) {
    Set<String> dead = new HashSet<>();
    for (FoundTransactionLog log : logs) {
      dead.addAll(log.dead());
      log.records().forEach(record -> noteGeneration(record.prefix()));
    }
    Set<String> complete = new HashSet<>();
    Set<String> unfinished = new HashSet<>();
    Set<String> listed = new HashSet<>();
    List<String> prefixes = SSTableComponents.prefixesOf(names);
    String noted = "";
    for (int i = 0; i < prefixes.size(); i++) {
      String name = names.get(i);
      String prefix = prefixes.get(i);
      if (!prefix.equals(noted)) {
        noted = prefix;
        noteGeneration(prefix);
      }
      if (SSTableComponents.is(name, prefix, Component.DATA)) {
        complete.add(prefix);
      } else if (SSTableComponents.is(name, prefix, Component.TOC)) {
        listed.add(prefix);
      } else if (name.endsWith(UNFINISHED_DATA) && name.equals(prefix + UNFINISHED_DATA)) {
        unfinished.add(prefix);
      }
    }
    unfinished.removeAll(complete);
    for (int i = 0; i < prefixes.size(); i++) {
      String name = names.get(i);
      String prefix = prefixes.get(i);
      if (SSTableComponents.isTemporary(name) || FoundTransactionLog.isTemporaryName(name)) {
        temporary.add(name);
      } else if (!prefix.isEmpty() && !dead.contains(prefix)) {
        if (SSTableComponents.is(name, prefix, Component.DATA)) {
          dataFiles.add(name);
        } else if (unfinished.contains(prefix)) {
          uncommitted.add(name);
        } else if (!complete.contains(prefix)) {
          sortWithoutData(name, prefix, listed);
        }
      }
    }
  }

  /**
   * Decides whether files without a data file are those of an SSTable that has lost it. A writer
   * completes the table of contents before it names the data file; without a table of contents
   * there may never have been an SSTable.
   */
  private void sortWithoutData(String name, String prefix, Set<String> listed) {
    if (!listed.contains(prefix)) {
      orphans.add(name);
    } else if (Descriptor.isComponent(name, Component.TOC)) {
      dataFiles.add(prefix + Component.DATA.fileName());
    }
  }

  /**
   * Notes the generations of backups and snapshots: files that are restored from there must not
   * overwrite others.
   */
  private void noteGenerationsOfCopies(List<String> directories) throws IOException {
    if (directories.contains(BACKUPS)) {
      directory.directory(BACKUPS).files().forEach(this::noteGeneration);
    }
    SSTableQuarantine.fileNames(directory, directories).forEach(this::noteGeneration);
  }

  private void noteGeneration(String name) {
    greatestGeneration = Math.max(greatestGeneration, SSTableComponents.generation(name));
  }

  /**
   * Returns the names of the data files of live SSTables, of any version and format. If a data file
   * is missing, but the other files prove that there was one, its name is included.
   */
  List<String> dataFiles() {
    return dataFiles;
  }

  /**
   * Returns the greatest generation of any file, whether quarantined, backed up or live, and of any
   * record; 0 if there is none.
   */
  long greatestGeneration() {
    return greatestGeneration;
  }

  /**
   * Returns what was found, as it is after {@link #clean}.
   *
   * @param quarantined SSTables that could not be opened
   */
  RecoveryReport report(List<CorruptionFound> quarantined) {
    List<String> removed = new ArrayList<>(uncommitted);
    removed.addAll(temporary);
    return new RecoveryReport(
        logs.stream()
            .filter(FoundTransactionLog::isCommitted)
            .map(FoundTransactionLog::name)
            .toList(),
        logs.stream().filter(log -> !log.isCommitted()).map(FoundTransactionLog::name).toList(),
        removed,
        orphans,
        quarantined);
  }

  /** Returns what was assumed about damaged transaction logs. */
  List<RecoveryAssumed> assumptions() {
    List<RecoveryAssumed> all = assumptions;
    return all == null ? List.of() : List.copyOf(all);
  }

  /**
   * Completes the transactions that are committed, undoes the others, and removes temporary files.
   */
  void clean() throws IOException {
    if (logs.isEmpty() && temporary.isEmpty()) {
      return;
    }
    // Makes deletions durable: files that are gone must not come back after a crash.
    directory.sync();
    Set<String> dead = new TreeSet<>();
    for (FoundTransactionLog log : logs) {
      if (log.isCommitted()) {
        makeDurable(log);
      }
      dead.addAll(log.dead());
    }
    for (String prefix : dead) {
      SSTableComponents.delete(directory, prefix);
    }
    // Deleted before the temporary data file, which alone proves that they are leftovers.
    for (String name : uncommitted) {
      SSTableComponents.deleteIfThere(directory, name);
    }
    directory.sync();
    for (FoundTransactionLog log : logs) {
      SSTableComponents.deleteIfThere(directory, log.name());
    }
    for (String name : temporary) {
      SSTableComponents.deleteIfThere(directory, name);
    }
    directory.sync();
  }

  /**
   * Syncs a log: the process may have died before it had synced the last line, which the recovery
   * relies on.
   */
  private void makeDurable(FoundTransactionLog log) throws IOException {
    try (WritableFile file = directory.append(log.name())) {
      file.sync();
    }
  }
}
