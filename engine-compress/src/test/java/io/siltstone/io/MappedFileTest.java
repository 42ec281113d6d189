package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedFileTest {
  /** In processes of their own, as each JIT compiler raises the JVM's error elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xmixed", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
  void eachReadOfPagesThatAreGoneSaysFileAndOffset(String compiler, @TempDir Path directory)
      throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                compiler,
                "-XX:ErrorFile=" + directory.resolve("error"),
                "-cp",
                System.getProperty("java.class.path"),
                CutFileReader.class.getName(),
                directory.resolve("file").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(read(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(read(output)).isEqualToIgnoringNewLines("right true unreadable true wrong 0");
  }

  @Test
  void whatIsLentStaysMappedUntilTheLoanEnds(@TempDir Path directory) throws IOException {
    Path path = directory.resolve("file");
    byte[] content = new byte[20_000];
    new Random(5).nextBytes(content);
    Files.write(path, content);
    MappedFile file = MappedFile.open(path);
    ReadableFile.Loan loan = file.loan();
    for (int from : new int[] {0, 1, 4095, 4096, 19_999}) {
      int length = Math.min(9_000, content.length - from);
      ByteBuffer lent = Objects.requireNonNull(loan.begin(from, length));
      if (from == 19_999) {
        file.close();
      }
      assertThat(lent).isEqualTo(ByteBuffer.wrap(content, from, length));
      assertThat(lent.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
      loan.end();
    }
    assertThat(loan.begin(0, 20_001)).isNull();
    assertThatThrownBy(() -> loan.begin(0, 1)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
