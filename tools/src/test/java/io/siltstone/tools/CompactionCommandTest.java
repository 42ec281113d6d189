package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.monitor.WeatherProcess;
import io.siltstone.tools.terminal.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionCommandTest {
  @TempDir private Path directory;

  private static Run compaction(String... arguments) {
    List<String> all = new ArrayList<>(List.of("compaction"));
    all.addAll(Arrays.asList(arguments));
    return Run.of(all.toArray(new String[0]));
  }

  private static String ok(String... arguments) {
    Run run = compaction(arguments);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  private static String document(String... arguments) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.add("--json");
    return ok(all.toArray(new String[0])).replaceAll("\\s", "");
  }

  private static String state(Path place, long limit, boolean isPaused, int jobs) {
    return "{\"places\":[{\"place\":\"%s\",\"compaction_throughput_bytes_per_second\":%d,\"paused\":%s,\"jobs_at_work\":%d}]}"
        .formatted(place, limit, isPaused, jobs);
  }

  private static void refused(String message, String... arguments) {
    Run run = compaction(arguments);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void pausesResumesSlowsAndCancelsWhatAProcessDoes() throws Exception {
    try (WeatherProcess running = WeatherProcess.startBusy(directory)) {
      String pid = running.pid();
      String place = directory.toRealPath() + ": ";
      assertThat(ok("throughput", "--pid", pid)).isEqualTo(place + "0.1 MiB/s\n");
      assertThat(ok("throughput", "128KiB", "--pid", pid)).isEqualTo(place + "0.1 MiB/s\n");
      assertThat(ok("pause", "--pid", pid)).isEqualTo(place + "paused, 1 job running\n");
      assertThat(Run.of("compactionstats", "--pid", pid).out()).contains("paused");
      assertThat(document("pause", "--pid", pid))
          .isEqualTo(state(directory.toRealPath(), 128 * 1024, true, 1));
      assertThat(document("throughput", "96KiB", "--pid", pid))
          .isEqualTo(state(directory.toRealPath(), 96 * 1024, true, 1));
      // While the job exists: without one, resuming may start one at once.
      assertThat(ok("resume", "--pid", pid)).isEqualTo(place + "resumed, 1 job running\n");
      assertThat(document("resume", "--pid", pid))
          .isEqualTo(state(directory.toRealPath(), 96 * 1024, false, 1));
      assertThat(ok("pause", "--pid", pid)).isEqualTo(place + "paused, 1 job running\n");

      String job =
          Run.of("compactionstats", "--pid", pid)
              .out()
              .lines()
              .filter(line -> line.contains("noise") && line.contains("bytes"))
              .map(line -> line.strip().replaceFirst(" .*", ""))
              .findFirst()
              .orElseThrow();
      refused("there is no job none, running are [" + job + "]", "cancel", "none", "--pid", pid);
      assertThat(document("cancel", job, "--pid", pid))
          .isEqualTo("{\"jobs\":[{\"id\":\"" + job + "\",\"cancelled\":true}]}");
      while (Run.of("compactionstats", "--pid", pid).out().contains(job)) {
        // It ends when its thread checks for cancellation.
      }
      assertThat(ok("cancel", "--all", "--pid", pid)).isEqualTo("no job is running\n");
      assertThat(document("cancel", "--all", "--pid", pid)).isEqualTo("{\"jobs\":[]}");
      assertThat(ok("throughput", "0", "--pid", pid)).isEqualTo(place + "no limit\n");
      assertThat(document("pause", "--pid", pid))
          .isEqualTo(state(directory.toRealPath(), 0, true, 0));
    }
  }

  @Test
  void refusesWhatItCannotDo() {
    refused("name either --pid or --jmx", "pause");
    refused("ports from 1 to 65535", "pause", "--jmx", "localhost:70000");
    refused("must be given together", "pause", "--pid", "1", "--jmx-user", "operator");
    refused("name either jobs or --all", "cancel", "--pid", "1");
    refused("name either jobs or --all", "cancel", "--all", "id", "--pid", "1");
    refused("SIZE = 1, allowed 0 (no limit) or ", "throughput", "1", "--pid", "1");
    refused("SIZE", "throughput", "fast", "--pid", "1");
  }
}
