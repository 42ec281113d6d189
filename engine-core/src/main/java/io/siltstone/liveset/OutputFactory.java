package io.siltstone.liveset;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the writers of new SSTables in a directory according to the table's options, each with a
 * new generation. Safe for all threads.
 */
final class OutputFactory {
  private final Directory directory;
  private final LiveSetOptions options;
  private final MemoryBudget budget;
  private final AtomicLong generation;
  private final DictionaryChoice dictionaries;
  private volatile TableSchema schema;

  /**
   * @param generation the greatest one that was ever used
   * @param views acquires the live SSTables
   */
  OutputFactory(
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      MemoryBudget budget,
      long generation,
      Supplier<View> views) {
    this.directory = directory;
    this.schema = schema;
    this.options = options;
    this.budget = budget;
    this.generation = new AtomicLong(generation);
    this.dictionaries =
        new DictionaryChoice(
            schema.keyspace() + "." + schema.name(), directory, options, budget, views);
  }

  /** Returns the table's schema now. */
  TableSchema schema() {
    return schema;
  }

  /** Sets the schema by which outputs are written from now on. */
  void alter(TableSchema altered) {
    schema = altered;
  }

  /** Returns a new generation. */
  long nextGeneration() {
    return generation.incrementAndGet();
  }

  /** Returns the least generation that a new SSTable can still get. */
  long generationToCome() {
    return generation.get() + 1;
  }

  /** Sets a lower bound of all new generations. */
  void startAt(long least) {
    generation.accumulateAndGet(least - 1, Math::max);
  }

  /**
   * Creates a writer; the caller finishes or aborts it.
   *
   * @param dictionary returns the compression dictionary, if the compressor takes one
   */
  SSTableWriter newWriter(
      LiveSetChange.Cause cause,
      OutputHints hints,
      CommitLogCoverage commitLogCoverage,
      DictionarySource dictionary)
      throws IOException {
    TableOptions table = schema.options();
    boolean isFlush = cause == LiveSetChange.Cause.FLUSH;
    FormatVersion version = Objects.requireNonNullElse(hints.version(), options.version());
    SSTableWriterOptions writing =
        SSTableWriterOptions.builder()
            .compression(
                withDictionary(
                    compression(hints, table.compression(), isFlush), version, dictionary))
            .bloomFilterFpChance(table.bloomFilterFpChance())
            .minIndexInterval(table.minIndexInterval())
            .columnIndexSizeBytes(options.columnIndexSizeBytes())
            .expectedPartitions(hints.expectedPartitions())
            .level(hints.level())
            .repair(hints.repair())
            .commitLogIntervals(commitLogCoverage.intervals())
            .originatingHostId(commitLogCoverage.host())
            .executors(hints.executors())
            .outputVerification(hints.outputVerification())
            .intent(isFlush ? WriteIntent.FLUSH : WriteIntent.COMPACTION)
            .build();
    return SSTableWriter.createPart(
        directory,
        Descriptor.of(version, nextGeneration()),
        hints.header(),
        options.partitioner(),
        writing,
        budget);
  }

  private CompressionOptions compression(
      OutputHints hints, CompressionOptions ofTable, boolean isFlush) {
    CompressionOptions asked = hints.compression();
    if (asked != null) {
      return asked;
    }
    return isFlush ? options.flushCompression().of(ofTable) : ofTable;
  }

  /** Returns what chooses the table's compression dictionary. */
  DictionaryChoice dictionaries() {
    return dictionaries;
  }

  /** Returns the compression dictionary for outputs. */
  @FunctionalInterface
  interface DictionarySource {
    @Nullable CompressionDictionary of(CompressionOptions compression);
  }

  private static CompressionOptions withDictionary(
      CompressionOptions compression, FormatVersion version, DictionarySource dictionary) {
    if (!compression.takesDictionary()
        || compression.dictionary() != null
        || !version.hasCompressionDictionary()) {
      return compression;
    }
    CompressionDictionary chosen = dictionary.of(compression);
    return chosen == null ? compression : compression.withDictionary(chosen);
  }

  /**
   * Creates a writer of a copy of an SSTable with the table's present compression; as {@link
   * #newWriter}.
   */
  SSTableRewriter newCopy(
      SSTable input,
      int level,
      PipelineExecutors executors,
      OutputVerification outputVerification,
      DictionarySource dictionary)
      throws IOException {
    SSTableWriterOptions writing =
        SSTableWriterOptions.builder()
            .compression(
                withDictionary(
                    schema.options().compression(), input.descriptor().version(), dictionary))
            .level(level)
            .intent(WriteIntent.COMPACTION)
            .executors(executors)
            .outputVerification(outputVerification)
            .build();
    return SSTableRewriter.create(input, nextDescriptor().id(), writing, budget);
  }

  private Descriptor nextDescriptor() {
    return Descriptor.of(options.version(), nextGeneration());
  }
}
