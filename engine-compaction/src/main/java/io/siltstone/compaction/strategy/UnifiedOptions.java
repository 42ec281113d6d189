package io.siltstone.compaction.strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of unified compaction, which divides SSTables into levels and shards. Names, defaults
 * and arithmetic are those of Cassandra's {@code unified.Controller}.
 *
 * @param scaling the scaling parameters by level, the last one for all higher levels: 0 is N, w
 *     &gt; 0 is T(w + 2), w &lt; 0 is L(2 - w)
 * @param targetBytes the approximate size of SSTables
 * @param minBytes the size below which SSTables are not divided into the base shards, 0 for no
 *     limit
 * @param growth how much of the growth of the data goes into larger SSTables rather than into more,
 *     0 to 1
 * @param baseShards the least number of shards into which the token space is divided
 * @param flushBytes the size of a flush, 0 to use the observed size
 * @param maxToCompact the greatest number of overlapping SSTables that one job merges
 * @param inclusion which SSTables are merged in addition to those that are too many
 * @param expiry when fully expired SSTables are dropped
 */
record UnifiedOptions(
    List<Integer> scaling,
    long targetBytes,
    long minBytes,
    double growth,
    int baseShards,
    long flushBytes,
    int maxToCompact,
    Inclusion inclusion,
    ExpiryOptions expiry) {
  private static final long MIB = 1L << 20;
  private static final double DEFAULT_GROWTH = 0.333;
  private static final int DEFAULT_BASE_SHARDS = 4;
  private static final long DEFAULT_TARGET_BYTES = 1024 * MIB;
  private static final long DEFAULT_MIN_BYTES = 100 * MIB;
  private static final int MAX_SHARD_SHIFT = 20;
  // Far more than there are SSTables, and small enough that the arithmetic does not overflow.
  private static final int MAX_FANOUT = 1_000_000;
  private static final double INVERSE_SQRT_2 = Math.sqrt(0.5);

  private static final Pattern SCALING = Pattern.compile("(N)|L(\\d+)|T(\\d+)|([+-]?\\d+)");

  /** The values of {@code overlap_inclusion_method}. */
  enum Inclusion {
    /** Only those SSTables that overlap at one key. */
    NONE,
    /** Also those SSTables that overlap one of them. */
    SINGLE,
    /** Also those that overlap these, and so on. */
    TRANSITIVE
  }

  static UnifiedOptions of(OptionValues values) {
    long target =
        (long)
            Math.ceil(
                values.bytes(
                    "target_sstable_size",
                    (double) DEFAULT_TARGET_BYTES,
                    (double) MIB,
                    "a size from 1 MiB, e.g. 1GiB"));
    int most =
        (int) values.number("max_sstables_to_compact", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
    return new UnifiedOptions(
        scaling(values),
        target,
        minBytes(values, target),
        values.share("sstable_growth", DEFAULT_GROWTH),
        values.integer("base_shard_count", DEFAULT_BASE_SHARDS, 1),
        (long)
            values.bytes("flush_size_override", 0, (double) MIB, "a size from 1 MiB, e.g. 100MiB"),
        most <= 0 ? Integer.MAX_VALUE : most,
        values.choiceOfAnyCase("overlap_inclusion_method", Inclusion.class, Inclusion.TRANSITIVE),
        ExpiryOptions.of(values, 1));
  }

  private static long minBytes(OptionValues values, long target) {
    double limit = Math.ceil(target * INVERSE_SQRT_2);
    String allowed =
        "a size from 0B to 70 % of target_sstable_size, which is " + FigureText.bytes(target);
    // The default may be larger than a small target, which is not an error.
    double bytes = values.bytes("min_sstable_size", (double) DEFAULT_MIN_BYTES, 0, allowed);
    if (values.has("min_sstable_size") && bytes >= limit) {
      values.wrong("min_sstable_size", allowed);
    }
    return (long) bytes;
  }

  private static List<Integer> scaling(OptionValues values) {
    String name = "scaling_parameters";
    List<Integer> parameters = new ArrayList<>();
    for (String text : values.text(name, "T4").split(",", -1)) {
      int parameter = parse(text.trim());
      if (parameter == Integer.MIN_VALUE) {
        values.wrong(
            name,
            "N, T and L with a number from 2 to "
                + MAX_FANOUT
                + ", whole numbers from "
                + (2 - MAX_FANOUT)
                + " to "
                + (MAX_FANOUT - 2)
                + ", or a list of these");
        return List.of(0);
      }
      parameters.add(parameter);
    }
    return List.copyOf(parameters);
  }

  /** Returns the parameter; the least integer if the text is none that is allowed. */
  private static int parse(String text) {
    Matcher matcher = SCALING.matcher(text);
    if (!matcher.matches()) {
      return Integer.MIN_VALUE;
    }
    try {
      if (matcher.group(1) != null) {
        return 0;
      }
      if (matcher.group(4) != null) {
        int parameter = Integer.parseInt(matcher.group(4));
        return parameter >= 2 - MAX_FANOUT && parameter <= MAX_FANOUT - 2
            ? parameter
            : Integer.MIN_VALUE;
      }
      boolean isLeveled = matcher.group(2) != null;
      int fanout = Integer.parseInt(matcher.group(isLeveled ? 2 : 3));
      if (fanout < 2 || fanout > MAX_FANOUT) {
        return Integer.MIN_VALUE;
      }
      return isLeveled ? 2 - fanout : fanout - 2;
    } catch (NumberFormatException e) {
      return Integer.MIN_VALUE;
    }
  }

  private int parameter(int level) {
    return scaling.get(Math.min(level, scaling.size() - 1));
  }

  /** Returns whether a level is merged as soon as two SSTables overlap. */
  boolean isLeveled(int level) {
    return parameter(level) < 0;
  }

  /** Returns how many times as dense the next level is. */
  int fanout(int level) {
    return 2 + Math.abs(parameter(level));
  }

  /** Returns the least number of overlapping SSTables that are merged. */
  int threshold(int level) {
    return 2 + Math.max(parameter(level), 0);
  }

  /**
   * Returns the parameter of a level in Cassandra's notation: {@code T4}, {@code L10}, {@code N}.
   */
  String name(int level) {
    int parameter = parameter(level);
    return parameter == 0 ? "N" : (parameter < 0 ? "L" : "T") + fanout(level);
  }

  /**
   * Returns the density at which level 0 ends. Flushes that are a little smaller than the others
   * belong to it, too.
   *
   * @param observedFlushBytes 0 if it is not known
   */
  double maxDensity(long observedFlushBytes) {
    // Rounded up, so that it rarely changes.
    long flush = flushBytes > 0 ? flushBytes : -Math.floorDiv(-observedFlushBytes, MIB) * MIB;
    return maxDensity(0, Math.max(MIB, flush) * (1.0 - 0.9 / fanout(0)));
  }

  /** Returns the density at which a level ends that begins at {@code minDensity}. */
  double maxDensity(int level, double minDensity) {
    return Math.floor(minDensity * fanout(level));
  }

  /**
   * Returns the number of shards into which the token space is divided at a density. It is the base
   * count times a power of two, so that boundaries remain when data grows; or, where SSTables would
   * be smaller than the minimum, a power of two that divides the base count.
   */
  int shards(double density) {
    if (minBytes > 0 && !(density / minBytes >= baseShards)) {
      return Math.min(
          Integer.highestOneBit((int) (density / minBytes) | 1), baseShards & -baseShards);
    }
    if (growth == 1) {
      return baseShards;
    }
    if (growth == 0) {
      double count =
          Math.min(
              density / (targetBytes * INVERSE_SQRT_2 * baseShards),
              Math.scalb(1.0, MAX_SHARD_SHIFT));
      return baseShards * Integer.highestOneBit((int) count | 1);
    }
    double power =
        Math.log(density / ((double) targetBytes * baseShards)) * (1.0 / Math.log(2)) * (1 - growth)
            + 0.5;
    return power >= 0 ? baseShards << (int) Math.min(power, MAX_SHARD_SHIFT) : baseShards;
  }
}
