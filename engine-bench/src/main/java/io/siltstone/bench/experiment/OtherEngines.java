package io.siltstone.bench.experiment;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The engines that this one is compared with.
 *
 * @param classPath of their adapters and libraries
 * @param cassandra class paths of the adapter and the libraries of Cassandra, by its version
 * @param only names of the engines that take part, as in the report; empty for all
 */
public record OtherEngines(String classPath, Map<String, String> cassandra, Set<String> only) {
  /** Name of the directory of the adapters. */
  static final String CLASSES = "test-classes";

  /** Name of the directory of their libraries. */
  static final String LIBRARIES = "lib";

  /** Name of the directory with libraries for each version of Cassandra. */
  static final String CASSANDRA = "cassandra";

  /** Copies the collections. */
  public OtherEngines {
    cassandra = Map.copyOf(cassandra);
    only = Set.copyOf(only);
  }

  /** Returns the engines in the {@code target} directory of the module bench-peers. */
  public static OtherEngines in(Path target, Set<String> only) throws IOException {
    Path classes = target.resolve(CLASSES);
    Map<String, String> cassandra = new HashMap<>();
    Path versions = target.resolve(CASSANDRA);
    if (Files.isDirectory(versions)) {
      try (Stream<Path> all = Files.list(versions)) {
        all.forEach(
            libraries ->
                cassandra.put(
                    requireNonNull(libraries.getFileName()).toString(),
                    classPath(classes, libraries)));
      }
    }
    return new OtherEngines(classPath(classes, target.resolve(LIBRARIES)), cassandra, only);
  }

  private static String classPath(Path classes, Path libraries) {
    return classes + File.pathSeparator + libraries + File.separator + "*";
  }
}
