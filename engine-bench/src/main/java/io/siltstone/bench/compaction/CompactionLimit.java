package io.siltstone.bench.compaction;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.chunk.CompressionInfo;
import io.siltstone.compress.Compressor;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The limit of a compaction by one thread: the CPU time that reading, checksums, the codec and
 * writing take alone for the same bytes, without a merge. Each data file of the input is read from
 * the page cache, its chunks are checked and decompressed; the chunks of each data file of the
 * output are compressed again, checksummed and written, with one sync at the end.
 *
 * <pre>
 *   input      directory of the SSTables that were compacted
 *   output     directory of the SSTables that came out
 *   directory  for a file that is written and removed
 *   warm_ups   number of repetitions to warm up
 *   runs       number of timed repetitions, 1 or more
 * </pre>
 *
 * Returns, as series with a value for each timed repetition, the seconds of CPU time {@code
 * read_s}, {@code input_crc_s}, {@code decompress_s}, {@code compress_s}, {@code output_crc_s},
 * {@code write_s}.
 */
public final class CompactionLimit implements Measurement {
  /** The names of the returned series. */
  public static final List<String> STEPS =
      Stream.of(Step.values()).map(step -> step.series).toList();

  /** Chunks are read and written in pieces of this size, as by the engine. */
  private static final int PIECE_BYTES = 256 * 1024;

  private static final long MEMORY_BYTES = 64L << 20;
  private static final double NANOS = 1e9;
  private static final String DATA = "-Data.db";

  private enum Step {
    READ("read_s"),
    INPUT_CRC("input_crc_s"),
    DECOMPRESS("decompress_s"),
    COMPRESS("compress_s"),
    OUTPUT_CRC("output_crc_s"),
    WRITE("write_s");

    private final String series;

    Step(String series) {
      this.series = series;
    }
  }

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path input = Path.of(parameters.text("input"));
    Path output = Path.of(parameters.text("output"));
    Path work = Path.of(parameters.text("directory"));
    List<StepTimes> runs = new ArrayList<>();
    long warmUps = parameters.whole("warm_ups");
    for (long i = 0; i < warmUps + parameters.whole("runs"); i++) {
      StepTimes times = new StepTimes();
      try (MemoryBudget budget = PooledMemory.withLimit(MEMORY_BYTES)) {
        readAll(input, budget, times);
        writeAll(output, work, budget, times);
      }
      if (i >= warmUps) {
        runs.add(times);
      }
    }
    NamedValues result = new NamedValues();
    for (Step step : Step.values()) {
      result.put(step.series, runs.stream().map(run -> run.seconds(step)).toList());
    }
    return result;
  }

  private static List<String> dataFiles(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> requireNonNull(file.getFileName()).toString())
          .filter(name -> name.endsWith(DATA))
          .sorted()
          .toList();
    }
  }

  private static void readAll(Path input, MemoryBudget budget, StepTimes times) throws IOException {
    Directory directory = NioDirectory.open(input);
    for (String name : dataFiles(input)) {
      try (StoredChunks chunks = new StoredChunks(directory, name, budget)) {
        while (chunks.next(times)) {
          // The times are all that is wanted.
        }
      }
    }
  }

  private static void writeAll(Path output, Path work, MemoryBudget budget, StepTimes times)
      throws IOException {
    Directory source = NioDirectory.open(output);
    Directory target = NioDirectory.open(work);
    StepTimes unused = new StepTimes();
    for (String name : dataFiles(output)) {
      try (StoredChunks chunks = new StoredChunks(source, name, budget);
          WritableFile file = target.create(name, WriteIntent.COMPACTION)) {
        while (chunks.next(unused)) {
          chunks.store(file, times);
        }
        times.begin();
        file.sync();
        times.end(Step.WRITE);
      } finally {
        target.delete(name);
      }
    }
  }

  /** CPU time of this thread, by steps. */
  private static final class StepTimes {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Step, Long> nanos = new EnumMap<>(Step.class);
    private long begin;

    void begin() {
      begin = threads.getCurrentThreadCpuTime();
    }

    /** Ends a step, and begins the next. */
    void end(Step step) {
      long now = threads.getCurrentThreadCpuTime();
      nanos.merge(step, now - begin, Long::sum);
      begin = now;
    }

    double seconds(Step step) {
      return nanos.getOrDefault(step, 0L) / NANOS;
    }
  }

  /** The chunks of one data file, some at a time. */
  private static final class StoredChunks implements AutoCloseable {
    private final ReadableFile file;
    private final CompressionInfo info;
    private final Compressor compressor;
    private final ByteBuffer stored;
    private final ByteBuffer raw;
    private final ByteBuffer compressed;
    private final CRC32 crc = new CRC32();
    private final long chunks;
    private final int perPiece;
    private long chunk;

    StoredChunks(Directory directory, String name, MemoryBudget budget) throws IOException {
      file = directory.open(name, ReadIntent.SCAN);
      try {
        info =
            CompressionInfo.read(
                directory, name.replace(DATA, "-CompressionInfo.db"), file, budget);
      } catch (Throwable e) {
        file.close();
        throw e;
      }
      int length = info.chunkLength();
      compressor = info.options().newCompressor();
      perPiece = Math.max(1, PIECE_BYTES / length);
      chunks = (info.dataLength() + length - 1) / length;
      int most = compressor.maxCompressedLength(length) + Integer.BYTES;
      stored = ByteBuffer.allocateDirect(perPiece * most);
      raw = ByteBuffer.allocateDirect(perPiece * length);
      compressed = ByteBuffer.allocateDirect(perPiece * most);
    }

    /** Reads, checks and decompresses the next chunks; returns whether there were any. */
    boolean next(StepTimes times) throws IOException {
      if (chunk == chunks) {
        return false;
      }
      long last = Math.min(chunks, chunk + perPiece);
      long start = info.chunkOffset(chunk);
      times.begin();
      stored.clear().limit((int) (info.chunkEnd(last - 1) - start));
      file.readFully(start, stored);
      times.end(Step.READ);
      for (long i = chunk; i < last; i++) {
        crc.reset();
        crc.update(window(i, start));
        int checksum = stored.limit(stored.limit() + Integer.BYTES).getInt();
        if (checksum != (int) crc.getValue()) {
          throw new IOException(file.path() + ": chunk " + i + " has a wrong checksum");
        }
      }
      times.end(Step.INPUT_CRC);
      raw.clear();
      for (long i = chunk; i < last; i++) {
        ByteBuffer bytes = window(i, start);
        if (bytes.remaining() < info.maxCompressedLength()) {
          compressor.decompress(bytes, raw);
        } else {
          raw.put(bytes);
        }
      }
      times.end(Step.DECOMPRESS);
      raw.flip();
      chunk = last;
      return true;
    }

    /** Returns the stored bytes of a chunk, without its checksum, which follows them. */
    private ByteBuffer window(long number, long start) {
      return stored
          .limit((int) (info.chunkEnd(number) - start) - Integer.BYTES)
          .position((int) (info.chunkOffset(number) - start));
    }

    /** Compresses the chunks that were read last, and writes them with their checksums. */
    void store(WritableFile target, StepTimes times) throws IOException {
      int end = raw.limit();
      List<ByteBuffer> pieces = new ArrayList<>();
      times.begin();
      compressed.clear();
      while (raw.position() < end) {
        raw.limit(Math.min(end, raw.position() + info.chunkLength()));
        int from = compressed.position();
        compressor.compress(raw, compressed);
        pieces.add(compressed.slice(from, compressed.position() - from));
        raw.limit(end);
        compressed.putInt(0);
      }
      times.end(Step.COMPRESS);
      for (ByteBuffer piece : pieces) {
        crc.reset();
        crc.update(piece);
      }
      times.end(Step.OUTPUT_CRC);
      target.write(compressed.flip());
      times.end(Step.WRITE);
    }

    @Override
    public void close() throws IOException {
      try (file;
          compressor) {
        info.close();
      }
    }
  }
}
