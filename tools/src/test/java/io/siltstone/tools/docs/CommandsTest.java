package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the command lines of the documentation: those of one page in order, in one {@link
 * PageDirectory}.
 *
 * <p>A line exits with 0, or with N if it ends with a comment that says {@code exits N}. A block of
 * {@code text} right after a block of {@code sh} is the expected output of that block; {@code ...}
 * in it matches anything.
 */
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT) // Most of the time other processes run.
class CommandsTest {
  private static final Set<String> RUN =
      Set.of(
          "./siltstone",
          "siltstone",
          "cat",
          "chmod",
          "cp",
          "dd",
          "echo",
          "ls",
          "mkdir",
          "mv",
          "printf",
          "rm");

  /** Commands of the build, or that write into the source tree. */
  private static final Set<String> NOT_RUN = Set.of("mvn", "cd");

  /** Commands that {@link LongCommandsTest} or a test of the example runs with a part replaced. */
  private static final Set<String> RUN_ELSEWHERE =
      Set.of(
          "docs/performance.md: java",
          "docs/observability.md: java",
          "docs/observability.md: jfr",
          "docs/kafka-streams.md: siltstone",
          "example/README.md: java",
          "example/README.md: curl");

  /** A page all of whose commands are run by the script, each in a process of its own. */
  private static final String RUN_BY_SCRIPT = "docs/quick-start.md";

  private static final Pattern COMMENT = Pattern.compile("(.*?)\\s+#\\s(.*)");
  private static final Pattern EXITS = Pattern.compile(".*\\bexits (\\d+)\\b.*");

  @TempDir private static Path directory;

  private static CommandFiles files;

  @BeforeAll
  static void makeFiles() throws Exception {
    files = new CommandFiles(Files.createDirectory(directory.resolve("tar")));
  }

  @TestFactory
  Stream<DynamicTest> pages() {
    return Page.all().stream()
        .filter(page -> page.blocks().stream().anyMatch(block -> block.language().equals("sh")))
        .map(page -> DynamicTest.dynamicTest(page.name(), () -> run(page)));
  }

  private static void run(Page page) throws Exception {
    Map<Page.Block, List<Command>> commands = new LinkedHashMap<>();
    for (Page.Block block : page.blocks()) {
      if (block.language().equals("sh")) {
        commands.put(block, commands(page, page + ":" + block.line(), block));
      }
    }
    List<String> lines =
        commands.values().stream()
            .flatMap(List::stream)
            .filter(Command::isRun)
            .map(Command::text)
            .toList();
    PageDirectory fresh = new PageDirectory(directory, files);
    Iterator<PageDirectory.Result> results =
        (page.name().equals(RUN_BY_SCRIPT) ? fresh.runInShells(lines) : fresh.run(lines))
            .iterator();

    String printed = "";
    boolean ranAll = false;
    for (Page.Block block : page.blocks()) {
      String place = page + ":" + block.line();
      if (block.language().equals("sh")) {
        StringBuilder all = new StringBuilder();
        ranAll = true;
        for (Command command : commands.get(block)) {
          if (command.isRun()) {
            PageDirectory.Result result = results.next();
            assertThat(result.exitCode())
                .as("exit code at %s of %s, which printed%n%s", place, command.text(), result)
                .isEqualTo(command.exitCode());
            all.append(result.printed());
          } else {
            ranAll = false;
          }
        }
        printed = all.toString();
      } else if (block.language().equals("text") && block.follows() && ranAll) {
        assertThat(printed).as("printed at %s", place).matches(pattern(block.lines()));
      }
    }
  }

  /** A line of a block, without its comment. */
  private record Command(String text, boolean isRun, int exitCode) {}

  private static List<Command> commands(Page page, String place, Page.Block block) {
    String joined = String.join("\n", block.lines()).replaceAll("\\\\\n\\s*", "");
    List<Command> commands = new ArrayList<>();
    for (String line : joined.lines().toList()) {
      Matcher comment = COMMENT.matcher(line);
      String text = (comment.matches() ? comment.group(1) : line).strip();
      String said = comment.matches() ? comment.group(2) : "";
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      String first = text.replaceFirst("^([A-Z_]+=\\S+\\s+)*", "").split("\\s+", 2)[0];
      boolean isRunElsewhere = RUN_ELSEWHERE.contains(page + ": " + first);
      if (!RUN.contains(first) && !NOT_RUN.contains(first) && !isRunElsewhere) {
        fail("%s: %s: it is not known whether this is to be run", place, line);
      }
      Matcher exits = EXITS.matcher(said);
      commands.add(
          new Command(
              text,
              RUN.contains(first) && !isRunElsewhere,
              exits.matches() ? Integer.parseInt(exits.group(1)) : 0));
    }
    return commands;
  }

  private static Pattern pattern(List<String> lines) {
    return Pattern.compile(
        lines.stream()
            .map(
                line ->
                    Stream.of(line.stripTrailing().split("\\.\\.\\.", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")))
            .collect(Collectors.joining("[ \\t]*\\n", "\\s*", "\\s*")),
        Pattern.DOTALL);
  }
}
