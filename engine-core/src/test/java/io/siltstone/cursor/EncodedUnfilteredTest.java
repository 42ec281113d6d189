package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bytes of an encoder are those of a finished row, and no others can be had. */
class EncodedUnfilteredTest {
  private final RowEncoding encoding =
      new RowEncoding(
          new SerializationHeader(
              CqlTypes.BLOB,
              List.of(),
              IntStream.range(0, 200)
                  .mapToObj(i -> new HeaderColumn(String.format("s%03d", i), CqlTypes.INT))
                  .toList(),
              List.of(),
              EncodingStats.NONE),
          true);
  private final UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);

  @Test
  void theBytesAreThoseOfTheArrayThatFinishHasGrown() throws IOException {
    encoder.beginStaticRow();
    Unfiltered row =
        new Unfiltered(encoding, (index, reason) -> new IOException(index + ": " + reason));
    encoder.finish(0).wrapWith(row);
    assertThat(row.isStatic()).isTrue();
    assertThat(row.isEmpty()).isTrue();
  }

  @Test
  void thereAreNoBytesBeforeTheFirstRowIsFinished() {
    encoder.beginStaticRow();
    assertThatThrownBy(() -> encoder.encoded().bytes()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theBytesOfARowAreGoneWhenTheNextOneBegins() {
    encoder.beginStaticRow();
    EncodedUnfiltered encoded = encoder.finish(0);
    assertThat(encoded.length()).isPositive();
    encoder.beginStaticRow();
    assertThatThrownBy(encoded::bytes).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(encoded::length).isInstanceOf(IllegalStateException.class);
  }
}
