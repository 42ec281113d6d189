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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The training of a compression dictionary from sampled chunks of SSTables. Three in four chunks
 * train it, and the others measure what it gains. Confined to one thread.
 */
final class DictionaryTraining {
  /** The share by which a file must get smaller with a new dictionary, its copy included. */
  static final int LEAST_GAIN_PERCENT = 5;

  private static final Logger LOG = LoggerFactory.getLogger(DictionaryTraining.class);
  private static final int PIECE_CHUNKS = 8;
  private static final int TESTED = 4;
  // Training needs a least number of samples besides those that are tested.
  private static final int LEAST_CHUNKS = 2 * CompressionDictionary.LEAST_SAMPLES;
  private static final int HEAP_SHARE = 8;
  // The samples, and the trainer's copy of them.
  private static final long TRAINING_COPIES = 2;

  private final CompressionOptions compression;
  private final List<SSTable> sampled;
  private final int files;
  private final long bytes;

  /**
   * @param compression of the table, which takes a dictionary
   * @param sampled the SSTables whose chunks are sampled
   * @param files into how many SSTables so much data is written, each with its own copy
   */
  DictionaryTraining(CompressionOptions compression, List<SSTable> sampled, int files) {
    this.compression = compression;
    this.sampled = List.copyOf(sampled);
    this.files = files;
    this.bytes = dataBytes(sampled);
  }

  /** Returns the uncompressed bytes of SSTables. */
  static long dataBytes(List<SSTable> tables) {
    return tables.stream().mapToLong(SSTable::dataLength).sum();
  }

  /**
   * The result of a training.
   *
   * @param dictionary the new dictionary
   * @param present the one before; null for none
   * @param chunks how many chunks were sampled
   * @param dataBytes the uncompressed bytes of the SSTables
   * @param before about how many bytes they take with the dictionary before, copies included
   * @param after the same with the new dictionary
   */
  record Outcome(
      CompressionDictionary dictionary,
      @Nullable CompressionDictionary present,
      int chunks,
      long dataBytes,
      long before,
      long after) {
    /** Returns whether the new dictionary gains enough to be used. */
    boolean isBetter() {
      return after <= before * (1 - LEAST_GAIN_PERCENT / 100.0);
    }

    /** Returns the figures, and what follows from them. */
    String text() {
      return String.format(
          Locale.ROOT,
          "%s, trained from %d chunks: %d bytes of data take about %d, a ratio of %.3f, and %d,"
              + " a ratio of %.3f, with %s; %s",
          dictionary,
          chunks,
          dataBytes,
          after,
          (double) after / dataBytes,
          before,
          (double) before / dataBytes,
          present == null ? "no dictionary" : "the present " + present,
          isBetter()
              ? "it is used for SSTables that are written from now on"
              : "it is not used, since that saves less than " + LEAST_GAIN_PERCENT + " %");
    }
  }

  /**
   * Trains a dictionary and measures it.
   *
   * @param present the dictionary of the table; null for none
   * @param now the time of its id
   * @param budget of the memory for training, not taken over
   * @throws IllegalArgumentException if there is too little data, or no dictionary can be made of
   *     it
   * @throws OutOfBudgetException if there is too little memory
   */
  Outcome run(@Nullable CompressionDictionary present, long now, MemoryBudget budget)
      throws IOException {
    int chunk = compression.chunkLengthBytes();
    long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    long most = Math.min(Math.min(compression.maxSampleBytes(), bytes), share);
    requireEnough(most / chunk);
    MemoryReservation memory =
        budget.reserve(
            MemoryKind.COMPRESSION_DICTIONARY,
            TRAINING_COPIES * (most + (long) PIECE_CHUNKS * chunk));
    try (memory) {
      List<byte[]> samples = samples(most);
      requireEnough(samples.size());
      List<byte[]> training = new ArrayList<>();
      List<byte[]> tested = new ArrayList<>();
      for (int i = 0; i < samples.size(); i++) {
        (i % TESTED == 0 ? tested : training).add(samples.get(i));
      }
      CompressionDictionary trained = CompressionDictionary.train(training, compression, now);
      return new Outcome(
          trained,
          present,
          samples.size(),
          bytes,
          stored(present == null ? compression : compression.withDictionary(present), tested),
          stored(compression.withDictionary(trained), tested));
    }
  }

  private void requireEnough(long chunks) {
    if (chunks < LEAST_CHUNKS) {
      throw new IllegalArgumentException(
          "there are too few samples for a compression dictionary: "
              + chunks
              + " chunks of "
              + compression.chunkLengthBytes() / 1024
              + " KiB within training_max_total_sample_size, in SSTables with "
              + bytes
              + " bytes of data; needed are "
              + LEAST_CHUNKS);
    }
  }

  /** Returns chunks at even distances of the data; none of an SSTable that cannot be read. */
  private List<byte[]> samples(long most) {
    int chunk = compression.chunkLengthBytes();
    long piece = (long) chunk * PIECE_CHUNKS;
    long pieces = Math.max(1, most / piece);
    long distance = Math.max(piece, bytes / pieces);
    List<byte[]> samples = new ArrayList<>();
    long position = 0;
    for (SSTable each : sampled) {
      long length = each.dataLength();
      try {
        for (; position < length; position += distance) {
          add(each, position / chunk * chunk, (int) piece, samples);
        }
      } catch (IOException e) {
        // Sampling does not handle damage: the job that reads the whole SSTable does.
        LOG.info("no more chunks are sampled of {}: {}", each, e.getMessage());
        position += (length - position + distance - 1) / distance * distance;
      }
      position -= length;
    }
    return samples;
  }

  private void add(SSTable from, long position, int piece, List<byte[]> samples)
      throws IOException {
    int chunk = compression.chunkLengthBytes();
    byte[] read = new byte[(int) Math.min(piece, from.dataLength() - position)];
    int length = from.copyData(position, read);
    for (int at = 0; at + chunk <= length; at += chunk) {
      byte[] sample = new byte[chunk];
      System.arraycopy(read, at, sample, 0, chunk);
      samples.add(sample);
    }
  }

  /** Returns about how many bytes all the data takes, by a part of its chunks. */
  private long stored(CompressionOptions options, List<byte[]> chunks) throws IOException {
    long plain = 0;
    long compressed = 0;
    try (Compressor compressor = options.newCompressor()) {
      ByteBuffer target =
          ByteBuffer.allocate(compressor.maxCompressedLength(options.chunkLengthBytes()));
      for (byte[] chunk : chunks) {
        plain += chunk.length;
        int length = compressor.compress(ByteBuffer.wrap(chunk), target.clear());
        compressed += length >= options.maxCompressedLength() ? chunk.length : length;
      }
    }
    CompressionDictionary dictionary = options.dictionary();
    long copies = dictionary == null ? 0 : (long) files * dictionary.length();
    return Math.round((double) compressed * bytes / plain) + copies;
  }
}
