package io.siltstone.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.ExperimentSetting;
import io.siltstone.bench.experiment.Experiments;
import io.siltstone.bench.experiment.OtherEngines;
import io.siltstone.bench.experiment.Scale;
import io.siltstone.bench.experiment.UnknownEngineException;
import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.volume.Kernel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersTest {
  @TempDir Path directory;

  private final List<String> progress = new ArrayList<>();

  /** The measurement itself checks every result of every engine. */
  @Test
  void everyEngineTakesPart() throws IOException {
    String text = run(Set.of());
    for (String name : List.of("LMDB", "LevelDB", "MVStore", "RocksDB", "Xodus")) {
      assertThat(text).contains("\n| " + name + " | ");
    }
    boolean hasCassandra = Runtime.version().feature() == 17;
    assertThat(text)
        .contains(
            hasCassandra ? "\n| Cassandra | " : "Cassandra did not take part: it needs Java 17")
        .contains("one round allow no conclusion", "RocksDB (rocksdbjni ")
        .doesNotContain("${");
    assertThat(rounds()).hasSize(hasCassandra ? 7 : 6);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void onlyThoseThatAreNamedTakePart() throws IOException {
    assertThat(run(Set.of("RocksDB")))
        .contains("\n| Siltstone | ", "\n| RocksDB | ")
        .contains("## Beside the published figures", "\n| RocksDB: missing keys | 1.4M/s | ")
        .doesNotContain("LMDB");
    assertThat(rounds()).hasSize(2);
    assertThatThrownBy(() -> run(Set.of("Rocks")))
        .isInstanceOf(UnknownEngineException.class)
        .hasMessageStartingWith("there is no engine Rocks, allowed Siltstone, Cassandra, ");
  }

  /** Returns the lines on what was measured, without those that say how long it takes. */
  private List<String> rounds() {
    return progress.stream().filter(line -> line.startsWith("round ")).toList();
  }

  private String run(Set<String> only) throws IOException {
    return Experiments.named("peers")
        .orElseThrow()
        .run(
            new ExperimentSetting(
                directory,
                Scale.TINY,
                OptionalInt.empty(),
                new ChildJvm(
                    System.getProperty("java.class.path"),
                    List.of(
                        "-XX:+UseSerialGC",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote")),
                Optional.of(
                    new OtherEngines(System.getProperty("java.class.path"), Map.of(), only)),
                new Kernel.Tree(directory.resolve("no-kernel")),
                Machine.of(directory, "test", List.of("siltstone", "bench", "peers")),
                progress::add))
        .markdown();
  }

  @Test
  void versionsAreThoseOfTheBuild() {
    assertThat(ServiceLoader.load(Peer.class).stream().map(peer -> peer.get().version()))
        .hasSize(7)
        .contains("Siltstone, this build")
        .allSatisfy(
            version -> assertThat(version).matches("Siltstone, this build|\\S+ \\d+\\.\\S+"));
  }
}
