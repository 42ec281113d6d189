package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.files.Sha256;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.liveset.AtomicFlushes;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.RetentionFloorStore;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a database on the disk, as what changes with every change of its content: the names
 * of the files of its tables, the lengths of those that are appended to, the definitions, the
 * retention floors, the deletions of ranges of keys, and the names and lengths of the commit log's
 * segments. Two equal states have the same content; the content of two different ones may be the
 * same. Immutable.
 *
 * @param log the files of the commit log, sorted by name
 * @param tables hash of all but the log: SHA-256, hexadecimal
 */
record StoredState(List<LogFile> log, String tables) {

  /** A file of the commit log; its length is -1 if it was deleted meanwhile. */
  record LogFile(String name, long length) {}

  /** Copies the list. */
  StoredState {
    log = List.copyOf(log);
  }

  /** Reads the state of a database that another process may be changing. */
  static StoredState of(DatabaseLayout databaseLayout) throws IOException {
    // The log comes first: what is flushed afterwards is in the tables.
    Optional<Directory> directory = databaseLayout.existingCommitLog();
    List<LogFile> log = directory.isPresent() ? files(directory.get()) : List.of();
    return new StoredState(log, tablesOf(databaseLayout));
  }

  private static List<LogFile> files(Directory directory) throws IOException {
    List<LogFile> all = new ArrayList<>();
    for (String name : directory.files().stream().sorted().toList()) {
      try {
        all.add(new LogFile(name, directory.length(name)));
      } catch (NoSuchFileException e) {
        all.add(new LogFile(name, -1));
      }
    }
    return all;
  }

  /**
   * Returns whether the log has at most grown since another state: nothing of what it had was
   * deleted or cut. The tables may have changed.
   */
  boolean hasGrownFrom(StoredState before) {
    int last = before.log.size() - 1;
    return last >= 0
        && log.size() > last
        && log.subList(0, last).equals(before.log.subList(0, last))
        && log.get(last).name().equals(before.log.get(last).name())
        && log.get(last).length() >= before.log.get(last).length();
  }

  /** Reads the state of all tables, without the log. */
  static String tablesOf(DatabaseLayout databaseLayout) throws IOException {
    Hash hash = new Hash();
    hash.addText(databaseLayout.root(), AtomicFlushes.FILE);
    Optional<Directory> data = databaseLayout.existingData();
    if (data.isPresent()) {
      for (String keyspace : data.get().directories()) {
        Directory parent = data.get().existingDirectory(keyspace);
        for (String table : parent.directories()) {
          hash.add(keyspace + "/" + table);
          hash.addTable(parent.existingDirectory(table));
        }
      }
    }
    return hash.end();
  }

  /** Reads the state of the directory of one table. */
  static StoredState of(Directory table) throws IOException {
    Hash hash = new Hash();
    hash.addTable(table);
    return new StoredState(List.of(), hash.end());
  }

  private static final class Hash {
    private final Sha256 digest = new Sha256();

    /** Adds a word, with an end that no word contains. */
    void add(String word) {
      digest.add(word).add("\0");
    }

    void addTable(Directory table) throws IOException {
      addFiles(table);
      addText(table, Catalog.SCHEMA_FILE);
      addText(table, RetentionFloorStore.FILE);
      addText(table, KeyRangeDeletionStore.FILE);
    }

    /**
     * Adds the names of files, the lengths of those that are not components of SSTables, and length
     * and time of data files: after a truncation, a restarted writer may use a name again.
     */
    void addFiles(Directory directory) throws IOException {
      List<String> names = directory.files();
      for (String name : names.stream().sorted().toList()) {
        add(name);
        boolean isData = Descriptor.isComponent(name, Component.DATA);
        if (isData || !isComponent(name)) {
          try {
            add(Long.toString(directory.length(name)));
            if (isData) {
              add(Long.toString(directory.lastModifiedMillis(name)));
            }
          } catch (NoSuchFileException e) {
            // It was deleted meanwhile: the next state has not even its name.
            add("deleted");
          }
        }
      }
    }

    /** Components are written once, under temporary names. */
    private static boolean isComponent(String name) {
      for (Component component : Component.values()) {
        if (name.endsWith("-" + component.fileName())) {
          return true;
        }
      }
      return false;
    }

    void addText(Directory directory, String name) throws IOException {
      try {
        add(directory.exists(name) ? TextFile.read(directory, name) : "");
      } catch (NoSuchFileException e) {
        add("deleted");
      }
    }

    String end() {
      return digest.end();
    }
  }
}
