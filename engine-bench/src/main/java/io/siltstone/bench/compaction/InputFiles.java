package io.siltstone.bench.compaction;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of SSTables that engines read in turn. */
public final class InputFiles {
  private static final Pattern COMPONENT = Pattern.compile("[a-z]{2}-.+-.+");

  private InputFiles() {}

  /** Returns the components of all SSTables in a directory. */
  public static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(InputFiles::isComponent).toList();
    }
  }

  /** Returns whether a file belongs to an SSTable. */
  static boolean isComponent(Path file) {
    return COMPONENT.matcher(requireNonNull(file.getFileName()).toString()).matches();
  }

  /**
   * Reads files, so that they are in the page cache: Cassandra drops what it has compacted, also
   * for other links to it.
   */
  public static void readAll(List<Path> files) throws IOException {
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }
}
