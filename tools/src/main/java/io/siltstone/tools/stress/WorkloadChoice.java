package io.siltstone.tools.stress;

import io.siltstone.bench.workload.BookValue;
import io.siltstone.bench.workload.KeyDistribution;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the profile and of its run. */
final class WorkloadChoice {
  private static final Duration DEFAULT_DURATION = Duration.ofMinutes(1);
  private static final int MOST_THREADS = 255;

  @Option(
      names = {"-p", "--partitions"},
      paramLabel = "COUNT",
      description = "Number of partitions, e.g. 1M; default depends on the profile.")
  private @Nullable String partitions;

  @Option(
      names = "--rows",
      paramLabel = "COUNT",
      description =
          "Rows per partition, for Wide, TimeSeries, RangeScan; default depends on the"
              + " profile.")
  private @Nullable String rows;

  @Option(
      names = "--limit",
      paramLabel = "COUNT",
      description = "Rows per read, for TimeSeries, RangeScan; default depends on the profile.")
  private @Nullable String limit;

  @Option(
      names = "--value",
      paramLabel = "book(N,M)",
      defaultValue = "book(100,200)",
      description =
          "Length of values: N to M words of a book-like text, about 6 bytes each; 1 to"
              + " 100,000; default ${DEFAULT-VALUE}.")
  private String value = "";

  @Option(
      names = {"-n", "--iterations"},
      paramLabel = "COUNT",
      description = "Number of operations, e.g. 50M, 100k; default unlimited.")
  private @Nullable String iterations;

  @Option(
      names = {"-d", "--duration"},
      paramLabel = "TIME",
      description = "Duration, e.g. 1h30m, 90s; default 1m if there is no --iterations.")
  private @Nullable String duration;

  @Option(
      names = {"-r", "--read-rate"},
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description = "Share of reads among all operations, 0 to 1; default ${DEFAULT-VALUE}.")
  private double readRate;

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "COUNT",
      description = "Number of threads, 1 to 255; default the number of processors.")
  private @Nullable Integer threads;

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      description =
          "Operations per second of all threads, e.g. 10k; latencies are then measured"
              + " from the time at which an operation was due; default unlimited.")
  private @Nullable String rate;

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      defaultValue = "uniform",
      description =
          "Distribution of partitions (for Wide: rows): uniform, sequential, zipf, or"
              + " zipf(EXPONENT), more than 0, to 4; default ${DEFAULT-VALUE}.")
  private String distribution = "";

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Seed; the same seed gives the same choices; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "3s",
      description =
          "Time between two lines, and points of the charts, 10ms to 1h; default"
              + " ${DEFAULT-VALUE}.")
  private String interval = "";

  @Option(
      names = "--no-version-check",
      description =
          "Check reads by their content only, not for the newest version, which saves"
              + " four bytes of heap per partition (for Wide: row).")
  private boolean isUnchecked;

  /**
   * Returns the profile of a name.
   *
   * @throws UsageException naming what is wrong
   */
  Profile profile(String name) {
    ProfileOptions options;
    try {
      options =
          new ProfileOptions(
              partitions == null
                  ? OptionalLong.empty()
                  : OptionalLong.of(count("--partitions", partitions, Long.MAX_VALUE)),
              rows == null
                  ? OptionalInt.empty()
                  : OptionalInt.of((int) count("--rows", rows, Integer.MAX_VALUE)),
              limit == null
                  ? OptionalInt.empty()
                  : OptionalInt.of((int) count("--limit", limit, Integer.MAX_VALUE)),
              parsed("--value", value, BookValue::parse));
      return Profile.of(name, options);
    } catch (ArithmeticException e) {
      throw new UsageException(
          "--partitions = "
              + (partitions == null ? "default" : partitions)
              + " and --rows = "
              + (rows == null ? "default" : rows)
              + " are too large: together up to "
              + Long.MAX_VALUE
              + " rows",
          e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static long count(String option, String text, long most) {
    long count = Units.parseCount(option, text);
    UsageException.require(count >= 1 && count <= most, option, text, "1 to " + most);
    return count;
  }

  private static <T> T parsed(String option, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " = " + e.getMessage(), e);
    }
  }

  /**
   * Returns the options of the run.
   *
   * @throws UsageException naming the option that is wrong
   */
  WorkloadOptions load() {
    WorkloadOptions.Builder options = WorkloadOptions.builder().seed(seed).checked(!isUnchecked);
    if (threads != null) {
      UsageException.require(
          threads >= 1 && threads <= MOST_THREADS, "--threads", threads, "1 to 255");
      options.threads(threads);
    }
    UsageException.require(readRate >= 0 && readRate <= 1, "--read-rate", readRate, "0 to 1");
    options.readRate(readRate);
    if (rate != null) {
      long perSecond = Units.parseCount("--rate", rate);
      UsageException.require(perSecond >= 1 && perSecond <= 1e9, "--rate", rate, "1 to a billion");
      options.opsPerSecond((double) perSecond);
    }
    if (iterations != null) {
      options.operations(Units.parseCount("--iterations", iterations));
    }
    if (duration != null) {
      options.duration(time("--duration", duration, Duration.ofMillis(1), Duration.ofDays(365)));
    } else if (iterations == null) {
      options.duration(DEFAULT_DURATION);
    }
    options.interval(time("--interval", interval, Duration.ofMillis(10), Duration.ofHours(1)));
    return options
        .distribution(parsed("--distribution", distribution, KeyDistribution::parse))
        .build();
  }

  private static Duration time(String option, String text, Duration least, Duration most) {
    Duration time = Units.parseTime(option, text);
    UsageException.require(
        time.compareTo(least) >= 0 && time.compareTo(most) <= 0,
        option,
        text,
        least.toMillis() + "ms to " + most.toHours() + "h");
    return time;
  }
}
