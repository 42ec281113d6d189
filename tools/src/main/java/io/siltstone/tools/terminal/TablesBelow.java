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

/** The SSTables in a directory and below it: of a table, a database, a checkpoint. */
public final class TablesBelow {
  private static final String TRANSACTION = "_txn_";

  private final List<TableFile> found = new ArrayList<>();
  private final Map<Path, String> unsupported = new TreeMap<>();

  private TablesBelow() {}

  /**
   * Looks for them. Left out is what lies aside, and secondary indexes.
   *
   * @throws UsageException if there are none and it is no database
   * @throws FileSystemLoopException if a symbolic link leads back to a directory above it
   */
  public static TablesBelow of(Path directory) throws IOException {
    TablesBelow tables = new TablesBelow();
    tables.add(DirectoryPath.from(directory));
    if (tables.found.isEmpty()
        && tables.unsupported.isEmpty()
        && !DatabaseDirectory.is(directory)) {
      throw new UsageException(directory + " has no SSTables");
    }
    return tables;
  }

  /**
   * All that can be opened, and those that are known by their {@code TOC.txt} alone, as the data
   * file has gone.
   */
  public List<TableFile> tables() {
    return Collections.unmodifiableList(found);
  }

  /** Data files of versions and formats that cannot be read, and why. */
  public Map<Path, String> unsupported() {
    return Collections.unmodifiableMap(unsupported);
  }

  private void add(DirectoryPath way) throws IOException {
    List<Path> all;
    try (Stream<Path> listed = Files.list(way.directory())) {
      all = listed.sorted().toList();
    }
    // As long as its log is there, a transaction may be deleting what it has replaced.
    boolean isChanging = all.stream().anyMatch(each -> name(each).contains(TRANSACTION));
    Map<Path, Descriptor> tables = new TreeMap<>();
    for (Path each : all) {
      String name = name(each);
      if (Files.isDirectory(each)) {
        // Cassandra hides the directories of indexes.
        if (!DatabaseDirectory.isAside(each) && !name.startsWith(".")) {
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
      found.add(TableFile.ofData(table.getKey(), table.getValue()));
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
