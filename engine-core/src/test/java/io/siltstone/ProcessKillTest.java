package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.SyncMode;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that is killed while it writes, flushes or recovers: in every sync mode all that it has
 * acknowledged is there, and no half batch. {@code -Dsiltstone.kills} says how often it is killed
 * in each mode.
 */
class ProcessKillTest {
  private static final long SEED = Long.getLong("siltstone.seed", 47);
  private static final int KILLS = Integer.getInteger("siltstone.kills", 7);
  private static final int KILLS_PER_DATABASE = 7;

  @TempDir private Path temporary;

  // Of the database that is written: the last numbers that were acknowledged, and how many writes
  // that were not may be there nevertheless.
  private final int[] acknowledged = new int[KilledProcess.THREADS];
  private int killsSinceLook;

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void whatWasAcknowledgedIsThere(SyncMode mode) throws Exception {
    Random random = new Random(SEED);
    for (int kill = 0; kill < KILLS; kill++) {
      Path directory = temporary.resolve(mode + "-" + kill / KILLS_PER_DATABASE);
      if (kill % KILLS_PER_DATABASE == 0) {
        Arrays.fill(acknowledged, 0);
        killsSinceLook = 0;
      }
      writeAndKill(directory, mode, random);
      // The others recover what is left of two runs, or more.
      if (random.nextBoolean() || kill % KILLS_PER_DATABASE == KILLS_PER_DATABASE - 1) {
        requireAllThere(directory, mode, "seed " + SEED + ", kill " + kill);
      }
    }
  }

  private void writeAndKill(Path directory, SyncMode mode, Random random) throws Exception {
    boolean isKilledEarly = random.nextInt(4) == 0;
    long nanos = random.nextInt(30_000_000);
    int lines = 1 + random.nextInt(400);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", classPath(), KilledProcess.class.getName()));
    command.addAll(List.of(directory.toString(), mode.name(), Long.toString(random.nextLong())));
    File errors = temporary.resolve("errors").toFile();
    Process process = new ProcessBuilder(command).redirectError(errors).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      assertThat(said.readLine()).isEqualTo("opening");
      if (isKilledEarly) {
        boolean ended = process.waitFor(nanos, TimeUnit.NANOSECONDS);
        assertThat(ended).isFalse();
        process.toHandle().destroyForcibly();
      } else {
        assertThat(said.readLine()).as("see %s", errors).isEqualTo("open");
      }
      // By its handle, which leaves us what the process has said.
      int count = 0;
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        note(line);
        if (++count == lines) {
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
    // 128 and the signal: it has not ended by itself.
    assertThat(process.waitFor()).as("see %s", errors).isEqualTo(137);
    killsSinceLook++;
  }

  private void note(String line) {
    if (!line.equals("open")) {
      int space = line.indexOf(' ');
      int thread = Integer.parseInt(line.substring(0, space));
      acknowledged[thread] = Integer.parseInt(line.substring(space + 1));
    }
  }

  static String classPath() {
    if (ProcessKillTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  private void requireAllThere(Path directory, SyncMode mode, String when) throws IOException {
    try (Database database = Database.open(directory, KilledProcess.options(mode))) {
      if (database.findTable("w", "others").isEmpty()) {
        assertThat(acknowledged).as(when).containsOnly(0);
        return;
      }
      for (int thread = 0; thread < acknowledged.length; thread++) {
        List<Integer> rows = numbers(database.table("w", "rows"), thread);
        assertThat(rows.size())
            .as("%s, thread %s", when, thread)
            .isLessThanOrEqualTo(acknowledged[thread] + killsSinceLook);
        assertThat(rows)
            .as("%s, thread %s", when, thread)
            .hasSizeGreaterThanOrEqualTo(acknowledged[thread]);
        assertThat(rows)
            .as("%s, thread %s", when, thread)
            .isEqualTo(IntStream.rangeClosed(1, rows.size()).boxed().toList());
        List<Integer> others = numbers(database.table("w", "others"), thread);
        assertThat(others)
            .as("%s, thread %s", when, thread)
            .isEqualTo(
                rows.stream().filter(number -> number % KilledProcess.BATCH_EVERY == 0).toList());
        acknowledged[thread] = rows.size();
      }
      killsSinceLook = 0;
    }
  }

  private static List<Integer> numbers(Table table, int thread) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    try (LiveRows rows = table.read(table.query().partition(thread).build())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        numbers.add(row.getInt("n"));
      }
    }
    numbers.sort(null);
    return numbers;
  }
}
