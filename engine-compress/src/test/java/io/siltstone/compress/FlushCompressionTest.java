package io.siltstone.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushCompressionTest {
  @ParameterizedTest
  @CsvSource({
    "LZ4Compressor,     LZ4Compressor",
    "SnappyCompressor,  SnappyCompressor",
    "NoopCompressor,    NoopCompressor",
    "ZstdCompressor,    LZ4Compressor",
    "DeflateCompressor, LZ4Compressor"
  })
  void aFlushIsFastWhereTheTableIsNot(String table, String flushed) {
    CompressionOptions options =
        CompressionOptions.fromMap(Map.of("class", table, "chunk_length_in_kb", "64"));

    CompressionOptions fast = FlushCompression.FAST.of(options);

    assertThat(fast.className()).isEqualTo(flushed);
    assertThat(fast.chunkLengthBytes()).isEqualTo(64 << 10);
    assertThat(FlushCompression.TABLE.of(options)).isSameAs(options);
    CompressionOptions none = FlushCompression.NONE.of(options);
    assertThat(none.className()).isEqualTo("NoopCompressor");
    assertThat(none.chunkLengthBytes()).isEqualTo(64 << 10);
  }

  @ParameterizedTest
  @CsvSource({"high, fast", "fast, fast"})
  void highCompressionOfLz4IsNotFast(String type, String flushed) {
    CompressionOptions options =
        CompressionOptions.fromMap(Map.of("class", "LZ4Compressor", "lz4_compressor_type", type));

    assertThat(
            FlushCompression.FAST
                .of(options)
                .compressorOptions()
                .getOrDefault("lz4_compressor_type", "fast"))
        .isEqualTo(flushed);
  }

  @ParameterizedTest
  @CsvSource({"TABLE", "FAST", "NONE"})
  void whatTheTableDoesNotCompressIsNotCompressed(FlushCompression flush) {
    assertThat(flush.of(CompressionOptions.NONE)).isSameAs(CompressionOptions.NONE);
  }
}
