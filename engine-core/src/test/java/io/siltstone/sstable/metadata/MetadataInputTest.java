package io.siltstone.sstable.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataInputTest {

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 127, 128, 16_383, 1L << 28, 1L << 55, 1L << 56, Long.MAX_VALUE, -1, -300})
  void vintsOfEveryLengthComeBack(long value) throws CorruptSSTableException {
    MetadataOutput out = new MetadataOutput();
    out.vint(value);
    byte[] bytes = out.toByteArray();
    MetadataInput in = new MetadataInput("file", bytes, 0, bytes.length);
    assertThat(in.vint()).isEqualTo(value);
    assertThat(in.remaining()).isZero();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> new MetadataInput("file", cut, 0, cut.length).vint())
          .isInstanceOf(CorruptSSTableException.class);
    }
  }

  @Test
  void aTypeThatIsNotKnownIsNoDamage() {
    assertThatThrownBy(() -> withText("ListType(com.example.Weekday)").type())
        .isInstanceOf(UnsupportedSSTableException.class)
        .hasMessageContaining("file: ")
        .hasMessageContaining("unknown type com.example.Weekday");
    assertThatThrownBy(() -> withText("ListType(UTF8Type").type())
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("at offset 0");
  }

  private static MetadataInput withText(String text) {
    MetadataOutput out = new MetadataOutput();
    out.utf8(text);
    byte[] bytes = out.toByteArray();
    return new MetadataInput("file", bytes, 0, bytes.length);
  }
}
