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
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.volume.Kernel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeersTest {
  private static final int KEYS = 500;

  @TempDir Path directory;

  private final List<String> progress = new ArrayList<>();

  private static final boolean IS_LARGE = Integer.getInteger("siltstone.scale", 1) > 1;

  /**
   * The measurement itself checks every result of every engine. Each engine takes part with {@code
   * siltstone.scale}, and otherwise one of each kind: Cassandra, a tree of native code, a log of
   * it.
   */
  @Test
  void enginesTakePart() throws IOException {
    boolean hasCassandra = Runtime.version().feature() == 17;
    String text = run("peers", IS_LARGE ? Set.of() : Set.of("Cassandra", "LMDB", "RocksDB"));
    for (String name :
        IS_LARGE
            ? List.of("LMDB", "LevelDB", "MVStore", "RocksDB", "Xodus")
            : List.of("LMDB", "RocksDB")) {
      assertThat(text).contains("\n| " + name + " | ");
    }
    assertThat(text)
        .contains(
            hasCassandra ? "\n| Cassandra | " : "Cassandra did not take part: it needs Java 17")
        .contains("one round allow no conclusion", "RocksDB (rocksdbjni ", "\n| Siltstone | ")
        .contains("## Beside the published figures", "\n| RocksDB: missing keys | 1.4M/s | ")
        .doesNotContain("${");
    assertThat(text.contains("Xodus")).as("those that are not named do not").isEqualTo(IS_LARGE);
    assertThat(rounds()).hasSize((IS_LARGE ? 6 : 3) + (hasCassandra ? 1 : 0));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aLargeLoadIsComparedTillCompactionHasEnded() throws IOException {
    String text = run("load", Set.of("RocksDB"));
    assertThat(text)
        .contains(
            "\n| RocksDB | ", "\n| Siltstone | ", "\n| longest put | ", "RocksDB (rocksdbjni ")
        .contains("500 entries are read and compared");
    assertThat(rounds()).hasSize(2);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> run("peers", Set.of("Rocks")))
        .isInstanceOf(UnknownEngineException.class)
        .hasMessageStartingWith("there is no engine Rocks, allowed Siltstone, Cassandra, ");
  }

  static Stream<Peer> otherPeers() {
    return ServiceLoader.load(Peer.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(peer -> !Set.of("Cassandra", "LMDB").contains(peer.name()));
  }

  /** The engines that need no JVM options, so that this JVM can run them. */
  @ParameterizedTest
  @MethodSource("otherPeers")
  void answersWhatWasPut(Peer peer) throws Exception {
    assertThat(peer.jvmOptions()).isEmpty();
    assertThat(peer.unavailable()).isEmpty();
    PeerOptions options = new PeerOptions(16, 8 << 20, 8 << 20);
    assertThat(peer.setting(options)).isNotBlank();
    for (int opening = 0; opening < 2; opening++) {
      Path own = Files.createDirectory(directory.resolve("opened" + opening));
      try (PeerStore store = peer.open(own, options)) {
        for (int i = 0; i < KEYS; i++) {
          store.put(bytes("key%05d", i), bytes("first%d", i));
        }
        store.put(bytes("key%05d", 7), bytes("second%d", 7));
        store.flush();
        store.compact();
        for (int i = 0; i < KEYS; i++) {
          assertThat(store.get(bytes("key%05d", i)))
              .isEqualTo(bytes(i == 7 ? "second%d" : "first%d", i));
        }
        assertThat(store.get(bytes("key%05d", KEYS))).isNull();
        assertThat(store.scan(null, Long.MAX_VALUE).entries()).isEqualTo(KEYS);
        assertThat(store.scan(bytes("key%05d", 100), 20).entries()).isEqualTo(20);
      }
    }
  }

  private static byte[] bytes(String format, int number) {
    return format.formatted(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the lines on what was measured, without those that say how long it takes. */
  private List<String> rounds() {
    return progress.stream().filter(line -> line.startsWith("round ")).toList();
  }

  private String run(String experiment, Set<String> only) throws IOException {
    return Experiments.named(experiment)
        .orElseThrow()
        .run(
            new ExperimentSetting(
                directory,
                Scale.TINY,
                OptionalInt.empty(),
                new ChildJvm(
                        System.getProperty("java.class.path"),
                        // Without the C2 compiler, the JVM of another engine starts sooner.
                        List.of(
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UnlockDiagnosticVMOptions",
                            "-XX:-BytecodeVerificationRemote"))
                    .replacedByThisJvm(),
                Optional.of(
                    new OtherEngines(System.getProperty("java.class.path"), Map.of(), only)),
                new Kernel.Tree(directory.resolve("no-kernel")),
                Machine.of(directory, "test", List.of("siltstone", "bench", experiment)),
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
