package io.siltstone.bench.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a profile is run. Immutable; made by {@link #builder()}, which reports every wrong value at
 * once.
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

  /** A builder of the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of these. */
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

  /** Threads that write and read. */
  public int threads() {
    return threads;
  }

  /** Share of reads in all operations. */
  public double readRate() {
    return readRate;
  }

  /**
   * Operations a second of all threads together; 0 for as many as there can be. With a rate,
   * latencies count from the moment at which an operation should have begun.
   */
  public double opsPerSecond() {
    return opsPerSecond;
  }

  /** How long it runs at most. */
  public Duration duration() {
    return duration;
  }

  /** How many operations there are at most. */
  public long operations() {
    return operations;
  }

  /** Which items are asked for. */
  public KeyDistribution distribution() {
    return distribution;
  }

  /** The same gives the same choices to a thread. */
  public long seed() {
    return seed;
  }

  /**
   * Whether reads must show the versions that were written. Otherwise only that what they show was
   * written once. Takes four bytes of heap for each item.
   */
  public boolean isChecked() {
    return isChecked;
  }

  /** Time between two samples. */
  public Duration interval() {
    return interval;
  }

  /** Collects options. Not safe for threads. */
  public static final class Builder {
    private static final Duration NO_END = Duration.ofDays(365);

    private int threads =
        Math.min(Versions.MOST_WRITERS, Runtime.getRuntime().availableProcessors());
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
     * See {@link WorkloadOptions#threads()}: 1 to 255; as many as processors by default, 255 at
     * most.
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

    /** See {@link WorkloadOptions#duration()}: more than nothing, to a year, the default. */
    public Builder duration(Duration value) {
      duration = Objects.requireNonNull(value, "duration");
      return this;
    }

    /** See {@link WorkloadOptions#operations()}: 0 and more; no limit by default. */
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
     * The options.
     *
     * @throws IllegalArgumentException naming each value that is wrong, and what is allowed
     */
    public WorkloadOptions build() {
      List<String> wrong = new ArrayList<>();
      if (threads < 1 || threads > Versions.MOST_WRITERS) {
        wrong.add("threads " + threads + ", allowed 1 to " + Versions.MOST_WRITERS);
      }
      if (!(readRate >= 0 && readRate <= 1)) {
        wrong.add("readRate " + readRate + ", allowed 0 to 1");
      }
      if (!(opsPerSecond >= 0 && opsPerSecond <= 1e9)) {
        wrong.add("opsPerSecond " + opsPerSecond + ", allowed 0 to a billion");
      }
      if (duration.isNegative() || duration.isZero() || duration.compareTo(NO_END) > 0) {
        wrong.add("duration " + duration + ", allowed more than nothing, to a year");
      }
      if (operations < 0) {
        wrong.add("operations " + operations + ", allowed 0 and more");
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
