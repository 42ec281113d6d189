package io.siltstone.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.UnreadableFileException;
import io.siltstone.io.UnsupportedFileException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrintableTextTest {
  @Test
  void textWithoutControlCharactersIsTheSameObject() {
    for (String text : new String[] {"", "plain", "größe 日本 \ud83d\ude00 \\n"}) {
      assertThat(PrintableText.of(text)).isSameAs(text);
    }
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(PrintableText.of("a\nb\r\tc\u001b[31md\u0000\u007f\u0085"))
        .isEqualTo("a\\nb\\r\\tc\\u001b[31md\\u0000\\u007f\\u0085");
    assertThat(PrintableText.of("\u2028\u2029\u202e\u2066\ud800x\udc00"))
        .isEqualTo("\\u2028\\u2029\\u202e\\u2066\\ud800x\\udc00");
  }

  @Test
  void messagesOfFilesHaveNoControlCharacters() {
    String path = "/a\nb\u001b[2J/oa-1-big-Data.db";
    String escaped = "/a\\nb\\u001b[2J/oa-1-big-Data.db";
    assertThat(new CorruptFileException(path, 7, "name 'x\ny'"))
        .hasMessage(escaped + " at offset 7: name 'x\\ny'")
        .returns(path, CorruptFileException::path);
    assertThat(new UnreadableFileException(path, 7, new IOException("bad\n")))
        .hasMessage(escaped + " cannot be read at offset 7: bad\\n")
        .returns(path, UnreadableFileException::path);
    assertThat(new UnsupportedFileException(path, "compressor 'x\ny'", null))
        .hasMessage(escaped + ": compressor 'x\\ny'")
        .returns(path, UnsupportedFileException::path);
  }
}
