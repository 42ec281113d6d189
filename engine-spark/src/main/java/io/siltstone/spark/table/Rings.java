package io.siltstone.spark.table;

import io.siltstone.ring.TokenRing;
import io.siltstone.spark.files.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * The token ranges of a cluster that option {@code ring} gives, and those of them that no directory
 * covers. A directory covers the ranges that its node owns; what it has of others is not counted.
 */
final class Rings {
  private Rings() {}

  /**
   * Reads the ring; empty if the option is not given.
   *
   * @param configuration of Hadoop's file systems, of which the file may be
   * @throws IllegalArgumentException if the file has no ring; the message names it
   */
  static Optional<TokenRing> of(Configuration configuration, SourceOptions options)
      throws IOException {
    if (options.ring().isEmpty()) {
      return Optional.empty();
    }
    String path = options.ring().get();
    String text = Storage.of(configuration, List.of(path)).text(path);
    return Optional.of(TokenRing.parse("option ring: " + path, text));
  }

  /**
   * Returns the ranges of a ring that none of the directories that are read covers.
   *
   * @throws IllegalArgumentException if the node of a directory is not known
   */
  static List<TokenRing.Range> uncovered(TokenRing ring, SourceOptions options) {
    Set<String> present = new HashSet<>();
    for (String node : nodes(ring, options)) {
      present.add(TokenRing.directoryName(node));
    }
    return ring.disjoint().stream()
        .filter(
            range ->
                range.nodes().stream().map(TokenRing::directoryName).noneMatch(present::contains))
        .toList();
  }

  private static List<String> nodes(TokenRing ring, SourceOptions options) {
    Collection<String> known = ring.nodes();
    List<String> paths = options.paths();
    List<String> given = options.nodes();
    if (given.isEmpty()) {
      List<String> found = new ArrayList<>();
      paths.forEach(path -> found.add(nodeOf(path, known)));
      return found;
    }
    if (given.size() != paths.size()) {
      throw new IllegalArgumentException(
          "option nodes has "
              + given.size()
              + " nodes for "
              + paths.size()
              + " paths, allowed is one for each");
    }
    Set<String> names = new HashSet<>();
    known.forEach(node -> names.add(TokenRing.directoryName(node)));
    for (String node : given) {
      if (!names.contains(TokenRing.directoryName(node))) {
        throw new IllegalArgumentException(
            "option nodes has '" + node + "', which is no node of option ring, allowed " + known);
      }
    }
    return given;
  }

  /** Returns the node that a path is of, as it is a name in it. */
  private static String nodeOf(String path, Collection<String> known) {
    List<String> names = Arrays.asList(path.split("/", -1));
    List<String> found =
        known.stream().filter(node -> names.contains(TokenRing.directoryName(node))).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "option nodes is missing, and "
              + path
              + " names "
              + (found.isEmpty() ? "none" : "several")
              + " of the nodes of option ring, "
              + known);
    }
    return found.get(0);
  }
}
