package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of concepts in docs/architecture.md names classes and methods that exist. */
class WhereIsTest {
  private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w*)\\.([a-z]\\w*)`");
  private static final int LEAST_CONCEPTS = 40;
  private static final List<String> MODULES =
      List.of("engine-compress", "engine-core", "engine-compaction", "engine-kafka-streams");

  @Test
  void eachClassAndMethodExists() throws IOException {
    Map<String, List<String>> classes = classes();
    TreeSet<String> missing = new TreeSet<>();
    for (String row : rows()) {
      List<String> named =
          METHOD
              .matcher(row)
              .results()
              .map(match -> match.group(1) + "." + match.group(2))
              .toList();
      assertThat(named).as("what the row names: %s", row).isNotEmpty();
      for (String name : named) {
        int dot = name.indexOf('.');
        List<String> candidates = classes.getOrDefault(name.substring(0, dot), List.of());
        if (candidates.stream().noneMatch(each -> declares(each, name.substring(dot + 1)))) {
          missing.add(name);
        }
      }
    }
    assertThat(missing).as("classes or methods that do not exist").isEmpty();
  }

  @Test
  void theTableHasManyConcepts() throws IOException {
    assertThat(rows()).hasSizeGreaterThanOrEqualTo(LEAST_CONCEPTS).doesNotHaveDuplicates();
  }

  /** Returns the rows of the table that name code. */
  private static List<String> rows() throws IOException {
    String page = Files.readString(Page.ROOT.resolve("docs/architecture.md"));
    int begin = page.indexOf("\n## Where is");
    assertThat(begin).as("the heading of the table").isPositive();
    int end = page.indexOf("\n## ", begin + 1);
    return page.substring(begin, end < 0 ? page.length() : end)
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| **"))
        .filter(line -> !line.startsWith("| concept "))
        .toList();
  }

  private static boolean declares(String className, String method) {
    try {
      Class<?> found = Class.forName(className, false, WhereIsTest.class.getClassLoader());
      return Arrays.stream(found.getDeclaredMethods()).anyMatch(m -> m.getName().equals(method));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Returns the full names of the engine's classes by their simple names. */
  private static Map<String, List<String>> classes() throws IOException {
    Map<String, List<String>> classes = new HashMap<>();
    for (String module : MODULES) {
      Path sources = Page.ROOT.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String path = sources.relativize(file).toString().replace('\\', '/');
          String full = path.substring(0, path.length() - ".java".length()).replace('/', '.');
          classes
              .computeIfAbsent(full.substring(full.lastIndexOf('.') + 1), key -> new ArrayList<>())
              .add(full);
        }
      }
    }
    return classes;
  }
}
