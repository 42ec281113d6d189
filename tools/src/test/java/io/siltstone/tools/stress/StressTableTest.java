package io.siltstone.tools.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bench.stress.StressListener;
import io.siltstone.bench.workload.Gauges;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.WorkloadSample;
import io.siltstone.statistics.CacheStatistics;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StressTableTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StressTable table = new StressTable(new PrintStream(out, true, UTF_8));

  private void sample(int seconds, int interval, int perSecond) {
    table.sampled(
        new WorkloadSample(
            seconds,
            interval,
            new Latency((long) perSecond * interval, 1, 1, 1, 1, 1),
            new Latency(0, 1, 1, 1, 1, 1),
            0,
            0,
            new Gauges(0, 0, 0, 0, 0, 0, 0, 0, new CacheStatistics(0, 0, 0, 0, 0, 0))));
  }

  /** Returns the columns of 1, 5 and 15 minutes in the last line. */
  private List<String> rates() {
    List<String> lines = out.toString(UTF_8).lines().toList();
    String[] cells = lines.get(lines.size() - 1).strip().split(" +", -1);
    return Arrays.asList(cells).subList(3, 6);
  }

  @Test
  void ratesOfATimeThatHasNotPassedAreMarkedMeansSinceTheBeginning() {
    table.begins(StressListener.Phase.RUN);
    assertThat(out.toString(UTF_8)).contains("~ before operations/s").hasLineCount(1);
    sample(20, 20, 100);
    assertThat(rates()).containsExactly("~100", "~100", "~100");
    sample(40, 20, 300);
    assertThat(rates()).containsExactly("~200", "~200", "~200");
    sample(60, 20, 500);
    assertThat(rates()).containsExactly("300", "~300", "~300");
    sample(80, 20, 700);
    assertThat(rates()).containsExactly("500", "~400", "~400");
  }
}
