package io.siltstone.bench.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The options of a workload. Immutable; made by {@link #builder()}, which reports every wrong value
 * at once.
 */
public final class WorkloadOptions {
  private final int threads;
  private final double readRate;
  private final double opsPerSecond;
  private final Duration duration;
  private final long operations;
  private final KeyDistribution distribution;
  private final long seed;
  private final boolean isChecked;
  private final Duration interval;

  private WorkloadOptions(Builder builder) {
    threads = builder.threads;
    readRate = builder.readRate;
    opsPerSecond = builder.opsPerSecond;
    duration = builder.duration;
    operations = builder.operations;
    distribution = builder.distribution;
    seed = builder.seed;
    isChecked = builder.isChecked;
    interval = builder.interval;
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder with these options. */
  public Builder toBuilder() {
    return builder()
        .threads(threads)
        .readRate(readRate)
        .opsPerSecond(opsPerSecond)
        .duration(duration)
        .operations(operations)
        .distribution(distribution)
        .seed(seed)
        .checked(isChecked)
        .interval(interval);
  }

  /** Returns the number of threads that write and read. */
  public int threads() {
    return threads;
  }

  /** Returns the share of reads among all operations. */
  public double readRate() {
    return readRate;
  }

  /**
   * Returns the operations per second of all threads together; 0 for no rate. With a rate,
   * latencies are measured from the time at which an operation was due.
   */
  public double opsPerSecond() {
    return opsPerSecond;
  }

  /** Returns the greatest duration. */
  public Duration duration() {
    return duration;
  }

  /** Returns the greatest number of operations. */
  public long operations() {
    return operations;
  }

  /** Returns the distribution of the requested items. */
  public KeyDistribution distribution() {
    return distribution;
  }

  /** Returns the seed; the same seed gives the same choices to a thread. */
  public long seed() {
    return seed;
  }

  /**
   * Returns whether reads must return the versions that were written. Otherwise it is only checked
   * that what they return was written once. Takes four bytes of heap per item.
   */
  public boolean isChecked() {
    return isChecked;
  }

  /** Returns the time between two samples. */
  public Duration interval() {
    return interval;
  }

  /** Collects options. Not safe for threads. */
  public static final class Builder {
    private static final Duration NO_END = Duration.ofDays(365);

    private int threads =
        Math.min(ItemVersions.MOST_WRITERS, Runtime.getRuntime().availableProcessors());
    private double readRate = 0.5;
    private double opsPerSecond;
    private Duration duration = NO_END;
    private long operations = Long.MAX_VALUE;
    private KeyDistribution distribution = KeyDistribution.UNIFORM;
    private long seed = 1;
    private boolean isChecked = true;
    private Duration interval = Duration.ofSeconds(1);

    private Builder() {}

    /**
     * See {@link WorkloadOptions#threads()}: 1 to 255; by default as many as processors, at most
     * 255.
     */
    public Builder threads(int value) {
      threads = value;
      return this;
    }

    /** See {@link WorkloadOptions#readRate()}: 0 to 1; 0.5 by default. */
    public Builder readRate(double value) {
      readRate = value;
      return this;
    }

    /** See {@link WorkloadOptions#opsPerSecond()}: 0 to a billion; 0 by default. */
    public Builder opsPerSecond(double value) {
      opsPerSecond = value;
      return this;
    }

    /**
     * See {@link WorkloadOptions#duration()}: more than zero, up to a year, which is the default.
     */
    public Builder duration(Duration value) {
      duration = Objects.requireNonNull(value, "duration");
      return this;
    }

    /** See {@link WorkloadOptions#operations()}: 0 or more; no limit by default. */
    public Builder operations(long value) {
      operations = value;
      return this;
    }

    /** See {@link WorkloadOptions#distribution()}; uniform by default. */
    public Builder distribution(KeyDistribution value) {
      distribution = Objects.requireNonNull(value, "distribution");
      return this;
    }

    /** See {@link WorkloadOptions#seed()}; 1 by default. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** See {@link WorkloadOptions#isChecked()}; yes by default. */
    public Builder checked(boolean value) {
      isChecked = value;
      return this;
    }

    /** See {@link WorkloadOptions#interval()}: 10 ms to an hour; a second by default. */
    public Builder interval(Duration value) {
      interval = Objects.requireNonNull(value, "interval");
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException naming each value that is wrong, and what is allowed
     */
    public WorkloadOptions build() {
      List<String> wrong = new ArrayList<>();
      if (threads < 1 || threads > ItemVersions.MOST_WRITERS) {
        wrong.add("threads " + threads + ", allowed 1 to " + ItemVersions.MOST_WRITERS);
      }
      if (!(readRate >= 0 && readRate <= 1)) {
        wrong.add("readRate " + readRate + ", allowed 0 to 1");
      }
      if (!(opsPerSecond >= 0 && opsPerSecond <= 1e9)) {
        wrong.add("opsPerSecond " + opsPerSecond + ", allowed 0 to a billion");
      }
      if (duration.isNegative() || duration.isZero() || duration.compareTo(NO_END) > 0) {
        wrong.add("duration " + duration + ", allowed more than zero, up to a year");
      }
      if (operations < 0) {
        wrong.add("operations " + operations + ", allowed 0 or more");
      }
      if (interval.compareTo(Duration.ofMillis(10)) < 0
          || interval.compareTo(Duration.ofHours(1)) > 0) {
        wrong.add("interval " + interval + ", allowed 10 ms to an hour");
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
      return new WorkloadOptions(this);
    }
  }
}
