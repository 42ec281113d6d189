package io.siltstone.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.ExperimentSetting;
import io.siltstone.bench.experiment.Experiments;
import io.siltstone.bench.experiment.OtherEngines;
import io.siltstone.bench.experiment.Scale;
import io.siltstone.bench.experiment.UnknownEngineException;
import io.siltstone.bench.report.Machine;
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
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

class CassandraExperimentsTest {
  private static final String VERSION = Libraries.version("cassandra-all").split(" ", 2)[1];

  @TempDir Path directory;

  private final List<String> progress = new ArrayList<>();

  /** The experiment itself checks that all outputs have the rows of the input. */
  @Test
  @EnabledOnJre(JRE.JAVA_17)
  void bothCompactTheSameTablesIntoTheSameRows() throws IOException {
    String cassandra = "Cassandra " + VERSION;
    assertThat(run("compaction", Set.of(VERSION)))
        .contains("Figures of one round allow no conclusion", "## The limit")
        .contains("\n| wide partitions, 400 bytes | half | Siltstone, one thread | ")
        .contains("\n| wide partitions, 400 bytes | half | " + cassandra + " | ")
        .contains(cassandra + ": Apache Cassandra " + VERSION + "; lz4-java-")
        .contains("Siltstone, one and a pipeline of 1: this build; lz4-java-");
    // An input, made once and compacted by three configurations.
    assertThat(progress).filteredOn(line -> !line.startsWith("  still ")).hasSize(1 + 3);
    assertThat(directory).isEmptyDirectory();
  }

  /** Each read checks the number of its rows, and each output its version. */
  @Test
  @EnabledOnJre(JRE.JAVA_17)
  void bothReadAndWriteBothFormats() throws IOException {
    String cassandra = "Cassandra " + VERSION;
    assertThat(run("index", Set.of()))
        .contains("Of a partition of 2,000 rows, Siltstone with da reads, beside Siltstone, oa: ")
        .contains("; beside " + cassandra + ", da: ")
        .contains(
            "\n| a random row | Siltstone, oa | ", "\n| a random row | " + cassandra + ", da |")
        .contains("\n| a missing key, key cache | Siltstone, da | ")
        .contains("\n| flush, rows of 50 bytes | " + cassandra + ", da | ")
        .contains(cassandra + ", oa: Apache Cassandra " + VERSION + "; lz4-java-")
        .contains("Siltstone, da: this build; lz4-java-");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  @DisabledOnJre(JRE.JAVA_17)
  void otherJavasAreRefused() {
    assertThatThrownBy(() -> run("compaction", Set.of()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cassandra cannot run here: it needs Java 17, this is ");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void versionsThatAreNotThereAreRefused() {
    assertThatThrownBy(() -> run("compaction", Set.of("4.1.3")))
        .isInstanceOf(UnknownEngineException.class)
        .hasMessage("there is no engine 4.1.3, allowed " + VERSION);
    assertThat(directory).isEmptyDirectory();
  }

  private String run(String experiment, Set<String> only) throws IOException {
    String classPath = System.getProperty("java.class.path");
    return Experiments.named(experiment)
        .orElseThrow()
        .run(
            new ExperimentSetting(
                directory,
                Scale.TINY,
                OptionalInt.empty(),
                // Without the C2 compiler, the JVM of the other engine starts sooner.
                new ChildJvm(
                        classPath,
                        List.of(
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UnlockDiagnosticVMOptions",
                            "-XX:-BytecodeVerificationRemote"))
                    .replacedByThisJvm(),
                Optional.of(new OtherEngines(classPath, Map.of(VERSION, classPath), only)),
                new Kernel.Tree(directory.resolve("no-kernel")),
                Machine.of(directory, "test", List.of("siltstone", "bench", experiment)),
                progress::add))
        .markdown();
  }
}
