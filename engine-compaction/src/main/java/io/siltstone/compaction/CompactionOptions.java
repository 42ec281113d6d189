package io.siltstone.compaction;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.text.OptionsText;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link CompactionService}. Immutable, safe for use by any number of threads.
 * Made by {@link #builder()}, whose {@link Builder#build} reports all wrong values together.
 *
 * @param compactors how many jobs may run at the same time, for all databases of the service
 *     together ({@code concurrent_compactors}): 1 to 64. By default half of the processors, but 2
 *     to 8: with only one, a large job would hold up the small ones
 * @param pipelineThreads how many threads read and decompress ahead of the merging ones, and
 *     compress and write their output: 0 to 64. With 0, the merging threads do all of that. Other
 *     threads, which only wait for the disk, sync what is written in any case. By default one less
 *     than there are processors, but 1 to 64
 * @param subCompactions the maximum number of subcompactions of a large job: token ranges that are
 *     merged in parallel, 1 to 64. By default half of the processors, but 1 to 64
 * @param bytesPerSecond the initial limit of throughput: how many bytes per second all jobs
 *     together may read ({@code compaction_throughput}); 0 for no limit, or at least 64 KiB. 64 MiB
 *     by default
 * @param readAheadBytes how many bytes of an input are read at a time, up to 16 MiB; 0 to read each
 *     chunk by itself. 256 KiB by default
 * @param historySize how many ended jobs {@link CompactionService#history()} keeps, 0 or more.
 *     1,000 by default
 * @param outputVerification how thoroughly SSTables are verified before they replace the inputs of
 *     a job. {@link OutputVerification#STRUCTURE} by default
 * @param clock the clock that decides what has expired, and is purged. Null, the default, for the
 *     clock of each database, by which its reads decide: {@code DatabaseOptions.clock()}. A clock
 *     that is ahead of it purges what reads still show
 */
public record CompactionOptions(
    int compactors,
    int pipelineThreads,
    int subCompactions,
    long bytesPerSecond,
    int readAheadBytes,
    int historySize,
    OutputVerification outputVerification,
    @Nullable InstantSource clock) {
  private static final int MAX_THREADS = 64;
  private static final int MAX_READ_AHEAD_BYTES = 16 << 20;
  private static final long DEFAULT_BYTES_PER_SECOND = 64L << 20;
  private static final int DEFAULT_HISTORY_SIZE = 1000;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if values are out of range; the message names all of these
   *     options
   */
  public CompactionOptions {
    Objects.requireNonNull(outputVerification, "outputVerification");
    List<String> problems = new ArrayList<>();
    check(problems, "compactors", compactors, 1, MAX_THREADS);
    check(problems, "pipelineThreads", pipelineThreads, 0, MAX_THREADS);
    check(problems, "subCompactions", subCompactions, 1, MAX_THREADS);
    if (!RateLimiter.isAllowed(bytesPerSecond)) {
      problems.add("bytesPerSecond = " + bytesPerSecond + ", allowed " + RateLimiter.ALLOWED);
    }
    check(problems, "readAheadBytes", readAheadBytes, 0, MAX_READ_AHEAD_BYTES);
    check(problems, "historySize", historySize, 0, Integer.MAX_VALUE);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  private static void check(List<String> problems, String name, int value, int least, int most) {
    if (value < least || value > most) {
      problems.add(name + " = " + value + ", allowed " + least + " to " + most);
    }
  }

  /**
   * Returns a builder with all options at their defaults, some of which depend on the number of
   * processors.
   */
  public static Builder builder() {
    return builder(Runtime.getRuntime().availableProcessors());
  }

  /** Returns a builder with the defaults for this number of processors. */
  static Builder builder(int processors) {
    return new Builder()
        .compactors(Math.max(2, Math.min(8, processors / 2)))
        .pipelineThreads(Math.max(1, Math.min(MAX_THREADS, processors - 1)))
        .subCompactions(Math.max(1, Math.min(MAX_THREADS, processors / 2)));
  }

  /**
   * Returns the options that differ from the defaults for this number of processors, in one line.
   */
  @Override
  public String toString() {
    CompactionOptions defaults = builder().build();
    return new OptionsText(CompactionOptions.class)
        .add("compactors", compactors, defaults.compactors)
        .add("pipelineThreads", pipelineThreads, defaults.pipelineThreads)
        .add("subCompactions", subCompactions, defaults.subCompactions)
        .add("bytesPerSecond", bytesPerSecond, defaults.bytesPerSecond)
        .add("readAheadBytes", readAheadBytes, defaults.readAheadBytes)
        .add("historySize", historySize, defaults.historySize)
        .add("outputVerification", outputVerification, defaults.outputVerification)
        .addClass("clock", clock, defaults.clock)
        .toString();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder()
        .compactors(compactors)
        .pipelineThreads(pipelineThreads)
        .subCompactions(subCompactions)
        .bytesPerSecond(bytesPerSecond)
        .readAheadBytes(readAheadBytes)
        .historySize(historySize)
        .outputVerification(outputVerification)
        .clock(clock);
  }

  /**
   * Collects options. Not safe for use by several threads. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private int compactors;
    private int pipelineThreads;
    private int subCompactions;
    private long bytesPerSecond = DEFAULT_BYTES_PER_SECOND;
    private int readAheadBytes = SequentialAccess.DEFAULT_READ_AHEAD_BYTES;
    private int historySize = DEFAULT_HISTORY_SIZE;
    private OutputVerification outputVerification = OutputVerification.STRUCTURE;
    private @Nullable InstantSource clock;

    private Builder() {}

    /** Sets {@link CompactionOptions#compactors()}: 1 to 64. */
    public Builder compactors(int value) {
      compactors = value;
      return this;
    }

    /** Sets {@link CompactionOptions#pipelineThreads()}: 0 to 64. */
    public Builder pipelineThreads(int value) {
      pipelineThreads = value;
      return this;
    }

    /** Sets {@link CompactionOptions#subCompactions()}: 1 to 64. */
    public Builder subCompactions(int value) {
      subCompactions = value;
      return this;
    }

    /** Sets {@link CompactionOptions#bytesPerSecond()}: 0, or at least 64 KiB. */
    public Builder bytesPerSecond(long value) {
      bytesPerSecond = value;
      return this;
    }

    /** Sets {@link CompactionOptions#readAheadBytes()}: 0 to 16 MiB. */
    public Builder readAheadBytes(int value) {
      readAheadBytes = value;
      return this;
    }

    /** Sets {@link CompactionOptions#historySize()}: 0 or more. */
    public Builder historySize(int value) {
      historySize = value;
      return this;
    }

    /** Sets {@link CompactionOptions#outputVerification()}. */
    public Builder outputVerification(OutputVerification value) {
      outputVerification = Objects.requireNonNull(value, "outputVerification");
      return this;
    }

    /** Sets {@link CompactionOptions#clock()}; null for the clock of each database. */
    public Builder clock(@Nullable InstantSource value) {
      clock = value;
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if values are out of range; the message names all of these
     *     options
     */
    public CompactionOptions build() {
      return new CompactionOptions(
          compactors,
          pipelineThreads,
          subCompactions,
          bytesPerSecond,
          readAheadBytes,
          historySize,
          outputVerification,
          clock);
    }
  }
}
