package io.siltstone.bench.jmh;

import io.siltstone.bench.workload.BookText;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmarks a file of chunks: {@code write} compresses, writes and syncs 3 MiB of text, {@code
 * read} fetches, checks and decompresses a random chunk.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ChunkBenchmark {
  private static final int BYTES = 3 << 20;
  private static final String DATA = "data";
  private static final String INFO = "info";

  /** {@code chunk_length_in_kb}. */
  @Param({"4", "16", "64"})
  public int chunkLengthKib;

  /** Class name of the compressor. */
  @Param({"LZ4Compressor", "ZstdCompressor", "SnappyCompressor", "DeflateCompressor"})
  public String compressor;

  private ScratchDirectory scratch;
  private MemoryBudget budget;
  private CompressionOptions options;
  private ChunkedFile file;
  private ChunkSource source;
  private final byte[] text = new byte[BYTES];
  private final byte[] chunk = new byte[64 * 1024];
  private final SplittableRandom random = new SplittableRandom(5);
  private int generation;

  /** Writes the file that is read. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    ByteBuffer book = new BookText(1).piece(0, BYTES, BYTES);
    book.get(text);
    scratch = ScratchDirectory.make();
    budget = PooledMemory.unlimited();
    options =
        CompressionOptions.fromMap(
            Map.of("class", compressor, "chunk_length_in_kb", Integer.toString(chunkLengthKib)));
    write(DATA, INFO);
    file = ChunkedFile.openCompressed(scratch.files(), DATA, INFO, budget, 1.0);
    source = file.openRandom();
  }

  /** Removes all files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    source.close();
    file.close();
    budget.close();
    scratch.close();
  }

  private void write(String data, String info) throws IOException {
    try (ChunkWriter writer =
        ChunkWriter.create(scratch.files(), data, info, options, budget, WriteIntent.FLUSH)) {
      writer.write(text, 0, text.length);
      writer.finish();
    }
  }

  /** Writes text in memory to a synced file. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public void write() throws IOException {
    generation++;
    write(DATA + generation, INFO + generation);
    scratch.files().delete(DATA + generation);
    scratch.files().delete(INFO + generation);
  }

  /** Reads a random chunk. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public int read() throws IOException {
    int length = options.chunkLengthBytes();
    long at = random.nextLong(file.chunkCount()) * length;
    return source.read(at, chunk, 0, length);
  }
}
