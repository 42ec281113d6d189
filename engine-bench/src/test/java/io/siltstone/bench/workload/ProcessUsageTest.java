package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
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
  void threadsThatEndDoNotHideWhatOthersAllocate() throws Exception {
    CountDownLatch allocated = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              byte[][] much = new byte[50][];
              for (int i = 0; i < much.length; i++) {
                much[i] = new byte[1_000_000];
              }
              allocated.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted beside " + much.length, e);
              }
            });
    other.start();
    allocated.await();
    ProcessUsage before = ProcessUsage.now();
    end.countDown();
    other.join();
    byte[] mine = new byte[1_000_000];
    assertThat(ProcessUsage.now().since(before).allocatedBytes())
        .isGreaterThanOrEqualTo(mine.length);
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
