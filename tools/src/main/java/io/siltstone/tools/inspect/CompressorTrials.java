package io.siltstone.tools.inspect;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compresses a sample of a table's data with LZ4, and with Zstandard without and with a dictionary,
 * in chunks of 4, 16 and 64 KiB. Three in four chunks train the dictionary; the others are
 * compressed by all, so that their figures can be compared.
 */
final class CompressorTrials {
  private static final int[] CHUNK_KIB = {4, 16, 64};
  private static final int TESTED = 4;
  // Training takes a second or more for each 10 MiB, and gains little from the rest.
  private static final int MOST_TRAINED_BYTES = 4 << 20;
  private static final int CHECKSUM_BYTES = 4;
  private static final double MICROS = 1e3;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final DataSample sample;
  private final int sstables;
  private final long dataBytes;
  private final long nowMillis;

  /**
   * @param sstables how many SSTables there are, each with its own copy of a dictionary
   * @param dataBytes of all of them
   * @param nowMillis the time of dictionaries that are trained
   */
  CompressorTrials(DataSample sample, int sstables, long dataBytes, long nowMillis) {
    this.sample = sample;
    this.sstables = sstables;
    this.dataBytes = dataBytes;
    this.nowMillis = nowMillis;
  }

  /**
   * Returns what was found; without Zstandard if its library is missing, and without a dictionary
   * where there is too little data for one.
   */
  List<CompressorTrial> run() throws IOException {
    List<CompressorTrial> all = new ArrayList<>();
    for (int kib : CHUNK_KIB) {
      List<byte[]> training = new ArrayList<>();
      List<byte[]> tested = new ArrayList<>();
      divide(kib * 1024, training, tested);
      if (tested.isEmpty()) {
        continue;
      }
      all.add(trial(options("LZ4Compressor", kib), tested));
      CompressionOptions zstd = zstd(kib);
      if (zstd != null) {
        all.add(trial(zstd.withoutDictionary(), tested));
        try {
          all.add(
              trial(
                  zstd.withDictionary(CompressionDictionary.train(training, zstd, nowMillis)),
                  tested));
        } catch (IllegalArgumentException e) {
          // There are too few chunks, or they have nothing in common.
        }
      }
    }
    return all;
  }

  private static CompressionOptions options(String compressor, int kib) {
    return CompressionOptions.fromMap(
        Map.of("class", compressor, "chunk_length_in_kb", Integer.toString(kib)));
  }

  private static @Nullable CompressionOptions zstd(int kib) {
    try {
      return options("ZstdDictionaryCompressor", kib);
    } catch (IllegalStateException e) {
      return null;
    }
  }

  private void divide(int chunk, List<byte[]> training, List<byte[]> tested) {
    int count = 0;
    for (byte[] piece : sample.pieces()) {
      for (int at = 0; at + chunk <= piece.length; at += chunk) {
        boolean isTested = count++ % TESTED == 0;
        if (isTested || (long) training.size() * chunk < MOST_TRAINED_BYTES) {
          (isTested ? tested : training).add(Arrays.copyOfRange(piece, at, at + chunk));
        }
      }
    }
  }

  private CompressorTrial trial(CompressionOptions options, List<byte[]> chunks)
      throws IOException {
    int chunk = options.chunkLengthBytes();
    List<ByteBuffer> stored = new ArrayList<>();
    long bytes = 0;
    long compressNanos;
    long decompressNanos;
    try (Compressor compressor = options.newCompressor()) {
      ByteBuffer target = ByteBuffer.allocateDirect(compressor.maxCompressedLength(chunk));
      ByteBuffer plain = ByteBuffer.allocateDirect(chunk);
      // The first use prepares contexts and dictionary, whose time is not counted.
      compressor.compress(plain.put(chunks.get(0)).flip(), target);
      compressor.decompress(target.flip(), plain.clear());
      long start = THREADS.getCurrentThreadCpuTime();
      for (byte[] each : chunks) {
        compressor.compress(plain.clear().put(each).flip(), target.clear());
        bytes += Math.min(target.flip().remaining(), chunk) + CHECKSUM_BYTES;
        stored.add(ByteBuffer.allocateDirect(target.remaining()).put(target).flip());
      }
      compressNanos = THREADS.getCurrentThreadCpuTime() - start;
      start = THREADS.getCurrentThreadCpuTime();
      for (ByteBuffer each : stored) {
        compressor.decompress(each, plain.clear());
      }
      decompressNanos = THREADS.getCurrentThreadCpuTime() - start;
    }
    CompressionDictionary dictionary = options.dictionary();
    int length = dictionary == null ? 0 : dictionary.length();
    return new CompressorTrial(
        options.className(),
        chunk,
        length,
        (double) bytes / ((long) chunks.size() * chunk) + (double) length * sstables / dataBytes,
        compressNanos / MICROS / chunks.size(),
        decompressNanos / MICROS / chunks.size());
  }

  /** Prints a line for each. */
  static void print(List<CompressorTrial> trials, Terminal terminal) {
    if (trials.isEmpty()) {
      return;
    }
    terminal.format(
        "%n  %-18s %10s %10s %6s %15s %15s",
        "compressor", "chunk", "dictionary", "ratio", "compression", "decompression");
    for (CompressorTrial each : trials) {
      terminal.format(
          "  %-18s %10s %10s %6.3f %12.1f µs %12.1f µs",
          each.name(),
          Units.bytes(each.chunkBytes()),
          each.dictionaryBytes() == 0 ? "" : Units.bytes(each.dictionaryBytes()),
          each.ratio(),
          each.compressMicros(),
          each.decompressMicros());
    }
    terminal.line(
        "  processor time per chunk, of chunks that trained no dictionary; ratios with a copy of"
            + " the dictionary for each SSTable");
  }
}
