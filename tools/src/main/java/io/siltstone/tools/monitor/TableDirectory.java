package io.siltstone.tools.monitor;

import io.siltstone.catalog.Catalog;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory of one table in Cassandra's layout: {@code KEYSPACE/TABLE-ID} and {@code
 * KEYSPACE/TABLE-ID/snapshots/NAME}; or any directory with SSTables.
 *
 * @param path absolute path
 */
record TableDirectory(Path path) {
  private static final Pattern NAME_WITH_ID = Pattern.compile("(.+)-[0-9a-f]{32}");

  /** Returns whether the directory contains a table. */
  static boolean is(Path directory) throws IOException {
    return Files.exists(directory.resolve(Catalog.SCHEMA_FILE)) || !dataFiles(directory).isEmpty();
  }

  boolean hasSchema() {
    return Files.exists(path.resolve(Catalog.SCHEMA_FILE));
  }

  /** Returns the data files, by name. */
  List<Path> dataFiles() throws IOException {
    return dataFiles(path);
  }

  private static List<Path> dataFiles(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(
              file ->
                  Descriptor.isComponent(String.valueOf(file.getFileName()), Component.DATA)
                      && Files.isRegularFile(file))
          .sorted()
          .toList();
    }
  }

  /** Returns the table's name, taken from the directory's name. */
  String table() {
    Matcher withId = NAME_WITH_ID.matcher(name(ofTable()));
    return withId.matches() ? withId.group(1) : name(ofTable());
  }

  /** Returns the keyspace, taken from the directory's name. */
  String keyspace() {
    Path above = ofTable().getParent();
    return above == null ? "" : name(above);
  }

  private Path ofTable() {
    Path above = path.getParent();
    if (above == null || !name(above).equals("snapshots")) {
      return path;
    }
    Path table = above.getParent();
    return table == null ? path : table;
  }

  private static String name(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
