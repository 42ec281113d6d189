package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProcessUsageTest {
  @TempDir Path directory;

  @Test
  void whatIsUsedBetweenTwoMomentsIsCounted() {
    ProcessUsage before = ProcessUsage.now();
    byte[][] kept = new byte[100][];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = new byte[100_000];
    }
    ProcessUsage used = ProcessUsage.now().since(before);
    assertThat(used.allocatedBytes()).isGreaterThanOrEqualTo(kept.length * 100_000L);
    assertThat(used.cpuNanos()).isNotNegative();
    assertThat(used.collections()).isNotNegative();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void readsAndWritesOfTheProcessAreCounted() throws Exception {
    Path file = directory.resolve("file");
    ProcessUsage before = ProcessUsage.now();
    Files.write(file, new byte[1 << 20]);
    Files.readAllBytes(file);
    ProcessUsage used = ProcessUsage.now().since(before);
    if (Files.isReadable(Path.of("/proc/self/io"))) {
      assertThat(used.readCalls()).isPositive();
      assertThat(used.diskWrittenBytes()).isNotNegative();
    }
  }

  @Test
  void temporaryDirectoryGoesWithWhatIsInIt() throws Exception {
    Path path;
    try (TemporaryDirectory temporary = TemporaryDirectory.in(directory, "some-")) {
      path = temporary.path();
      Files.createDirectories(path.resolve("a/b"));
      Files.write(path.resolve("a/b/c"), new byte[10]);
      assertThat(path).startsWith(directory);
    }
    assertThat(path).doesNotExist();
    assertThat(directory).exists();
  }
}
