package io.siltstone.liveset;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.MemoryReservation;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the compression dictionary of new SSTables. SSTables contain their dictionary, so that of
 * the table is the newest one that a live SSTable has.
 *
 * <p>A compaction trains another one if there is none, or if the last attempt was an hour ago or
 * {@code training_min_frequency}, whichever is longer. Of the sampled chunks three in four train
 * it, and it is used if by the others a file of all the input would be at least {@value
 * #LEAST_GAIN_PERCENT} % smaller, its copy of the dictionary included, than with the present
 * dictionary, or without one.
 *
 * <p>Safe for use by all threads.
 */
final class DictionaryChoice {
  static final int LEAST_GAIN_PERCENT = 5;

  private static final Logger LOG = LoggerFactory.getLogger(DictionaryChoice.class);
  private static final Duration LEAST_INTERVAL = Duration.ofHours(1);
  // A dictionary takes more space than it saves if there is less data.
  private static final int LEAST_DICTIONARIES = 8;
  private static final int PIECE_CHUNKS = 8;
  private static final int TESTED = 4;
  // Training needs a least number of samples besides those that are tested.
  private static final int LEAST_CHUNKS = 2 * CompressionDictionary.LEAST_SAMPLES;
  private static final int HEAP_SHARE = 8;
  // The samples, and the trainer's copy of them.
  private static final long TRAINING_COPIES = 2;

  private final String table;
  private final LongSupplier nowMillis;
  private final MemoryBudget budget;
  // Guarded by this.
  private long lastAttempt = Long.MIN_VALUE;

  /**
   * @param table its name, for the log
   * @param nowMillis the time in milliseconds since 1970
   * @param budget of the memory for training, not taken over
   */
  DictionaryChoice(String table, LongSupplier nowMillis, MemoryBudget budget) {
    this.table = table;
    this.nowMillis = nowMillis;
    this.budget = budget;
  }

  /**
   * Returns a dictionary for SSTables that are written; null for none.
   *
   * @param compression of the table, which takes a dictionary
   * @param live the SSTables of the table
   * @param inputs of a compaction, of which chunks are sampled; empty for a flush, which trains
   *     none
   */
  @Nullable CompressionDictionary choose(
      CompressionOptions compression, List<SSTable> live, List<SSTable> inputs) throws IOException {
    int chunk = compression.chunkLengthBytes();
    CompressionDictionary present =
        live.stream()
            .map(each -> each.compression().dictionary())
            .filter(Objects::nonNull)
            .max(Comparator.comparingLong(CompressionDictionary::id))
            .orElse(null);
    long bytes = inputs.stream().mapToLong(SSTable::dataLength).sum();
    long now = Math.max(nowMillis.getAsLong(), present == null ? 0 : present.newerMillis());
    long sampled = Math.min(Math.min(compression.maxSampleBytes(), bytes), mostSampled());
    if (bytes < (long) LEAST_DICTIONARIES * compression.maxDictionaryBytes()
        || sampled / chunk < LEAST_CHUNKS
        || !isDue(compression, present, now)) {
      return present;
    }
    MemoryReservation memory;
    try {
      memory =
          budget.reserve(
              MemoryKind.COMPRESSION_DICTIONARY,
              TRAINING_COPIES * (sampled + (long) PIECE_CHUNKS * chunk));
    } catch (OutOfBudgetException e) {
      LOG.info("{} keeps its compression dictionary: {}", table, e.getMessage());
      return present;
    }
    try (memory) {
      List<byte[]> samples;
      try {
        samples = samples(chunk, inputs, bytes, sampled);
      } catch (IOException e) {
        // The job decides what becomes of damage where it reads it: a scrub leaves it out.
        LOG.info("{} keeps its compression dictionary: {}", table, e.getMessage());
        return present;
      }
      return better(compression, present, samples, bytes, now);
    }
  }

  private synchronized boolean isDue(
      CompressionOptions compression, @Nullable CompressionDictionary present, long now) {
    long interval =
        Math.max(
            LEAST_INTERVAL.toMillis(),
            Duration.ofMinutes(compression.minTrainingMinutes()).toMillis());
    boolean isDue =
        (lastAttempt == Long.MIN_VALUE || now - lastAttempt >= interval)
            && (present == null || now - present.createdMillis() >= interval);
    if (isDue) {
      lastAttempt = now;
    }
    return isDue;
  }

  /** Returns how many bytes of samples the heap is allowed to have, and as many outside of it. */
  private static long mostSampled() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /** Returns chunks at even distances of the inputs' data. */
  private static List<byte[]> samples(int chunk, List<SSTable> inputs, long bytes, long sampled)
      throws IOException {
    long piece = (long) chunk * PIECE_CHUNKS;
    long pieces = Math.max(1, sampled / piece);
    long distance = Math.max(piece, bytes / pieces);
    List<byte[]> samples = new ArrayList<>();
    long position = 0;
    for (SSTable input : inputs) {
      for (; position < input.dataLength(); position += distance) {
        long from = position / chunk * chunk;
        byte[] read = new byte[(int) Math.min(piece, input.dataLength() - from)];
        int length = input.copyData(from, read);
        for (int at = 0; at + chunk <= length; at += chunk) {
          byte[] sample = new byte[chunk];
          System.arraycopy(read, at, sample, 0, chunk);
          samples.add(sample);
        }
      }
      position -= input.dataLength();
    }
    return samples;
  }

  private @Nullable CompressionDictionary better(
      CompressionOptions compression,
      @Nullable CompressionDictionary present,
      List<byte[]> samples,
      long bytes,
      long now)
      throws IOException {
    List<byte[]> training = new ArrayList<>();
    List<byte[]> tested = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      (i % TESTED == 0 ? tested : training).add(samples.get(i));
    }
    if (training.size() < CompressionDictionary.LEAST_SAMPLES) {
      return present;
    }
    CompressionDictionary trained;
    try {
      trained = CompressionDictionary.train(training, compression, now);
    } catch (IllegalArgumentException e) {
      LOG.info("{} keeps its compression dictionary: {}", table, e.getMessage());
      return present;
    }
    double before =
        fileBytes(
            present == null ? compression : compression.withDictionary(present), tested, bytes);
    double after = fileBytes(compression.withDictionary(trained), tested, bytes);
    boolean isBetter = after <= before * (1 - LEAST_GAIN_PERCENT / 100.0);
    LOG.info(
        "{}: {} bytes of data take about {} with a new {}, and {} with {}; the new one is {}",
        table,
        bytes,
        Math.round(after),
        trained,
        Math.round(before),
        present == null ? "none" : present,
        isBetter ? "used from now on" : "not used");
    return isBetter ? trained : present;
  }

  /** Returns about how many bytes a file with so much data has, by a part of its chunks. */
  private static double fileBytes(CompressionOptions options, List<byte[]> chunks, long dataBytes)
      throws IOException {
    long plain = 0;
    long compressed = 0;
    try (Compressor compressor = options.newCompressor()) {
      ByteBuffer target =
          ByteBuffer.allocate(compressor.maxCompressedLength(options.chunkLengthBytes()));
      for (byte[] chunk : chunks) {
        plain += chunk.length;
        compressed += compressor.compress(ByteBuffer.wrap(chunk), target.clear());
      }
    }
    CompressionDictionary dictionary = options.dictionary();
    return (double) compressed * dataBytes / plain + (dictionary == null ? 0 : dictionary.length());
  }
}
