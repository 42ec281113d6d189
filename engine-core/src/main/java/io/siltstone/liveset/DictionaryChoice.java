package io.siltstone.liveset;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the compression dictionary of new SSTables: the newest one of the live SSTables and of
 * the {@linkplain DictionaryFile file} in which the table keeps it.
 *
 * <p>A flush or compaction trains another one if there is enough data, and the last training was an
 * hour ago or {@code training_min_frequency}, whichever is longer. A compaction samples its inputs,
 * a flush the live SSTables, since what it writes is not there yet. The new dictionary is used if
 * files get at least {@value DictionaryTraining#LEAST_GAIN_PERCENT} % smaller with it than with the
 * present one, or without any. That is the hysteresis: small changes of the data change nothing.
 *
 * <p>The time of the last training is kept, so that a refusal is not tried again at once, not even
 * by another process. Ids grow with time, and contain a hash of the dictionary's content, so that
 * none is ever used for other bytes.
 *
 * <p>Safe for use by all threads.
 */
public final class DictionaryChoice {
  private static final Logger LOG = LoggerFactory.getLogger(DictionaryChoice.class);
  private static final Duration LEAST_INTERVAL = Duration.ofHours(1);
  // A dictionary takes more space than it saves if there is less data.
  private static final int LEAST_DICTIONARIES = 8;

  private final String table;
  private final Directory directory;
  private final LiveSetOptions options;
  private final MemoryBudget budget;
  private final Supplier<View> views;
  private final LongSupplier nowMillis;
  // Guarded by this.
  private long lastTraining = Long.MIN_VALUE;
  // The time at which a flush or compaction could train no dictionary. Guarded by this.
  private long lastFailure = Long.MIN_VALUE;

  /**
   * @param table its name, for messages
   * @param directory of its SSTables
   * @param budget of the memory for training, not taken over
   * @param views acquires the live SSTables
   */
  DictionaryChoice(
      String table,
      Directory directory,
      LiveSetOptions options,
      MemoryBudget budget,
      Supplier<View> views) {
    this.table = table;
    this.directory = directory;
    this.options = options;
    this.budget = budget;
    this.views = views;
    this.nowMillis = options.nowMillis();
  }

  /**
   * Returns the dictionary for SSTables that are written, perhaps a new one; null for none.
   *
   * @param compression of the table, which takes a dictionary
   * @param inputs of a compaction that merges them into one SSTable; empty for anything else
   */
  @Nullable CompressionDictionary choose(CompressionOptions compression, List<SSTable> inputs) {
    View view = views.get();
    try {
      List<SSTable> live = view.newestFirst();
      DictionaryFile kept = kept();
      CompressionDictionary present = newest(live, kept);
      List<SSTable> sampled = inputs.isEmpty() ? live : inputs;
      long now = idMillis(present);
      long interval = interval(compression, LEAST_INTERVAL);
      long before = lastTraining();
      if (DictionaryTraining.dataBytes(sampled)
              < (long) LEAST_DICTIONARIES * compression.maxDictionaryBytes()
          || isTooEarlyAfterFailure(interval, now)
          || !takeTurn(interval, present, kept, now)) {
        return present;
      }
      int files = inputs.isEmpty() ? live.size() : 1;
      try {
        return settle(
            new DictionaryTraining(compression, sampled, files).run(present, now, budget),
            kept,
            now);
      } catch (OutOfBudgetException | IllegalArgumentException | IOException e) {
        LOG.info("{} keeps its compression dictionary: {}", table, e.getMessage());
        fail(now);
        giveTurnBack(now, before);
        return present;
      }
    } finally {
      view.release();
    }
  }

  /**
   * Returns the dictionary that SSTables get which are written now; empty for none.
   *
   * @param compression of the table
   * @param mayTrain whether one is trained first, if that is due
   */
  public Optional<CompressionDictionary> present(CompressionOptions compression, boolean mayTrain) {
    if (!compression.takesDictionary() || !options.version().hasCompressionDictionary()) {
      return Optional.empty();
    }
    if (mayTrain) {
      return Optional.ofNullable(choose(compression, List.of()));
    }
    View view = views.get();
    try {
      return Optional.ofNullable(newest(view.newestFirst(), kept()));
    } finally {
      view.release();
    }
  }

  /**
   * Trains a dictionary from samples of the live SSTables, as a user asks for, and keeps it if it
   * gains enough.
   *
   * @param compression of the table
   * @return the figures, and whether the dictionary is used from now on
   * @throws IllegalArgumentException if the compressor or the version of new SSTables takes no
   *     dictionary, if there is too little data, or if {@code training_min_frequency} has not
   *     passed since the last training
   */
  public String train(CompressionOptions compression) throws IOException {
    requireTrainable(compression);
    View view = views.get();
    try {
      List<SSTable> live = view.newestFirst();
      DictionaryFile kept = kept();
      CompressionDictionary present = newest(live, kept);
      long now = idMillis(present);
      long interval = interval(compression, Duration.ZERO);
      long before = lastTraining();
      if (!takeTurn(interval, present, kept, now)) {
        throw new IllegalArgumentException(
            "the last training was less than training_min_frequency ago, "
                + Duration.ofMillis(interval).toMinutes()
                + "m; now it is "
                + Instant.ofEpochMilli(now));
      }
      DictionaryTraining.Outcome outcome;
      try {
        outcome = new DictionaryTraining(compression, live, live.size()).run(present, now, budget);
      } catch (OutOfBudgetException | IllegalArgumentException | IOException e) {
        giveTurnBack(now, before);
        throw e;
      }
      var unused = settle(outcome, kept, now);
      return outcome.text();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(table + ": " + e.getMessage(), e);
    } finally {
      view.release();
    }
  }

  private void requireTrainable(CompressionOptions compression) {
    if (!compression.takesDictionary()) {
      throw new IllegalArgumentException(
          table
              + " has no compressor that takes a dictionary: its compression is "
              + compression
              + "; change its class to ZstdDictionaryCompressor first");
    }
    if (!options.version().hasCompressionDictionary()) {
      throw new IllegalArgumentException(
          table
              + ": SSTables of version "
              + options.version().text()
              + " cannot have a compression dictionary, those of pa and ea can");
    }
  }

  private DictionaryFile kept() {
    try {
      return DictionaryFile.read(directory);
    } catch (IOException e) {
      // No data depends on it: each SSTable has its own.
      LOG.warn("{} does without its kept compression dictionary: {}", table, e.getMessage());
      return DictionaryFile.NONE;
    }
  }

  private static @Nullable CompressionDictionary newest(List<SSTable> live, DictionaryFile kept) {
    @Nullable CompressionDictionary newest = kept.dictionary();
    for (SSTable each : live) {
      CompressionDictionary its = each.compression().dictionary();
      if (its != null && (newest == null || its.id() > newest.id())) {
        newest = its;
      }
    }
    return newest;
  }

  private long idMillis(@Nullable CompressionDictionary present) {
    return Math.max(nowMillis.getAsLong(), present == null ? 0 : present.newerMillis());
  }

  private static long interval(CompressionOptions compression, Duration least) {
    return Math.max(
        least.toMillis(), Duration.ofMinutes(compression.minTrainingMinutes()).toMillis());
  }

  /** Returns whether a training is due, which then has begun for all other threads. */
  private synchronized boolean takeTurn(
      long interval, @Nullable CompressionDictionary present, DictionaryFile kept, long now) {
    boolean isDue =
        isOver(lastTraining, interval, now)
            && isOver(kept.trainedMillis(), interval, now)
            && (present == null || isOver(present.createdMillis(), interval, now));
    if (isDue) {
      lastTraining = now;
    }
    return isDue;
  }

  private synchronized long lastTraining() {
    return lastTraining;
  }

  /** Undoes {@link #takeTurn}, since nothing was trained. */
  private synchronized void giveTurnBack(long now, long before) {
    if (lastTraining == now) {
      lastTraining = before;
    }
  }

  private synchronized void fail(long now) {
    lastFailure = now;
  }

  private synchronized boolean isTooEarlyAfterFailure(long interval, long now) {
    return !isOver(lastFailure, interval, now);
  }

  private static boolean isOver(long since, long interval, long now) {
    return since == Long.MIN_VALUE || now - since >= interval;
  }

  /** Keeps what a training has given; returns the dictionary that is used from now on. */
  private @Nullable CompressionDictionary settle(
      DictionaryTraining.Outcome outcome, DictionaryFile kept, long now) {
    LOG.info("{}: {}", table, outcome.text());
    boolean isBetter = outcome.isBetter();
    try {
      new DictionaryFile(now, isBetter ? outcome.dictionary() : kept.dictionary()).write(directory);
    } catch (IOException e) {
      // The SSTables that are written now have it nevertheless.
      LOG.warn("{} cannot keep its compression dictionary: {}", table, e.getMessage());
    }
    return isBetter ? outcome.dictionary() : outcome.present();
  }
}
