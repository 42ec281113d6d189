package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Interrupts commands that rewrite SSTables, each in its own process, with SIGINT, as by Ctrl-C.
 */
@DisabledOnOs(OS.WINDOWS)
class InterruptedCompactionTest {
  private static final int INTERRUPTED = 128 + 2;

  @TempDir private Path temporary;
  private Path table;

  /** Creates two SSTables of random bytes, which take some minutes at 64 KiB per second. */
  @BeforeEach
  void directory() throws IOException {
    Path database = temporary.resolve("db");
    try (Database db =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table made = db.createTable("CREATE TABLE ks.rows (k int PRIMARY KEY, v blob)");
      Random random = new Random(1);
      for (int i = 0; i < 8; i++) {
        byte[] value = new byte[1 << 20];
        random.nextBytes(value);
        made.write(made.mutation(i).insert().set("v", ByteBuffer.wrap(value)).build());
        if (i % 4 == 3) {
          made.flush();
        }
      }
    }
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      table = Files.move(tables.findFirst().orElseThrow(), temporary.resolve("rows"));
    }
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "scrub", "recompress --chunk-length 4"})
  void whatWasBegunIsUndoneAndNamed(String command) throws Exception {
    Set<String> before = files();
    Path err = temporary.resolve("err.txt");
    Process process = start(command, err);
    try {
      // Until the files of a new SSTable were created.
      while (process.isAlive() && files().stream().noneMatch(name -> name.endsWith(".db.tmp"))) {
        LockSupport.parkNanos(1_000_000);
      }
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    String said = Files.readString(err);
    assertThat(said).contains("siltstone: interrupted, undone: ").contains("oa-1-big");
    assertThat(said).contains("their files are as they were");
    assertThat(said.contains("the new compression stays in schema.cql"))
        .as(said)
        .isEqualTo(command.startsWith("recompress"));
    assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
    assertThat(files()).isEqualTo(before);
  }

  private Process start(String command, Path err) throws IOException {
    String[] words = command.split(" ", -1);
    return new ProcessBuilder(
            Stream.of(
                    Stream.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Siltstone.class.getName()),
                    Arrays.stream(words),
                    Stream.of("--compaction-throughput", "64KiB", table.toString()))
                .flatMap(part -> part)
                .toList())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(err.toFile())
        .start();
  }
}
