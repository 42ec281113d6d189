package io.siltstone.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionOptionsTest {
  /** Else what is compressed as the table says would be compressed again and again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1",
        "1.05",
        "1.1",
        "1.15",
        "1.2",
        "1.25",
        "1.3",
        "1.33",
        "1.5",
        "2",
        "2.5",
        "3",
        "7.77",
        "1.23456789",
        "999.5"
      })
  void whatAFileSaysIsWhatTheTableSaid(String ratio) {
    for (int kib : new int[] {1, 4, 16, 64, 16384}) {
      CompressionOptions options =
          CompressionOptions.fromMap(
              Map.of(
                  "class",
                  "ZstdCompressor",
                  "compression_level",
                  "5",
                  "chunk_length_in_kb",
                  Integer.toString(kib),
                  "min_compress_ratio",
                  ratio));
      CompressionOptions read =
          CompressionOptions.ofFile(
              options.className(),
              options.chunkLengthBytes(),
              options.maxCompressedLength(),
              options.compressorOptions());
      assertThat(read).isEqualTo(options).hasSameHashCodeAs(options);
      assertThat(read.maxCompressedLength()).isEqualTo(options.maxCompressedLength());
      CompressionOptions again = CompressionOptions.fromMap(read.toMap());
      assertThat(again.maxCompressedLength()).isEqualTo(options.maxCompressedLength());
      if (kib == 16384 && ratio.length() <= 4) {
        assertThat(read.minCompressRatio()).isEqualTo(Double.parseDouble(ratio));
      }
    }
  }
}
