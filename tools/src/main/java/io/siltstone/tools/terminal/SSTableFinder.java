package io.siltstone.tools.terminal;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds the SSTables in a directory and below it: of a table, a database or a checkpoint. */
public final class SSTableFinder {
  private static final String TRANSACTION = "_txn_";

  private final List<SSTableFile> found = new ArrayList<>();
  private final Map<Path, String> unsupported = new TreeMap<>();

  private final KeyFileOption keys;

  private SSTableFinder(KeyFileOption keys) {
    this.keys = keys;
  }

  /**
   * Finds the SSTables. Quarantined files and secondary indexes are left out.
   *
   * @param keys of encrypted directories
   * @throws UsageException if there are none and the directory is not a database
   * @throws FileSystemLoopException if a symbolic link leads back to a directory above it
   */
  public static SSTableFinder of(Path directory, KeyFileOption keys) throws IOException {
    SSTableFinder tables = new SSTableFinder(keys);
    tables.add(DirectoryPath.from(directory));
    if (tables.found.isEmpty()
        && tables.unsupported.isEmpty()
        && !DatabaseDirectory.is(directory)) {
      throw new UsageException(directory + " has no SSTables");
    }
    return tables;
  }

  /**
   * Finds the SSTables in directories, as {@link #of(Path, KeyFileOption)} does, and those that
   * files name.
   *
   * @throws UsageException if a directory has none, or a file is none of an SSTable
   */
  public static SSTableFinder of(List<Path> places, KeyFileOption keys) throws IOException {
    SSTableFinder all = new SSTableFinder(keys);
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        SSTableFinder below = of(place, keys);
        all.found.addAll(below.found);
        all.unsupported.putAll(below.unsupported);
      } else {
        all.found.add(SSTableFile.of(place, keys));
      }
    }
    return all;
  }

  /**
   * Returns all SSTables that can be opened, and those of which only {@code TOC.txt} is known
   * because the data file is missing.
   */
  public List<SSTableFile> tables() {
    return Collections.unmodifiableList(found);
  }

  /** Returns data files of versions and formats that cannot be read, with the reason. */
  public Map<Path, String> unsupported() {
    return Collections.unmodifiableMap(unsupported);
  }

  private void add(DirectoryPath way) throws IOException {
    List<Path> all;
    try (Stream<Path> listed = Files.list(way.directory())) {
      all = listed.sorted().toList();
    }
    // While its log exists, a transaction may be deleting the SSTables that it has replaced.
    boolean isChanging = all.stream().anyMatch(each -> name(each).contains(TRANSACTION));
    Map<Path, Descriptor> tables = new TreeMap<>();
    for (Path each : all) {
      String name = name(each);
      if (Files.isDirectory(each)) {
        if (DatabaseDirectory.isSearched(each)) {
          add(way.to(each));
        }
      } else if (Descriptor.isComponent(name, Component.DATA)
          || (Descriptor.isComponent(name, Component.TOC) && !isChanging)) {
        Path data =
            each.resolveSibling(
                name.substring(0, name.lastIndexOf('-') + 1) + Component.DATA.fileName());
        try {
          tables.put(data, Descriptor.parse(name));
        } catch (IllegalArgumentException e) {
          unsupported.put(data, String.valueOf(e.getMessage()));
        }
      }
    }
    for (Map.Entry<Path, Descriptor> table : tables.entrySet()) {
      found.add(SSTableFile.ofData(table.getKey(), table.getValue(), keys));
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
