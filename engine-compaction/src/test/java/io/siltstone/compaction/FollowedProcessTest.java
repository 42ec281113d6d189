package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reader refreshes while another process writes, flushes, compacts and alters: it always sees all
 * that was acknowledged before the refresh, and a state that the database has had at one moment.
 */
class FollowedProcessTest {
  private static final int ROUNDS = 13 * Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 17);

  private static final DatabaseOptions READ_ONLY =
      FollowedProcess.options().toBuilder().readOnly(true).compaction(Compaction.none()).build();

  @TempDir private Path temporary;

  @Test
  void aReaderFollowsAProcess() throws Exception {
    Path directory = temporary.resolve("database");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", classPath(), FollowedProcess.class.getName()));
    command.addAll(List.of(directory.toString(), String.valueOf(ROUNDS), String.valueOf(SEED)));
    Path errors = temporary.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    AtomicInteger acknowledged = new AtomicInteger();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      assertThat(said.readLine()).as(Files.readString(errors)).isEqualTo("1");
      acknowledged.set(1);
      Thread listener = new Thread(() -> listen(said, acknowledged));
      listener.start();
      try (Database reader = Database.open(directory, READ_ONLY)) {
        CompletableFuture<Integer> beside =
            CompletableFuture.supplyAsync(() -> readWhile(process, reader));
        int refreshes = 0;
        while (process.isAlive()) {
          follow(reader, acknowledged);
          refreshes++;
        }
        assertThat(beside.join()).isPositive();
        listener.join();
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        follow(reader, acknowledged);
        assertThat(acknowledged.get()).isEqualTo(ROUNDS);
        assertThat(refreshes).isGreaterThan(3);
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
  }

  private static void listen(BufferedReader said, AtomicInteger acknowledged) {
    try {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        acknowledged.set(Integer.parseInt(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads while another thread refreshes; returns how often. */
  private static int readWhile(Process process, Database reader) {
    int reads = 0;
    try {
      Table table = reader.table("w", "t");
      int[] before = new int[FollowedProcess.KEYS];
      while (process.isAlive()) {
        int[] now = values(table.read(table.query().build()));
        requireOneMoment(now);
        for (int k = 0; k < now.length; k++) {
          assertThat(now[k]).isGreaterThanOrEqualTo(before[k]);
        }
        before = now;
        reads++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reads;
  }

  private static void follow(Database reader, AtomicInteger acknowledged) throws IOException {
    Table table = reader.table("w", "t");
    try (LiveRows before = table.read(table.query().build())) {
      int least = acknowledged.get();
      reader.refresh();
      int[] now = values(table.read(table.query().build()));
      requireOneMoment(now);
      assertThat(now[now.length - 1]).isGreaterThanOrEqualTo(least);
      // Files that the writer has deleted meanwhile are read to their end.
      int[] old = values(before);
      requireOneMoment(old);
      assertThat(old[0]).isLessThanOrEqualTo(now[0]);
    }
    assertThat(reader.tables()).hasSizeBetween(1, 2);
  }

  private static int[] values(LiveRows rows) throws IOException {
    int[] values = new int[FollowedProcess.KEYS];
    try (rows) {
      for (Row row : rows) {
        values[row.getInt("k")] = row.getInt("v");
      }
    }
    return values;
  }

  /** Keys are written in their order: the first ones may be a round ahead. */
  private static void requireOneMoment(int[] values) {
    int[] sorted = values.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < values.length; i++) {
      assertThat(values[i])
          .as("%s", Arrays.toString(values))
          .isEqualTo(sorted[sorted.length - 1 - i]);
    }
    assertThat(values[0] - values[values.length - 1]).isBetween(0, 1);
  }

  private static String classPath() {
    if (FollowedProcessTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }
}
