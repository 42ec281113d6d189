package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.child.TestClassPath;
import io.siltstone.bench.compaction.CompactionLimit;
import io.siltstone.bench.experiment.CassandraCompactionExperiment.Input;
import io.siltstone.bench.experiment.CassandraCompactionExperiment.Side;
import io.siltstone.bench.report.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the experiment without Cassandra, which only the module bench-peers has. */
class CassandraCompactionExperimentTest {
  @TempDir private Path directory;

  @Test
  void whatLosesRowsIsToldOf() throws IOException {
    Tiny tiny = new Tiny();
    ExperimentSetting setting = tiny.setting("compaction", directory);
    OtherEngines losing = new OtherEngines("", Map.of("0.1", TestClassPath.get()), Set.of());
    assertThatThrownBy(
            () ->
                new CassandraCompactionExperiment()
                    .run(
                        new ExperimentSetting(
                            setting.directory(),
                            setting.scale(),
                            setting.rounds(),
                            setting.jvm(),
                            Optional.of(losing),
                            setting.kernel(),
                            setting.machine(),
                            setting.progress())))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "round 1 of 1, wide partitions, 400 bytes, half overlapping, Cassandra 0\\.1: 439 rows"
                + " in .*output, not 440");
    assertThat(tiny.progress).hasSize(1 + 2);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void ratiosAreOfTheRoundsAndTheirRangeOfTheInputs() throws IOException {
    Map<Input, Samples<Side>> samples = new LinkedHashMap<>();
    samples.put(new Input(50, false, false), samples(List.of(100, 130), List.of(50, 52)));
    samples.put(new Input(400, true, true), samples(List.of(300, 300), List.of(100, 100)));
    String text =
        new CassandraCompactionReport(samples, 2_048, 1, 3)
            .write(Machine.of(directory, "test", List.of("bench")), List.of("a note"), List.of())
            .markdown();
    assertThat(text)
        .contains(
            "Beside Cassandra 6.0 Siltstone is 2.25 to 3.00 times as fast with one thread, 4.50 to"
                + " 6.00 times with a pipeline of one more.",
            "\n| rows | overlap | one thread : Cassandra 6.0 | one and a pipeline of 1 : ",
            "\n| 50 bytes | none | 2.25 (2.00 to 2.50) | 4.50 (4.00 to 5.00) |",
            "\n| wide partitions, 400 bytes | half | 3.00 (3.00 to 3.00) | 6.00 (6.00 to 6.00) |",
            "\n| 50 bytes | none | Cassandra 6.0 | 51.0 | 50.0 | 52.0 | ",
            "Cassandra 6.0: its version; its LZ4; a heap of 2,048 MiB; a node",
            "| 50 bytes | none | 7.000 | 7.000 | 7.000 | 7.000 | 7.000 | 7.000 | 42.000 | 84 | 84 |",
            "in each of 2 rounds",
            "A note.");
  }

  private static Samples<Side> samples(List<Integer> own, List<Integer> other) {
    Samples<Side> samples = new Samples<>();
    for (int i = 0; i < own.size(); i++) {
      NamedValues first = result(own.get(i));
      CompactionLimit.STEPS.forEach(step -> first.put(step, 7.0));
      samples.add(Side.OWN.get(0), first);
      samples.add(Side.OWN.get(1), result(2 * own.get(i)));
      samples.add(new Side("6.0", 0), result(other.get(i)));
    }
    return samples;
  }

  private static NamedValues result(double speed) {
    NamedValues values =
        new NamedValues()
            .put("version", "its version")
            .put("lz4", "its LZ4")
            .put("mb_per_s", speed)
            .put("rows_in", 1_000_000);
    for (String name :
        List.of(
            "seconds",
            "cpu_s",
            "allocated_mb",
            "read_calls",
            "data_mb",
            "stored_mb",
            "output_mb")) {
      values.put(name, 50.0);
    }
    return values;
  }
}
