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
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates the writers of new SSTables in a directory according to the table's options, each with a
 * new generation. Safe for all threads.
 */
final class OutputFactory {
  private final Directory directory;
  private final LiveSetOptions options;
  private final MemoryBudget budget;
  private final AtomicLong generation;
  private volatile TableSchema schema;

  /**
   * @param generation the greatest one that was ever used
   */
  OutputFactory(
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      MemoryBudget budget,
      long generation) {
    this.directory = directory;
    this.schema = schema;
    this.options = options;
    this.budget = budget;
    this.generation = new AtomicLong(generation);
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
   * @param inputs whose rows it writes; empty for a flush
   */
  SSTableWriter newWriter(
      LiveSetChange.Cause cause,
      OutputHints hints,
      CommitLogCoverage commitLogCoverage,
      List<SSTable> inputs)
      throws IOException {
    TableOptions table = schema.options();
    boolean isFlush = cause == LiveSetChange.Cause.FLUSH;
    SSTableWriterOptions writing =
        SSTableWriterOptions.builder()
            .compression(withDictionary(compression(hints, table.compression(), isFlush), inputs))
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
    FormatVersion version = hints.version();
    return SSTableWriter.createPart(
        directory,
        version == null ? nextDescriptor() : Descriptor.of(version, nextGeneration()),
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

  /** Returns a compression with the newest dictionary of the inputs, if it takes one. */
  private static CompressionOptions withDictionary(
      CompressionOptions compression, List<SSTable> inputs) {
    if (!compression.takesDictionary() || compression.dictionary() != null) {
      return compression;
    }
    return inputs.stream()
        .map(input -> input.compression().dictionary())
        .filter(Objects::nonNull)
        .max(Comparator.comparingLong(CompressionDictionary::id))
        .map(compression::withDictionary)
        .orElse(compression);
  }

  /**
   * Creates a writer of a copy of an SSTable with the table's present compression; as {@link
   * #newWriter}.
   */
  SSTableRewriter newCopy(
      SSTable input, int level, PipelineExecutors executors, OutputVerification outputVerification)
      throws IOException {
    SSTableWriterOptions writing =
        SSTableWriterOptions.builder()
            .compression(withDictionary(schema.options().compression(), List.of(input)))
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
