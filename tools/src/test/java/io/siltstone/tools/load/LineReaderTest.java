package io.siltstone.tools.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
  /** Returns a stream that returns at most a given number of bytes per read. */
  private static InputStream stream(String text, int atOnce) {
    return new ByteArrayInputStream(text.getBytes(UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, atOnce));
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void theLimitOfALineDoesNotDependOnTheSizeOfReads(int atOnce) throws IOException {
    String longest = "x".repeat(10);
    String tooLong = "x".repeat(11);
    LineReader lines =
        new LineReader(
            stream(
                longest
                    + "\r\n"
                    + tooLong
                    + "\n"
                    + longest
                    + "\n"
                    + tooLong
                    + "\r\nend\n"
                    + tooLong,
                atOnce),
            10);

    assertNext(lines, 1, longest);
    assertTooLong(lines, 2);
    assertNext(lines, 3, longest);
    assertTooLong(lines, 4);
    assertNext(lines, 5, "end");
    assertTooLong(lines, 6);
    assertThat(lines.next()).isFalse();
  }

  private static void assertNext(LineReader lines, long number, String text) throws IOException {
    assertThat(lines.next()).isTrue();
    assertThat(lines.lineNumber()).isEqualTo(number);
    assertThat(lines.text().toString()).isEqualTo(text);
  }

  private static void assertTooLong(LineReader lines, long number) {
    assertThatThrownBy(lines::next)
        .isInstanceOf(BadRowException.class)
        .hasMessageContaining("more than 10 bytes");
    assertThat(lines.lineNumber()).isEqualTo(number);
  }
}
