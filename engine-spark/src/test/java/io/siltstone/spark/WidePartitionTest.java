package io.siltstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.spark.driver.DriverProcess;
import io.siltstone.spark.driver.WideJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A partition of {@code -Dsiltstone.rows=} rows is written and read in the smallest heap that Spark
 * accepts, however many they are.
 */
@EnabledIfSystemProperty(named = "siltstone.rows", matches = "\\d+")
final class WidePartitionTest {
  private static final int HEAP_MIB = 512;

  @TempDir Path directory;

  @Test
  void heapDoesNotDependOnThePartition() throws Exception {
    Path log = directory.resolve("log");
    Path target = directory.resolve("table");
    List<String> arguments = List.of(target.toString(), System.getProperty("siltstone.rows"));
    Process job = DriverProcess.start(directory, log, HEAP_MIB, WideJob.class, arguments);
    try {
      assertThat(job.waitFor(9, TimeUnit.MINUTES)).isTrue();
    } finally {
      job.destroyForcibly();
    }
    assertThat(Files.readString(log)).contains("written", "read again");
  }
}
