package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.event.EngineListener;
import io.siltstone.schema.SchemaParser;
import io.siltstone.tools.Siltstone;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that links have a target, that code comes from the example, and that commands are
 * accepted.
 */
class PagesTest {
  private static final List<String> EXAMPLE = List.of("example/src", "example/kafka-streams/src");

  // The examples of Spark are run by the tests of its module, which have a session; and there are
  // classes of the same names.
  private static final List<String> SPARK = List.of("engine-spark/src/test/java");

  @Test
  void everyLinkToAFileOrAnchorResolves() {
    List<String> broken = new ArrayList<>();
    int checked = 0;
    for (Page page : Page.all()) {
      for (Page.Link link : page.links()) {
        String target = link.target();
        if (target.matches("[a-z]+:.*")) {
          continue;
        }
        checked++;
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path path = file.isEmpty() ? page.path() : page.path().resolveSibling(file).normalize();
        if (!Files.exists(path)) {
          broken.add(page + ":" + link.line() + ": there is no " + target);
        } else if (hash >= 0 && !Page.read(path).hasAnchor(target.substring(hash + 1))) {
          broken.add(page + ":" + link.line() + ": no heading is " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(checked).isGreaterThan(10);
  }

  @Test
  void everyPageIsReachedFromTheIndex() {
    Page index = Page.read(Page.ROOT.resolve("docs/README.md"));
    List<Path> linked =
        index.links().stream()
            .map(link -> index.path().resolveSibling(link.target()).normalize())
            .toList();
    for (Page page : Page.all()) {
      if (page.path().resolveSibling("README.md").equals(index.path())
          && !page.path().equals(index.path())) {
        assertThat(linked).as("links of docs/README.md").contains(page.path());
      }
    }
  }

  @Test
  void everyJavaBlockStandsInASourceOfTheExample() throws IOException {
    List<List<String>> sources = sources(EXAMPLE);
    sources.addAll(sources(SPARK));
    List<String> missing = new ArrayList<>();
    int checked = 0;
    for (Page page : Page.all()) {
      for (Page.Block block : page.blocks()) {
        if (!block.language().equals("java")) {
          continue;
        }
        checked++;
        List<String> wanted = stripped(block.lines());
        if (isImports(wanted)) {
          continue;
        }
        if (sources.stream().noneMatch(lines -> Collections.indexOfSubList(lines, wanted) >= 0)) {
          missing.add(page + ":" + block.line() + ": " + String.join("\n  ", block.lines()));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(checked).isGreaterThan(3);
  }

  private static List<List<String>> sources(List<String> roots) throws IOException {
    List<List<String>> sources = new ArrayList<>();
    for (String root : roots) {
      try (Stream<Path> files = Files.walk(Page.ROOT.resolve(root))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          sources.add(stripped(Files.readAllLines(file)));
        }
      }
    }
    return sources;
  }

  /** Returns the imports by the name of the class. */
  private static Map<String, String> imports(List<List<String>> sources) {
    Map<String, String> imports = new HashMap<>();
    sources.stream()
        .flatMap(List::stream)
        .filter(line -> line.startsWith("import ") && !line.contains(" static "))
        .forEach(line -> imports.put(line.replaceAll(".*\\.(\\w+);", "$1"), line));
    return imports;
  }

  private static boolean isImports(List<String> lines) {
    return lines.stream().allMatch(line -> line.startsWith("import "));
  }

  @Test
  void everyPageHasTheImportsThatItsJavaNeeds() throws IOException {
    Map<String, String> ofExample = imports(sources(EXAMPLE));
    Map<String, String> ofSpark = imports(sources(SPARK));
    Pattern type = Pattern.compile("(?<![\\w.])[A-Z]\\w*[a-z]\\w*");
    int checked = 0;
    for (Page page : Page.all()) {
      Map<String, String> known = page.path().endsWith("spark.md") ? ofSpark : ofExample;
      Set<String> imported = new TreeSet<>();
      Set<String> needed = new TreeSet<>();
      for (Page.Block block : page.blocks()) {
        List<String> lines = stripped(block.lines());
        if (!block.language().equals("java")) {
          continue;
        }
        if (isImports(lines)) {
          imported.addAll(lines);
          continue;
        }
        for (String line : lines) {
          String code = line.replaceAll("//.*", "").replaceAll("\"[^\"]*\"", "");
          for (Matcher name = type.matcher(code); name.find(); ) {
            if (known.containsKey(name.group())) {
              needed.add(known.get(name.group()));
              checked++;
            }
          }
        }
      }
      assertThat(imported).as("imports on %s", page).isEqualTo(needed);
    }
    assertThat(checked).isGreaterThan(50);
  }

  private static List<String> stripped(List<String> lines) {
    return lines.stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  @Test
  void everyTableDefinitionIsUnderstood() {
    int checked = 0;
    for (Page page : Page.all()) {
      for (Page.Block block : page.blocks()) {
        if (block.language().equals("sql")) {
          checked++;
          assertThat(SchemaParser.parse(String.join("\n", block.lines())).tables())
              .as("%s:%d", page, block.line())
              .isNotEmpty();
        }
      }
    }
    assertThat(checked).isPositive();
  }

  @Test
  void everyDependencyStandsInTheBuildOfTheExample() throws IOException {
    String build = "";
    for (String pom : List.of("example/pom.xml", "example/kafka-streams/pom.xml")) {
      build += withoutCommentsAndBlanks(Files.readString(Page.ROOT.resolve(pom)));
    }
    Pattern dependency = Pattern.compile("<dependency>.*?</dependency>");
    int checked = 0;
    for (Page page : Page.all()) {
      for (Page.Block block : page.blocks()) {
        if (block.language().equals("xml")) {
          String shown = withoutCommentsAndBlanks(String.join("\n", block.lines()));
          for (Matcher each = dependency.matcher(shown); each.find(); checked++) {
            assertThat(build).as("%s:%d", page, block.line()).contains(each.group());
          }
        }
      }
    }
    assertThat(checked).isGreaterThan(1);
  }

  private static String withoutCommentsAndBlanks(String xml) {
    return xml.replaceAll("(?s)<!--.*?-->", "").replaceAll("\\s+", "");
  }

  @Test
  void everyClassOfTheFileFormatsIsThere() throws IOException {
    Set<String> sources = new TreeSet<>();
    for (String module : List.of("engine-compress", "engine-core", "engine-compaction")) {
      Path root = Page.ROOT.resolve(module).resolve("src/main/java/io/siltstone");
      try (Stream<Path> files = Files.walk(root)) {
        files.forEach(file -> sources.add(root.relativize(file).toString().replace('/', '.')));
      }
    }
    List<String> missing = new ArrayList<>();
    Matcher names =
        Pattern.compile("`((?:[a-z]+\\.)+[A-Z]\\w+)`")
            .matcher(Files.readString(Page.ROOT.resolve("docs/file-formats.md")));
    int checked = 0;
    for (; names.find(); checked++) {
      if (!sources.contains(names.group(1) + ".java")) {
        missing.add(names.group(1));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(checked).isGreaterThan(10);
  }

  @Test
  void everyEventIsExplained() throws IOException {
    String page = Files.readString(Page.ROOT.resolve("docs/operations.md"));
    for (Class<?> event : EngineListener.class.getDeclaredClasses()) {
      assertThat(page).contains("`" + event.getSimpleName() + "`");
    }
  }

  @Test
  void everyFlightRecorderEventIsExplained() throws IOException {
    String page = Files.readString(Page.ROOT.resolve("docs/observability.md"));
    Path sources = Page.ROOT.resolve("engine-core/src/main/java/io/siltstone/jfr");
    Pattern name = Pattern.compile("@Name\\(\"(siltstone\\.\\w+)\"");
    int checked = 0;
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.toList()) {
        Matcher event = name.matcher(Files.readString(file));
        for (; event.find(); checked++) {
          assertThat(page).contains("`" + event.group(1) + "`");
        }
      }
    }
    assertThat(checked).isGreaterThan(3);
  }

  @Test
  void everyCommandIsDocumented() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Page page : Page.all()) {
      all.append(Files.readString(page.path()));
    }
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    Siltstone.run(new String[] {"--help"}, help, help);
    Matcher commands =
        Pattern.compile("(?m)^ {2}([a-z-]+) {2,}[A-Z]")
            .matcher(help.toString(StandardCharsets.UTF_8));
    int checked = 0;
    for (; commands.find(); checked++) {
      assertThat(all.toString()).containsPattern("(`|siltstone )" + commands.group(1) + "\\b");
    }
    assertThat(checked).isGreaterThan(10);
  }

  @Test
  void noPageNamesAMachine() {
    List<String> found = new ArrayList<>();
    for (Page page : Page.all()) {
      for (Page.Block block : page.blocks()) {
        for (String line : block.lines()) {
          if (line.matches(".*(?<![\\w.])/(tmp|work|home|root|var)/.*")) {
            found.add(page + ":" + block.line() + ": " + line);
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }
}
