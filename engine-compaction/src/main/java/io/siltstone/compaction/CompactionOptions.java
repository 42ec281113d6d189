package io.siltstone.compaction;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.throttle.RateLimiter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a {@link CompactionService} works. Immutable; made by {@link #builder()}, which reports every
 * wrong value at once.
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
  private final InstantSource clock;

  private CompactionOptions(Builder builder) {
    compactors = builder.compactors;
    pipelineThreads = builder.pipelineThreads;
    subCompactions = builder.subCompactions;
    bytesPerSecond = builder.bytesPerSecond;
    readAheadBytes = builder.readAheadBytes;
    historySize = builder.historySize;
    clock = builder.clock;
  }

  /** A builder of the defaults. */
  public static Builder builder() {
    return builder(Runtime.getRuntime().availableProcessors());
  }

  /** Of the defaults for a machine of so many processors. */
  static Builder builder(int processors) {
    return new Builder(processors);
  }

  /** A builder that begins with these options. */
  public Builder toBuilder() {
    Builder builder = builder();
    builder.compactors = compactors;
    builder.pipelineThreads = pipelineThreads;
    builder.subCompactions = subCompactions;
    builder.bytesPerSecond = bytesPerSecond;
    builder.readAheadBytes = readAheadBytes;
    builder.historySize = historySize;
    builder.clock = clock;
    return builder;
  }

  /**
   * Jobs that run at once, over all databases of the service ({@code concurrent_compactors}). Half
   * of the processors by default, from 2 to 8: with one, a large job would hold up the small ones.
   */
  public int compactors() {
    return compactors;
  }

  /**
   * Threads that read ahead and compress behind the merging ones; 0 for none. As many as there are
   * processors less one by default, 1 to 64.
   */
  public int pipelineThreads() {
    return pipelineThreads;
  }

  /**
   * Ranges of tokens that one large job is divided into at most; half of the processors by default,
   * 1 to 64.
   */
  public int subCompactions() {
    return subCompactions;
  }

  /**
   * Bytes a second that all jobs together read at first ({@code compaction_throughput}), 0 for no
   * limit; 64 MiB by default.
   */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Bytes of an input that are read at a time, 0 for each chunk by itself; 256 KiB by default. */
  public int readAheadBytes() {
    return readAheadBytes;
  }

  /** Jobs that are remembered after they have ended; 1,000 by default. */
  public int historySize() {
    return historySize;
  }

  /** That tells what has expired. */
  public InstantSource clock() {
    return clock;
  }

  /** Collects options. Not safe for threads. */
  public static final class Builder {
    private int compactors;
    private int pipelineThreads;
    private int subCompactions;
    private long bytesPerSecond = DEFAULT_BYTES_PER_SECOND;
    private int readAheadBytes = SequentialAccess.DEFAULT_READ_AHEAD_BYTES;
    private int historySize = 1000;
    private InstantSource clock = InstantSource.system();

    private Builder(int processors) {
      compactors = Math.max(2, Math.min(8, processors / 2));
      pipelineThreads = Math.max(1, Math.min(MOST_THREADS, processors - 1));
      subCompactions = Math.max(1, Math.min(MOST_THREADS, processors / 2));
    }

    /** See {@link CompactionOptions#compactors()}: 1 to 64. */
    public Builder compactors(int value) {
      compactors = value;
      return this;
    }

    /** See {@link CompactionOptions#pipelineThreads()}: 0 to 64. */
    public Builder pipelineThreads(int value) {
      pipelineThreads = value;
      return this;
    }

    /** See {@link CompactionOptions#subCompactions()}: 1 to 64. */
    public Builder subCompactions(int value) {
      subCompactions = value;
      return this;
    }

    /** See {@link CompactionOptions#bytesPerSecond()}: 0, or 64 KiB and more. */
    public Builder bytesPerSecond(long value) {
      bytesPerSecond = value;
      return this;
    }

    /** See {@link CompactionOptions#readAheadBytes()}: 0 to 16 MiB. */
    public Builder readAheadBytes(int value) {
      readAheadBytes = value;
      return this;
    }

    /** See {@link CompactionOptions#historySize()}: 0 or more. */
    public Builder historySize(int value) {
      historySize = value;
      return this;
    }

    /** See {@link CompactionOptions#clock()}; that of the system by default. */
    public Builder clock(InstantSource value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException naming every value that is out of its range
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
