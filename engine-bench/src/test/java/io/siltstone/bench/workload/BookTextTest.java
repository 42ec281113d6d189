package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class BookTextTest {
  private static final BookText TEXT = new BookText(1);

  private static String string(ByteBuffer bytes) {
    return StandardCharsets.US_ASCII.decode(bytes.duplicate()).toString();
  }

  @Test
  void valueFollowsFromKeyAndVersion() {
    BookText again = new BookText(1);
    Set<String> values = new HashSet<>();
    for (long key = 0; key < 100; key++) {
      for (long version = 1; version <= 10; version++) {
        ByteBuffer value = TEXT.value(BookValue.DEFAULT, key, version);
        assertThat(again.value(BookValue.DEFAULT, key, version)).isEqualTo(value);
        values.add(string(value));
      }
    }
    assertThat(values).hasSize(1_000);
    assertThat(new BookText(2).value(BookValue.DEFAULT, 1, 1))
        .isNotEqualTo(TEXT.value(BookValue.DEFAULT, 1, 1));
  }

  @Test
  void valueHasAsManyWordsAsAsked() {
    Set<Integer> counts = new HashSet<>();
    for (long key = 0; key < 2_000; key++) {
      String value = string(TEXT.value(new BookValue(10, 14), key, 1));
      assertThat(value).matches("[a-z0-9, ]+").doesNotEndWith(" ").doesNotStartWith(" ");
      counts.add(value.replaceAll("[0-9]+", "").trim().split("[ ,]+").length);
    }
    assertThat(counts).containsExactlyInAnyOrder(10, 11, 12, 13, 14);
  }

  @Test
  void compressesAsProseDoes() {
    byte[] chunk = new byte[16 * 1024];
    ByteBuffer filling = ByteBuffer.wrap(chunk);
    for (long key = 0; filling.hasRemaining(); key++) {
      ByteBuffer value = TEXT.value(BookValue.DEFAULT, key, 1);
      value.limit(value.position() + Math.min(value.remaining(), filling.remaining()));
      filling.put(value);
    }
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION);
    deflater.setInput(chunk);
    deflater.finish();
    int compressed = deflater.deflate(new byte[chunk.length]);
    deflater.end();
    assertThat((double) compressed / chunk.length).isBetween(0.3, 0.5);
  }

  @Test
  void textsOfSizesAreParsedAndPrinted() {
    assertThat(BookValue.parse("book(100, 200)")).isEqualTo(new BookValue(100, 200));
    assertThat(BookValue.DEFAULT).hasToString("book(100,200)");
    for (String text :
        new String[] {"book", "book(0,1)", "book(2,1)", "book(1,100001)", "text(1,2)"}) {
      assertThatThrownBy(() -> BookValue.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("book(")
          .hasMessageContaining("allowed");
    }
  }
}
