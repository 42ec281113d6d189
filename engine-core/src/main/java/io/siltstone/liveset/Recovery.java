package io.siltstone.liveset;

import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.event.RecoveryReport;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.spi.Claim;
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
 * What a table's directory holds, by its files and transaction logs: which tables are live, and
 * what is left of work that was interrupted.
 *
 * <p>Reading changes nothing; {@link #clean()} removes the leftovers, each only if a log or its
 * temporary name proves that it is one. It may itself be interrupted at any point, and done again.
 */
final class Recovery {
  private static final String UNFINISHED_DATA =
      Component.DATA.fileName() + Descriptor.TEMPORARY_SUFFIX;

  // Where Cassandra links what it flushes, if incremental_backups is on.
  private static final String BACKUPS = "backups";

  // How often a directory is read that another process changes.
  private static final int ATTEMPTS = 100;

  private final Directory directory;
  private final List<FoundTransactionLog> logs = new ArrayList<>();
  private final List<String> dataFiles = new ArrayList<>();
  private final List<String> orphans = new ArrayList<>();
  // Of a writer that was interrupted while it gave its files their names.
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
   * @throws CorruptFileException if a log is damaged, or speaks of other files than are there
   */
  static Recovery read(Directory directory) throws IOException {
    return read(directory, false);
  }

  /**
   * Reads a directory.
   *
   * @param isLenient whether what is damaged in a log is assumed, as far as that is certain
   * @throws CorruptFileException if a log is damaged otherwise, or speaks of other files than are
   *     there
   */
  static Recovery read(Directory directory, boolean isLenient) throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<String> names = directory.files();
      Recovery recovery = new Recovery(directory, isLenient);
      try {
        recovery.readLogs(names);
      } catch (CorruptFileException e) {
        if (attempt == ATTEMPTS || isAsBefore(directory, names)) {
          throw e;
        }
        continue;
      }
      if (isAsBefore(directory, names)) {
        recovery.sort(names);
        recovery.noteGenerationsOfCopies();
        return recovery;
      }
      if (attempt == ATTEMPTS) {
        throw new IOException(directory.path() + ": its files change whenever they are listed");
      }
    }
  }

  private void readLogs(List<String> names) throws IOException {
    for (String name : names) {
      if (FoundTransactionLog.isName(name)) {
        logs.add(
            FoundTransactionLog.read(directory, name, assumptions)
                .check(directory, names, assumptions));
      }
    }
  }

  /**
   * Whether the logs that were read speak of the files that were listed. Where another process is
   * at work, these may have got their names, or be deleted, between the one and the other.
   */
  private static boolean isAsBefore(Directory directory, List<String> names) throws IOException {
    return new HashSet<>(names).equals(new HashSet<>(directory.files()));
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
    for (String name : names) {
      noteGeneration(name);
      String prefix = SSTableComponents.prefixOf(name);
      if (Descriptor.isComponent(name, Component.DATA)) {
        complete.add(prefix);
      } else if (Descriptor.isComponent(name, Component.TOC)) {
        listed.add(prefix);
      } else if (name.equals(prefix + UNFINISHED_DATA)) {
        unfinished.add(prefix);
      }
    }
    unfinished.removeAll(complete);
    for (String name : names) {
      String prefix = SSTableComponents.prefixOf(name);
      if (SSTableComponents.isTemporary(name) || FoundTransactionLog.isTemporaryName(name)) {
        temporary.add(name);
      } else if (!prefix.isEmpty() && !dead.contains(prefix)) {
        if (Descriptor.isComponent(name, Component.DATA)) {
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
   * A table that a writer has completed has lost its data if that is not there any more. Without a
   * table of contents it may never have been one.
   */
  private void sortWithoutData(String name, String prefix, Set<String> listed) {
    if (!listed.contains(prefix)) {
      orphans.add(name);
    } else if (Descriptor.isComponent(name, Component.TOC)) {
      dataFiles.add(prefix + Component.DATA.fileName());
    }
  }

  /** Whoever puts files back from there must not overwrite others. */
  private void noteGenerationsOfCopies() throws IOException {
    List<String> there = directory.directories();
    for (String copies : List.of(Claim.SET_ASIDE, BACKUPS)) {
      if (there.contains(copies)) {
        directory.directory(copies).files().forEach(this::noteGeneration);
      }
    }
  }

  private void noteGeneration(String name) {
    greatestGeneration = Math.max(greatestGeneration, SSTableComponents.generation(name));
  }

  /**
   * Names of the data files of live tables, of whatever version and format; that of a table whose
   * data file is missing, though its other files say that it was there, among them.
   */
  List<String> dataFiles() {
    return dataFiles;
  }

  /**
   * The greatest generation of any file, set aside, backed up or live, or record; 0 if there is
   * none.
   */
  long greatestGeneration() {
    return greatestGeneration;
  }

  /**
   * What was found; as if it had been cleaned.
   *
   * @param setAside SSTables that could not be opened
   */
  RecoveryReport report(List<CorruptionFound> setAside) {
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
        setAside);
  }

  /** What was assumed of damaged logs. */
  List<RecoveryAssumed> assumptions() {
    List<RecoveryAssumed> all = assumptions;
    return all == null ? List.of() : List.copyOf(all);
  }

  /** Completes what had happened, undoes what had not, and removes temporary files. */
  void clean() throws IOException {
    if (logs.isEmpty() && temporary.isEmpty()) {
      return;
    }
    // What is not there must not come back after a crash.
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
    // Before the temporary data file, which alone says that they are of no use.
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

  /** The process may have ended before it had synced the line that we go by. */
  private void makeDurable(FoundTransactionLog log) throws IOException {
    try (WritableFile file = directory.append(log.name())) {
      file.sync();
    }
  }
}
