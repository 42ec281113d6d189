package io.siltstone.pipeline;

import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.DataObserver;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A chunked file of random make and content. */
final class TestFile {
  static final String DATA = "oa-1-big-Data.db";
  static final String INFO = "oa-1-big-CompressionInfo.db";

  private final CompressionOptions options;
  private final byte[] data;

  TestFile(CompressionOptions options, byte[] data) {
    this.options = options;
    this.data = data;
  }

  /** What is in it. */
  byte[] data() {
    return data;
  }

  static TestFile random(Random random, int mostBytes) {
    CompressionOptions options =
        random.nextInt(4) == 0
            ? CompressionOptions.NONE
            : CompressionOptions.fromMap(
                Map.of(
                    "class",
                    random.nextInt(5) == 0 ? "DeflateCompressor" : "LZ4Compressor",
                    "chunk_length_in_kb",
                    Integer.toString(1 << random.nextInt(10)),
                    "min_compress_ratio",
                    random.nextBoolean() ? "0" : "1.1"));
    return new TestFile(options, content(random, 1 + random.nextInt(mostBytes)));
  }

  /** Runs of words and of noise. */
  static byte[] content(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    for (int at = 0; at < length; ) {
      int run = Math.min(length - at, 1 + random.nextInt(20_000));
      if (random.nextInt(3) > 0) {
        for (int i = 0; i < run; i++) {
          bytes[at + i] = (byte) "siltstone settles ".charAt(i % 18);
        }
      }
      at += run;
    }
    return bytes;
  }

  ChunkWriter writer(Directory directory, MemoryBudget memory, @Nullable Executor executor)
      throws IOException {
    return ChunkWriter.create(
        directory,
        DATA,
        INFO,
        options,
        memory,
        WriteIntent.COMPACTION,
        new PipelineExecutors(executor, executor),
        DataObserver.NONE);
  }

  /** Writes it; returns what the writer said of the size on disk after each write. */
  List<Long> write(
      Directory directory, MemoryBudget memory, @Nullable Executor executor, Random parts)
      throws IOException {
    List<Long> sizes = new ArrayList<>();
    try (ChunkWriter writer = writer(directory, memory, executor)) {
      write(writer, parts, sizes);
      writer.finish();
      sizes.add(writer.onDiskPosition());
      sizes.add(writer.digest());
    }
    return sizes;
  }

  void write(ChunkWriter writer, Random parts, List<Long> sizes) throws IOException {
    for (int at = 0; at < data.length; ) {
      int part = Math.min(data.length - at, parts.nextInt(1 << (1 + parts.nextInt(17))));
      writer.write(data, at, part);
      at += part;
      if (writer.position() != at) {
        throw new AssertionError("position " + writer.position() + " after " + at + " bytes");
      }
      sizes.add(writer.onDiskPosition());
    }
  }

  ChunkedFile open(Directory directory, MemoryBudget memory) throws IOException {
    return options.isEnabled()
        ? ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1)
        : ChunkedFile.openPlain(directory, DATA, INFO, memory, 1);
  }

  static byte[] stored(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.read(0, bytes, 0, bytes.length);
      return bytes;
    }
  }

  @Override
  public String toString() {
    return data.length + " bytes, " + options;
  }
}
