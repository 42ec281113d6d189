package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A partition that is far larger than the heap is written, flushed, compacted and read by a process
 * of its own. {@code -Dsiltstone.rows=30000000} makes it a campaign.
 */
class WidePartitionTest {
  private static final long SEED = Long.getLong("siltstone.seed", 51);
  private static final int ROWS = Integer.getInteger("siltstone.rows", 125_000);

  @TempDir private Path temporary;

  @Test
  void needsNoHeapThatGrowsWithThePartition() throws Exception {
    Path said = temporary.resolve("said");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The JVM's own limit of off-heap memory would otherwise be that of the heap.
    command.addAll(List.of("-Xmx24m", "-XX:MaxDirectMemorySize=96m", "-XX:+UseSerialGC"));
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of("-cp", classPath(), WidePartitionProcess.class.getName()));
    command.add(temporary.resolve("data").toString());
    command.addAll(List.of(Integer.toString(ROWS), Long.toString(SEED)));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      // On a busy machine, too; only a process that does not end takes so long.
      long seconds = 600L + ROWS / 1_000;
      assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).as("it ends in time").isTrue();
    } finally {
      process.toHandle().destroyForcibly();
    }
    assertThat(Files.readString(said))
        .as("seed %s", SEED)
        .endsWith(WidePartitionProcess.DONE + "\n");
    assertThat(process.exitValue()).isZero();
  }

  private static String classPath() {
    if (WidePartitionTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }
}
