package io.siltstone.compaction;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.maintenance.OutputVerification;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link CompactionService}. Immutable, safe for use by any number of threads.
 * Made by {@link #builder()}, whose {@link Builder#build} reports all wrong values together.
 */
public final class CompactionOptions {
  private static final int MOST_THREADS = 64;
  private static final long DEFAULT_BYTES_PER_SECOND = 64L << 20;

  private final int compactors;
  private final int pipelineThreads;
  private final int subCompactions;
  private final long bytesPerSecond;
  private final int readAheadBytes;
  private final int historySize;
  private final OutputVerification outputVerification;
  private final @Nullable InstantSource clock;

  private CompactionOptions(Builder builder) {
    compactors = builder.compactors;
    pipelineThreads = builder.pipelineThreads;
    subCompactions = builder.subCompactions;
    bytesPerSecond = builder.bytesPerSecond;
    readAheadBytes = builder.readAheadBytes;
    historySize = builder.historySize;
    outputVerification = builder.outputVerification;
    clock = builder.clock;
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
    return new Builder(processors);
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = builder();
    builder.compactors = compactors;
    builder.pipelineThreads = pipelineThreads;
    builder.subCompactions = subCompactions;
    builder.bytesPerSecond = bytesPerSecond;
    builder.readAheadBytes = readAheadBytes;
    builder.historySize = historySize;
    builder.outputVerification = outputVerification;
    builder.clock = clock;
    return builder;
  }

  /**
   * Returns how many jobs may run at the same time, for all databases of the service together
   * ({@code concurrent_compactors}). By default half of the processors, but 2 to 8: with only one,
   * a large job would hold up the small ones.
   */
  public int compactors() {
    return compactors;
  }

  /**
   * Returns how many threads read and decompress ahead of the merging ones, and compress and write
   * their output; 0 to have the merging threads do all of that. Other threads, which only wait for
   * the disk, sync what is written in any case. By default one less than there are processors, but
   * 1 to 64.
   */
  public int pipelineThreads() {
    return pipelineThreads;
  }

  /**
   * Returns the maximum number of subcompactions: token ranges that a large job is divided into,
   * which are merged in parallel. By default half of the processors, but 1 to 64.
   */
  public int subCompactions() {
    return subCompactions;
  }

  /**
   * Returns the initial limit of throughput: how many bytes per second all jobs together may read
   * ({@code compaction_throughput}); 0 for no limit. 64 MiB by default.
   */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Returns how many bytes of an input are read at a time; 0 to read each chunk by itself. 256 KiB
   * by default.
   */
  public int readAheadBytes() {
    return readAheadBytes;
  }

  /** Returns how many ended jobs {@link CompactionService#history()} keeps. 1,000 by default. */
  public int historySize() {
    return historySize;
  }

  /**
   * Returns how thoroughly SSTables are verified before they replace the inputs of a job. {@link
   * OutputVerification#STRUCTURE} by default.
   */
  public OutputVerification outputVerification() {
    return outputVerification;
  }

  /**
   * Returns the clock that decides what has expired, and is purged. Null for the clock of each
   * database, by which its reads decide: {@code DatabaseOptions.clock()}.
   */
  public @Nullable InstantSource clock() {
    return clock;
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
    private int historySize = 1000;
    private OutputVerification outputVerification = OutputVerification.STRUCTURE;
    private @Nullable InstantSource clock;

    private Builder(int processors) {
      compactors = Math.max(2, Math.min(8, processors / 2));
      pipelineThreads = Math.max(1, Math.min(MOST_THREADS, processors - 1));
      subCompactions = Math.max(1, Math.min(MOST_THREADS, processors / 2));
    }

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

    /**
     * Sets {@link CompactionOptions#clock()}; null, the default, for the clock of each database. A
     * clock that is ahead of that of the database purges what its reads still show.
     */
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
      List<String> problems = new ArrayList<>();
      check(problems, "compactors", compactors, 1, MOST_THREADS);
      check(problems, "pipelineThreads", pipelineThreads, 0, MOST_THREADS);
      check(problems, "subCompactions", subCompactions, 1, MOST_THREADS);
      if (!RateLimiter.isAllowed(bytesPerSecond)) {
        problems.add("bytesPerSecond = " + bytesPerSecond + ", allowed " + RateLimiter.ALLOWED);
      }
      check(problems, "readAheadBytes", readAheadBytes, 0, 16 << 20);
      check(problems, "historySize", historySize, 0, Integer.MAX_VALUE);
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", problems));
      }
      return new CompactionOptions(this);
    }

    private static void check(List<String> problems, String name, int value, int least, int most) {
      if (value < least || value > most) {
        problems.add(name + " = " + value + ", allowed " + least + ".." + most);
      }
    }
  }
}
