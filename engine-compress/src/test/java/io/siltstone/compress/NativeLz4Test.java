package io.siltstone.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLz4Test {
  private static final int LENGTH = 5_000;
  private static final byte UNTOUCHED = 77;

  private final Lz4Compressor lz4 = Lz4Compressor.fast();
  private final Random random = new Random(3);
  @TempDir private Path folder;

  private ByteBuffer compressed(byte[] data) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(3 + lz4.maxCompressedLength(data.length));
    chunk.position(3);
    lz4.compress(ByteBuffer.wrap(data), chunk);
    return chunk.flip().position(3);
  }

  /** Skips the test on a Java that cannot do it. */
  private Compressor.PrefixDecompressor prefixes() {
    Compressor.PrefixDecompressor prefixes = lz4.prefixDecompressor();
    Assumptions.assumeTrue(prefixes != null);
    return Objects.requireNonNull(prefixes);
  }

  private byte[] text() {
    byte[] data = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      data[i] = (byte) (i > 60 && random.nextInt(20) > 0 ? data[i - 50] : random.nextInt());
    }
    return data;
  }

  @Test
  void eachPrefixIsTheBeginningOfTheChunkAndNothingIsWrittenAfterIt() throws IOException {
    Compressor.PrefixDecompressor prefixes = prefixes();
    byte[] data = text();
    ByteBuffer chunk = compressed(data);
    byte[] into = new byte[LENGTH + 10];
    for (int wanted = 1; wanted <= LENGTH; wanted++) {
      Arrays.fill(into, UNTOUCHED);
      assertThat(prefixes.decompress(chunk, into, wanted, LENGTH)).isEqualTo(wanted);
      assertThat(Arrays.equals(into, 0, wanted, data, 0, wanted)).isTrue();
      for (int i = wanted; i < into.length; i++) {
        assertThat(into[i]).isEqualTo(UNTOUCHED);
      }
    }
    assertThat(chunk.position()).isEqualTo(3);
  }

  @Test
  void aChunkOfAnotherLengthOrContentIsRefused() throws IOException {
    Compressor.PrefixDecompressor prefixes = prefixes();
    ByteBuffer chunk = compressed(text());
    byte[] into = new byte[2 * LENGTH];
    assertThatThrownBy(() -> prefixes.decompress(chunk, into, 10, LENGTH + 1))
        .isInstanceOf(IOException.class)
        .hasMessage("LZ4 chunk says it holds 5000 bytes, expected 5001");
    assertThatThrownBy(() -> prefixes.decompress(chunk, into, 10, LENGTH - 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("allowed 0 to 4999");
    ByteBuffer cut = chunk.duplicate().limit(40);
    assertThatThrownBy(() -> prefixes.decompress(cut, into, LENGTH - 1, LENGTH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("LZ4");
    assertThatThrownBy(() -> prefixes.decompress(chunk, new byte[10], 5, LENGTH))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** In processes of their own, as a JVM warns once. */
  @Test
  void theJvmWarnsOfNobodyButLz4Java() throws Exception {
    for (List<String> options :
        List.of(
            List.<String>of(),
            List.of("--enable-native-access=ALL-UNNAMED"),
            List.of("--illegal-native-access=deny"))) {
      int version = Runtime.version().feature();
      if (version < (options.contains("--illegal-native-access=deny") ? 24 : 17)
          || (!options.isEmpty() && version < 22)) {
        continue;
      }
      String printed = run(options);
      boolean isAllowed = options.isEmpty() ? version >= 24 : options.get(0).startsWith("--enable");
      assertThat(printed.lines().filter(line -> line.startsWith("prefix")))
          .as(options + ": " + printed)
          .containsExactly("prefix " + isAllowed);
      assertThat(printed)
          .doesNotContain("io.siltstone", "java.lang.foreign", "Linker", "Exception");
    }
  }

  private String run(List<String> options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), PrefixProbe.class.getName()));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
