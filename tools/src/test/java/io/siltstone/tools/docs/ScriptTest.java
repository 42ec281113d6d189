package io.siltstone.tools.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the script {@code siltstone}, in a source tree and in an unpacked tar, with a Java that
 * prints its arguments.
 */
@DisabledOnOs(OS.WINDOWS)
class ScriptTest {
  @TempDir private Path directory;

  /** Where archives of classes are made; nowhere, unless a test sets it. */
  private Path cache = Path.of("/dev/null");

  @Test
  void theTreeIsFoundWhateverCdpathSays() throws Exception {
    Path tree = tree("tools");

    assertThat(siltstone(tree, "info"))
        .isEqualTo(
            "-cp\n%s/tools/target/tools.jar:%s/tools/target/lib/*\n%s\ninfo\n"
                .formatted(tree, tree, "io.siltstone.tools.Siltstone"));
  }

  @Test
  void anUnpackedTarRunsWithItsOwnLibraries() throws Exception {
    Path tree = tree();
    Files.delete(tree.resolve("pom.xml"));
    Files.createDirectory(tree.resolve("lib"));

    assertThat(siltstone(tree, "info"))
        .isEqualTo("-cp\n%s/lib/*\nio.siltstone.tools.Siltstone\ninfo\n".formatted(tree));
  }

  /**
   * Maven is replaced by a script that creates the directory it is given, and prints the version.
   */
  @Test
  void theVersionsOfCassandraThatAreAskedForAreGotOnce() throws Exception {
    Path tree = tree("tools", "bench-peers");
    Path cassandra = tree.resolve("bench-peers/target/cassandra");
    script(
        directory.resolve("bin/mvn"),
        """
        #!/bin/sh
        for argument in "$@"; do
          case $argument in
            -Dcassandra.version=*) version=${argument#*=} ;;
            -DoutputDirectory=*) directory=${argument#*=} ;;
          esac
        done
        mkdir "$directory"
        echo "$version" > "$directory/version"
        """);

    assertThat(siltstone(tree, "bench", "compaction", "--rounds", "1", "--beside", "4.0.1,4.1.2"))
        .endsWith("--beside\n4.0.1,4.1.2\n--peers\n" + tree + "/bench-peers/target\n");
    assertThat(versions(cassandra)).containsExactly("4.0.1", "4.1.2");
    assertThat(cassandra.resolve("4.1.2/version")).hasContent("4.1.2");

    siltstone(tree, "bench", "compaction", "--beside=4.1.2,5.0.0");
    assertThat(versions(cassandra)).containsExactly("4.0.1", "4.1.2", "5.0.0");

    siltstone(tree, "bench", "index");
    assertThat(versions(cassandra)).containsExactly("4.0.1", "4.1.2", "5.0.0", "5.0.9");

    siltstone(tree, "bench", "compaction");
    assertThat(versions(cassandra))
        .containsExactly("4.0.1", "4.1.2", "5.0.0", "5.0.9", "6.0-alpha2");
  }

  @Test
  void campaignsAreAModuleOfTheirOwn() throws Exception {
    Path tree = tree("campaigns");

    assertThat(siltstone(tree, "campaign", "kill", "--rounds", "1"))
        .isEqualTo(
            "-Dsiltstone.commit=\n-cp\n%s/campaigns/target/campaigns.jar:%s/campaigns/target/lib/*\n%s\nkill\n--rounds\n1\n"
                .formatted(tree, tree, "io.siltstone.campaigns.Campaigns"));
  }

  @Test
  void stateStoresAreBesideThoseOfAModuleOfTheirOwn() throws Exception {
    Path tree = tree("tools", "kafka-bench");

    assertThat(siltstone(tree, "bench", "state-store", "--rounds", "1"))
        .endsWith("\nbench\nstate-store\n--rounds\n1\n--peers\n" + tree + "/kafka-bench/target\n");
  }

  /** Java is replaced by a script that makes the archive it is asked for. */
  @Test
  void theSecondCommandHasAnArchiveOfTheClasses() throws Exception {
    Path tree = tree("tools");
    cache = directory.resolve("cache");
    script(
        directory.resolve("java/bin/java"),
        """
        #!/bin/sh
        for argument in "$@"; do
          case $argument in -XX:ArchiveClassesAtExit=*) echo classes > "${argument#*=}" ;; esac
        done
        printf '%s\\n' "$@"
        """);

    assertThat(siltstone(tree, "info")).startsWith("-cp\n");
    Path archive = archiveAfter(null);
    assertThat(siltstone(tree, "info")).startsWith("-XX:SharedArchiveFile=" + archive + "\n");

    Files.writeString(archive, "class");
    assertThat(siltstone(tree, "info")).startsWith("-cp\n");
    archiveAfter(null);
    assertThat(siltstone(tree, "info")).startsWith("-XX:SharedArchiveFile=" + archive + "\n");

    Files.writeString(tree.resolve("tools/target/tools.jar"), "another version");
    assertThat(siltstone(tree, "info")).startsWith("-cp\n");
    archiveAfter(archive);
  }

  /** Waits until there is no other archive than a new one, and returns it. */
  private Path archiveAfter(@Nullable Path before) throws Exception {
    Path home = cache.resolve("siltstone");
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      List<Path> files = Files.exists(home) ? list(home) : List.of();
      List<Path> archives =
          files.stream().filter(file -> file.toString().endsWith(".jsa")).toList();
      if (archives.size() == 1
          && files.size() == 2
          && !archives.get(0).equals(before)
          && isWhole(archives.get(0))) {
        return archives.get(0);
      }
      assertThat(System.nanoTime()).as("%s", files).isLessThan(end);
      Thread.sleep(20);
    }
  }

  private static boolean isWhole(Path archive) throws IOException {
    return Files.readString(archive).equals("classes\n");
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    }
  }

  private static List<String> versions(Path directory) throws IOException {
    return list(directory).stream()
        .map(version -> String.valueOf(version.getFileName()))
        .sorted()
        .toList();
  }

  /**
   * Returns a tree with the script, in which modules were built after all sources, of which there
   * are none.
   */
  private Path tree(String... built) throws IOException {
    Path tree = Files.createDirectories(directory.toRealPath().resolve("tree"));
    Files.createFile(tree.resolve("pom.xml"));
    script(tree.resolve("siltstone"), Files.readString(Page.ROOT.resolve("siltstone")));
    for (String module : built) {
      Files.createFile(
          Files.createDirectories(tree.resolve(module + "/target")).resolve("siltstone.built"));
    }
    Path home = Files.createDirectory(directory.resolve("java"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    script(
        Files.createDirectory(home.resolve("bin")).resolve("java"),
        "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    Files.createDirectory(directory.resolve("bin"));
    return tree;
  }

  /** Runs the script, and returns the arguments of its Java. */
  private String siltstone(Path tree, String... arguments) throws Exception {
    Path out = directory.resolve("out.txt");
    List<String> command = new ArrayList<>(List.of("/bin/sh", "tree/siltstone"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(requireNonNull(tree.getParent()).toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
    builder.environment().put("CDPATH", tree.getParent().toString());
    builder
        .environment()
        .merge("PATH", directory.resolve("bin").toString(), (path, own) -> own + ":" + path);
    builder.environment().remove("SILTSTONE_JAVA_OPTS");
    builder.environment().put("XDG_CACHE_HOME", cache.toString());
    Process process = builder.start();
    process.getOutputStream().close();

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
