package io.siltstone.compress;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Zstandard, with and without a dictionary, makes nothing per chunk. */
class ZstdAllocationTest {
  private static final int CHUNKS = 2_000;
  private static final long FEW_BYTES = 32 << 10;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * From Java 22 on, zstd-jni makes two memory segments for each call, until the second compiler
   * has compiled it.
   */
  @EnabledForJreRange(max = JRE.JAVA_21)
  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void nothingIsAllocatedPerChunk(boolean hasDictionary, boolean isDirect) throws IOException {
    CompressionOptions options =
        CompressionOptions.fromMap(Map.of("class", "ZstdDictionaryCompressor"));
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      samples.add(("sample " + i * 7_919 + " of the text").getBytes(StandardCharsets.US_ASCII));
    }
    options =
        hasDictionary
            ? options.withDictionary(CompressionDictionary.train(samples, options, 0))
            : options.withoutDictionary();
    try (Compressor compressor = options.newCompressor()) {
      byte[] text = "sample 12 of the text, ".repeat(180).getBytes(StandardCharsets.US_ASCII);
      ByteBuffer plain = buffer(isDirect, text.length).put(text).flip();
      ByteBuffer stored = buffer(isDirect, compressor.maxCompressedLength(text.length));
      ByteBuffer read = buffer(isDirect, text.length);
      round(compressor, plain, stored, read, 100);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      round(compressor, plain, stored, read, CHUNKS);
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(FEW_BYTES);
      assertThat(read.flip()).isEqualTo(plain.rewind());
    }
  }

  private static ByteBuffer buffer(boolean isDirect, int length) {
    return isDirect ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }

  private static void round(
      Compressor compressor, ByteBuffer plain, ByteBuffer stored, ByteBuffer read, int count)
      throws IOException {
    for (int i = 0; i < count; i++) {
      compressor.compress(plain.rewind(), stored.clear());
      compressor.decompress(stored.flip(), read.clear());
    }
  }
}
