package com.example.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Prepares directories as they are for a reader who tries an example for the first time. */
final class Fresh {
  private Fresh() {}

  /** Deletes what an earlier run has left in the working directory. */
  static void directory(String name) throws IOException {
    Path directory = Path.of(name);
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> found = Files.walk(directory)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
