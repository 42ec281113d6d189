package io.siltstone.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonDocumentTest {
  private final ByteArrayOutputStream out =
      new ByteArrayOutputStream() {
        @Override
        public void close() throws IOException {
          throw new IOException("the stream belongs to the caller");
        }
      };

  @Test
  void anObjectIsIndentedAndEndsItsLine() throws IOException {
    JsonDocument.writeObject(out, json -> json.writeNumberField("rows", 3));

    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\n  \"rows\" : 3\n}\n");
  }

  @Test
  void aLineHasNoIndentation() throws IOException {
    JsonDocument.writeLine(out, json -> json.writeArray(new int[] {1, 2}, 0, 2));
    JsonDocument.writeLine(out, json -> json.writeString("ü"));

    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[1,2]\n\"ü\"\n");
  }
}
