package io.siltstone.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class CompressionDictionaryTest {
  private static final CompressionOptions ZSTD =
      CompressionOptions.fromMap(
          Map.of(
              "class", "ZstdDictionaryCompressor",
              "compression_level", "5",
              "training_max_dictionary_size", "2KiB",
              "training_max_total_sample_size", "1MiB",
              "training_min_frequency", "1h"));

  private static List<byte[]> samples(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                ("reading " + i * 7919 + " of the station on the hill, verified by the office " + i)
                    .getBytes(StandardCharsets.US_ASCII))
        .toList();
  }

  /** The epoch is 2025-10-20 00:00 UTC. */
  @Test
  void anIdHasTheSecondsAndTheIdOfZstandard() {
    CompressionDictionary dictionary =
        CompressionDictionary.train(samples(500), ZSTD, 1_760_889_600_000L + 17_500);
    assertThat(dictionary.id() >>> 32).isEqualTo(17);
    byte[] bytes = dictionary.toBytes();
    long ofZstandard = 0;
    for (int i = 7; i >= 4; i--) {
      ofZstandard = ofZstandard << 8 | bytes[i] & 0xff;
    }
    assertThat(dictionary.id() & 0xffff_ffffL).isEqualTo(ofZstandard).isPositive();
    assertThat(dictionary.length()).isBetween(256, 2048);
    CompressionDictionary later =
        CompressionDictionary.train(samples(500), ZSTD, 1_760_889_600_000L + 18_000);
    assertThat(later.id()).isGreaterThan(dictionary.id());
    assertThat(later.toBytes()).isEqualTo(bytes);
    assertThat(later).isNotEqualTo(dictionary);
  }

  /** The checksum is a CRC32C of kind, id (its least byte first) and bytes. */
  @Test
  void theChecksumIsCassandras() {
    assertThat(CompressionDictionary.of(0x0102030405060708L, new byte[] {1, 2, 3}).checksum())
        .isEqualTo(checksum(new byte[] {0, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3}));
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  @Test
  void whatCannotBeADictionaryIsRefused() {
    assertThatThrownBy(() -> CompressionDictionary.of(0, new byte[1]))
        .hasMessage(
            "compression dictionary 0 of 1 bytes, allowed are ids from 1 and 1 to 16777216 bytes");
    assertThatThrownBy(() -> CompressionDictionary.of(1, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CompressionDictionary.train(samples(10), ZSTD, 0))
        .hasMessage("a dictionary of 10 samples, needed are 11");
    assertThatThrownBy(
            () -> CompressionDictionary.train(Collections.nCopies(20, new byte[0]), ZSTD, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no dictionary can be made of 20 samples with 0 bytes: ");
    assertThatThrownBy(
            () -> CompressionDictionary.train(samples(20), CompressionOptions.DEFAULT, 0))
        .hasMessage("LZ4Compressor takes no dictionary, but ZstdDictionaryCompressor does");
  }

  @Test
  void optionsOfTrainingAreCheckedAndKept() {
    assertThat(ZSTD.compressorOptions()).containsEntry("training_min_frequency", "1h");
    assertThat(CompressionOptions.fromMap(ZSTD.toMap())).isEqualTo(ZSTD);
    assertThat(ZSTD.maxSampleBytes()).isEqualTo(1 << 20);
    assertThatThrownBy(
            () ->
                CompressionOptions.fromMap(
                    Map.of(
                        "class", "ZstdDictionaryCompressor",
                        "training_max_dictionary_size", "64KB",
                        "training_min_frequency", "soon")))
        .hasMessage(
            "compression: training_max_dictionary_size = 64KB, allowed 256B to 16777216B, also in"
                + " KiB, MiB, GiB; training_min_frequency = soon, allowed e.g. 0m, 1h, 7d");
    assertThatThrownBy(
            () ->
                CompressionOptions.fromMap(
                    Map.of("class", "ZstdCompressor", "training_min_frequency", "1h")))
        .hasMessageContaining("unknown option training_min_frequency = 1h of ZstdCompressor");
  }

  @Test
  void withoutADictionaryItIsZstandardOfTheSameLevel() {
    CompressionOptions plain = ZSTD.withoutDictionary();
    assertThat(plain)
        .isEqualTo(
            CompressionOptions.fromMap(
                Map.of("class", "ZstdCompressor", "compression_level", "5")));
    assertThat(CompressionOptions.DEFAULT.withoutDictionary())
        .isEqualTo(CompressionOptions.DEFAULT);
  }
}
