package io.siltstone.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.siltstone.bench.volume.Kernel;
import io.siltstone.bench.volume.LimitedVolume;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
  private final ChildJvm jvm =
      new ChildJvm(TestClassPath.get(), List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
          .withMemory(40, 16);

  @TempDir Path directory;

  /** Returns its parameters. */
  public static final class Echo implements Measurement {
    @Override
    @SuppressWarnings("SystemOut")
    public NamedValues run(NamedValues parameters) {
      System.out.println("noise that is no result");
      return new NamedValues()
          .putAll(parameters)
          .put("heap_mib", Runtime.getRuntime().maxMemory() >> 20)
          .put("pid", ProcessHandle.current().pid());
    }
  }

  /** Prints too much, then fails. */
  public static final class Failing implements Measurement {
    @Override
    @SuppressWarnings("SystemOut")
    public NamedValues run(NamedValues parameters) throws IOException {
      for (int i = 0; i < 20_000; i++) {
        System.err.println("line " + i);
      }
      throw new IOException("the disk is gone");
    }
  }

  @Test
  void valuesGoInAndComeOutOfAnotherProcess() throws IOException {
    NamedValues result =
        jvm.run(
            Echo.class.getName(),
            new NamedValues()
                .put("whole", 1L << 40)
                .put("number", 0.25)
                .put("text", "a \"quoted\" line\n of ümlauts")
                .put("series", List.of(1.0, 2.5)),
            null);
    assertThat(result.whole("whole")).isEqualTo(1L << 40);
    assertThat(result.number("number")).isEqualTo(0.25);
    assertThat(result.text("text")).isEqualTo("a \"quoted\" line\n of ümlauts");
    assertThat(result.series("series")).containsExactly(1.0, 2.5);
    assertThat(result.whole("heap_mib")).isBetween(30L, 40L);
    assertThat(result.whole("pid")).isNotEqualTo(ProcessHandle.current().pid());
  }

  @Test
  void aFailureTellsWhatTheChildSaidLast() {
    assertThatIOException()
        .isThrownBy(() -> jvm.run(Failing.class.getName(), new NamedValues(), null))
        .withMessageStartingWith("the measurement ChildJvmTest$Failing failed with exit code 1: ")
        .withMessageContaining("line 19999")
        .withMessageContaining("the disk is gone")
        .withMessageNotContainingAny("line 10000");
    assertThatIOException()
        .isThrownBy(
            () -> jvm.with("-XX:NoSuchOption").run(Echo.class.getName(), new NamedValues(), null))
        .withMessageContaining("NoSuchOption");
  }

  @Test
  void thisJvmTakesThePlaceOfAChild() throws IOException {
    ChildJvm here = jvm.replacedByThisJvm().withMemory(50, 16).with("-ea");
    NamedValues result =
        here.run(Echo.class.getName(), new NamedValues().put("number", 0.25), null);
    assertThat(result.number("number")).isEqualTo(0.25);
    assertThat(result.whole("pid")).isEqualTo(ProcessHandle.current().pid());
    assertThatIOException()
        .isThrownBy(() -> here.run(Failing.class.getName(), new NamedValues(), null))
        .withMessageStartingWith("the measurement ChildJvmTest$Failing failed: ")
        .withMessageContaining("the disk is gone");
  }

  @Test
  void limitsOfThisMachineAreSetOrToldAndUndone() throws IOException {
    VolumeLimits limits = new VolumeLimits(100_000, 10L << 30, 1L << 30);
    try (LimitedVolume volume = LimitedVolume.open(directory, limits, Kernel.MACHINE)) {
      NamedValues result = jvm.run(Echo.class.getName(), new NamedValues().put("a", 1), volume);
      assertThat(result.whole("a")).isEqualTo(1);
      // Limited by the kernel or by the process itself, depending on the rights of the user.
      assertThat(volume.left().readsPerSecond()).isIn(0L, 100_000L);
      assertThat(volume.notes()).isNotEmpty();
    }
  }

  @Test
  void valuesRefuseWhatTheyHaveNot() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NamedValues().put("a", 1).number("b"))
        .withMessageContaining("b = null of [a]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NamedValues().put("rate", 1.0 / 0))
        .withMessageContaining("rate is Infinity");
    assertThatIOException().isThrownBy(() -> NamedValues.parse("[1]"));
    assertThatIOException().isThrownBy(() -> NamedValues.parse("{\"a\": null}"));
  }
}
