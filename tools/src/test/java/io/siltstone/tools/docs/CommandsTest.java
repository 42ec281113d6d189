package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.siltstone.tools.Siltstone;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the command lines of the documentation: those of one page in order, in one fresh directory
 * that has {@code siltstone} and {@code docs/sample}.
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
          "example/README.md: java",
          "example/README.md: curl");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String TRAINING = ".ClassArchiveTraining";

  private static final Pattern COMMENT = Pattern.compile("(.*?)\\s+#\\s(.*)");
  private static final Pattern EXITS = Pattern.compile(".*\\bexits (\\d+)\\b.*");

  @TempDir private static Path directory;

  private static String classPath;
  private static String archive;

  /**
   * Makes a class data archive, as the script of a checkout does, because commands start in half of
   * the time with it. Java archives only classes of jars.
   */
  @BeforeAll
  static void archiveClasses() throws Exception {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (!Files.isDirectory(path)) {
        jars.add(entry);
      } else if (!path.endsWith("test-classes")) {
        jars.add(jar(path, directory.resolve("classes-" + jars.size() + ".jar")).toString());
      }
    }
    classPath = String.join(File.pathSeparator, jars);
    archive = directory.resolve("classes.jsa").toString();
    List<String> command = new ArrayList<>(List.of(JAVA, "-XX:ArchiveClassesAtExit=" + archive));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
    command.addAll(List.of("-cp", classPath, Siltstone.class.getPackageName() + TRAINING));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private static Path jar(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> all = Files.walk(classes)) {
      out.setLevel(Deflater.NO_COMPRESSION);
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  @TestFactory
  Stream<DynamicTest> pages() {
    return Page.all().stream()
        .filter(page -> page.blocks().stream().anyMatch(block -> block.language().equals("sh")))
        .map(page -> DynamicTest.dynamicTest(page.name(), () -> run(page)));
  }

  private void run(Page page) throws Exception {
    Path fresh = Files.createTempDirectory(directory, "page");
    Path script = fresh.resolve("siltstone");
    Files.writeString(
        script,
        "#!/bin/sh\nexec '%s' %s -XX:SharedArchiveFile='%s' -cp '%s' %s \"$@\"\n"
            .formatted(JAVA, javaOptions(), archive, classPath, Siltstone.class.getName()));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path sample = Files.createDirectories(fresh.resolve("docs/sample"));
    for (String name : new String[] {"schema.cql", "readings.jsonl"}) {
      Files.copy(Page.ROOT.resolve("docs/sample").resolve(name), sample.resolve(name));
    }

    String printed = "";
    boolean ranAll = false;
    for (Page.Block block : page.blocks()) {
      String place = page + ":" + block.line();
      if (block.language().equals("sh")) {
        StringBuilder all = new StringBuilder();
        ranAll = true;
        for (Command command : commands(page, place, block)) {
          if (command.isRun()) {
            all.append(execute(fresh, place, command));
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

  /**
   * Returns options for a quick start, and without the warnings of later Javas, like the script.
   */
  private static String javaOptions() {
    int version = Runtime.version().feature();
    return "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m"
        + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
        + (version >= 22 ? " --enable-native-access=ALL-UNNAMED" : "")
        + (version >= 23 ? " --sun-misc-unsafe-memory-access=allow" : "");
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
      if (!RUN.contains(first)
          && !NOT_RUN.contains(first)
          && !RUN_ELSEWHERE.contains(page + ": " + first)) {
        fail("%s: %s: it is not known whether this is to be run", place, line);
      }
      Matcher exits = EXITS.matcher(said);
      commands.add(
          new Command(
              text, RUN.contains(first), exits.matches() ? Integer.parseInt(exits.group(1)) : 0));
    }
    return commands;
  }

  private static String execute(Path in, String place, Command command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(in.getParent(), "out", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", command.text())
            .directory(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    String path = in + ":" + builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
    builder.environment().put("PATH", path);
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      fail("%s: %s does not end", place, command.text());
    }
    String printed = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue())
        .as("exit code at %s of %s, which printed%n%s", place, command.text(), printed)
        .isEqualTo(command.exitCode());
    return printed;
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
