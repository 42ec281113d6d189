package io.siltstone.tools.compact;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the SSTables of a directory that have files of secondary indexes beside them. */
final class IndexedTables {
  private IndexedTables() {}

  /** Returns the common prefixes of their names, as in {@link Descriptor#toString}. */
  static Set<String> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> Component.isOfIndex(name.substring(name.lastIndexOf('-') + 1)))
          .map(name -> name.substring(0, Math.max(0, name.lastIndexOf('-'))))
          .collect(Collectors.toSet());
    }
  }
}
