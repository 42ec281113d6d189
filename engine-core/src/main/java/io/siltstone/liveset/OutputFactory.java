package io.siltstone.liveset;

import io.siltstone.chunk.PipelineExecutors;
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
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Begins the SSTables of a directory as the table's options say, each under a generation of its
 * own. Safe for all threads.
 */
final class OutputFactory {
  private final Directory directory;
  private final LiveSetOptions options;
  private final MemoryBudget budget;
  private final AtomicLong generation;
  private volatile TableSchema schema;

  /**
   * @param generation the greatest that was ever given
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

  /** That of the table now. */
  TableSchema schema() {
    return schema;
  }

  /** From now on outputs are written by this schema. */
  void alter(TableSchema altered) {
    schema = altered;
  }

  /** A generation that nobody else has had or gets. */
  long nextGeneration() {
    return generation.incrementAndGet();
  }

  /** The least generation that can still be given. */
  long generationToCome() {
    return generation.get() + 1;
  }

  /** No lesser generation than this is given from now on. */
  void startAt(long least) {
    generation.accumulateAndGet(least - 1, Math::max);
  }

  /** Begins a table; the caller finishes or aborts it. */
  SSTableWriter newWriter(
      LiveSetChange.Cause cause, OutputHints hints, CommitLogCoverage commitLogCoverage)
      throws IOException {
    TableOptions table = schema.options();
    boolean isFlush = cause == LiveSetChange.Cause.FLUSH;
    SSTableWriterOptions writing =
        SSTableWriterOptions.builder()
            .compression(
                isFlush ? options.flushCompression().of(table.compression()) : table.compression())
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
        directory, nextDescriptor(), hints.header(), options.partitioner(), writing, budget);
  }

  /** Begins a copy of a table's content in the present compression; as {@link #newWriter}. */
  SSTableRewriter newCopy(
      SSTable input, int level, PipelineExecutors executors, OutputVerification outputVerification)
      throws IOException {
    SSTableWriterOptions writing =
        SSTableWriterOptions.builder()
            .compression(schema.options().compression())
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
