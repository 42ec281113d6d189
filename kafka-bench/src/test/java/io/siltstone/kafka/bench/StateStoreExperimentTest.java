package io.siltstone.kafka.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.ExperimentSetting;
import io.siltstone.bench.experiment.Experiments;
import io.siltstone.bench.experiment.OtherEngines;
import io.siltstone.bench.experiment.Scale;
import io.siltstone.bench.experiment.UnknownEngineException;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.volume.Kernel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateStoreExperimentTest {
  @TempDir Path directory;

  private final List<String> progress = new ArrayList<>();

  /** The measurements themselves check all that they read. */
  @Test
  void storesOfBothAreMeasuredInOneProcess() throws IOException {
    String text = run(Set.of()).markdown();
    assertThat(text)
        .contains("Figures of one round allow no conclusion")
        .contains("\n| get | 100 | ", "\n| get | 1,000 | ", "\n| range of 20 | 100 | ")
        .contains("\n| restore, until the store is closed | 100 | RocksDB | ")
        .contains("\n| create a store, each of 4 | ", "\n| open 4 stores again | ")
        .contains("| more under load | ")
        .contains("\n| no stores | ", "\n| Siltstone | ", "\n| RocksDB | ")
        .contains("RocksDB (kafka-streams 4.4.0, rocksdbjni 10.1.3): ")
        .doesNotContain("NaN");
    assertThat(progress)
        .filteredOn(line -> line.startsWith("round "))
        .hasSize(7)
        .anyMatch(line -> line.startsWith("round 1 of 1, restore: restore, until the store is"));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void anotherEngineIsRefused() {
    assertThatThrownBy(() -> run(Set.of("LMDB")))
        .isInstanceOf(UnknownEngineException.class)
        .hasMessage("there is no engine LMDB, allowed RocksDB");
    assertThat(directory).isEmptyDirectory();
  }

  private Report run(Set<String> only) throws IOException {
    String classPath = System.getProperty("java.class.path");
    return Experiments.named("state-store")
        .orElseThrow()
        .run(
            new ExperimentSetting(
                directory,
                Scale.TINY,
                OptionalInt.empty(),
                // Without the C2 compiler, the JVM starts sooner.
                new ChildJvm(
                    classPath,
                    List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote")),
                Optional.of(new OtherEngines(classPath, Map.of(), only)),
                new Kernel.Tree(directory.resolve("no-kernel")),
                Machine.of(directory, "test", List.of("siltstone", "bench", "state-store")),
                progress::add));
  }
}
