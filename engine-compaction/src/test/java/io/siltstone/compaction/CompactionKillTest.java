package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is killed while compactions run. Afterwards the database opens by itself, all
 * acknowledged writes are there, and of each job either the inputs or the outputs. {@code
 * -Dsiltstone.kills} is the number of kills.
 */
class CompactionKillTest {
  private static final long SEED = Long.getLong("siltstone.seed", 49);
  private static final int KILLS = Integer.getInteger("siltstone.kills", 2);
  private static final int KILLS_PER_DATABASE = 4;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  @TempDir private Path temporary;

  // The last acknowledged numbers of the database that is written.
  private final int[] acknowledged = new int[CompactingProcess.THREADS];

  @Test
  void eachJobIsDoneOrNot() throws Exception {
    Random random = new Random(SEED);
    String strategy = "";
    for (int kill = 0; kill < KILLS; kill++) {
      if (kill % KILLS_PER_DATABASE == 0) {
        Arrays.fill(acknowledged, 0);
        strategy = CompactionStory.strategy(random.nextLong());
      }
      Path directory = temporary.resolve("database" + kill / KILLS_PER_DATABASE);
      compactAndKill(directory, strategy, random);
      requireAllThere(directory, "seed " + SEED + ", kill " + kill + ", " + strategy);
    }
  }

  private void compactAndKill(Path directory, String strategy, Random random) throws Exception {
    int jobs = 1 + random.nextInt(12);
    long nanos = random.nextInt(20_000_000);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", classPath(), CompactingProcess.class.getName()));
    command.addAll(List.of(directory.toString(), strategy, Long.toString(random.nextLong())));
    Path errors = temporary.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      assertThat(said.readLine()).as(Files.readString(errors)).isEqualTo("open");
      int begun = 0;
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (!line.equals(CompactingProcess.JOB)) {
          note(line);
        } else if (++begun == jobs) {
          assertThat(process.waitFor(nanos, TimeUnit.NANOSECONDS)).isFalse();
          // The process is ended through its handle, so that its output can still be read.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
    // 128 and the signal: it has not ended by itself.
    int exit = process.waitFor();
    assertThat(exit).as(Files.readString(errors)).isEqualTo(137);
  }

  private void note(String line) {
    int space = line.indexOf(' ');
    int thread = Integer.parseInt(line.substring(0, space));
    acknowledged[thread] = Integer.parseInt(line.substring(space + 1));
  }

  private static String classPath() {
    if (CompactionKillTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  private void requireAllThere(Path directory, String when) throws IOException {
    List<List<Integer>> found;
    try (Database database =
        Database.open(directory, CompactingProcess.options().readOnly(true).build())) {
      Table table = database.table("ks", "t");
      found = CompactingProcess.numbers(table);
      requireEachRowOnce(directory, live(table), when);
    }
    for (int thread = 0; thread < acknowledged.length; thread++) {
      int last = CompactingProcess.last(found.get(thread));
      assertThat(last)
          .as("%s, thread %s", when, thread)
          .isBetween(acknowledged[thread], acknowledged[thread] + 1);
      assertThat(found.get(thread))
          .as("%s, thread %s", when, thread)
          .isEqualTo(CompactingProcess.after(last));
      acknowledged[thread] = last;
    }
    try (Database database =
        Database.open(
            directory, CompactingProcess.options().compaction(Compaction.none()).build())) {
      Table table = database.table("ks", "t");
      assertThat(CompactingProcess.numbers(table)).as(when).isEqualTo(found);
      CompactionStory.requireNothingLeft(NioDirectory.openExisting(directory), live(table));
    }
  }

  private static List<Descriptor> live(Table table) throws IOException {
    return table.live().tables().stream().map(LiveTable::descriptor).toList();
  }

  /** Each row was written once: if inputs and outputs of a job are live, it is there twice. */
  private void requireEachRowOnce(Path directory, List<Descriptor> live, String when)
      throws IOException {
    if (live.isEmpty()) {
      return;
    }
    Directory keyspace = NioDirectory.openExisting(directory).directory("data").directory("ks");
    Directory files = keyspace.directory(keyspace.directories().get(0));
    Set<String> rows = new HashSet<>();
    for (Descriptor descriptor : live) {
      try (SSTable table = SSTable.open(files, descriptor, SSTableOptions.DEFAULT, memory);
          DataCursor cursor = table.scan()) {
        while (cursor.nextPartition()) {
          while (cursor.nextUnfiltered()) {
            Unfiltered row = cursor.unfiltered();
            if (!row.isMarker() && row.nextColumn()) {
              String name = cursor.key() + " " + number(row.clustering());
              assertThat(rows.add(name)).as("%s: %s, %s", when, descriptor, name).isTrue();
            }
          }
        }
      }
    }
  }

  private static @Nullable Object number(Clustering clustering) {
    return CqlTypes.INT.decode(
        clustering.bytes(), clustering.valueOffset(0), clustering.valueLength(0));
  }
}
