package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The distribution of requests over items. Immutable. */
public sealed interface KeyDistribution {
  /** All items are equally likely. */
  KeyDistribution UNIFORM = new Uniform();

  /** Each item in turn, over all threads. */
  KeyDistribution SEQUENTIAL = new Sequential();

  /**
   * Zipf's distribution as in YCSB: the exponent is 0.99, and popular items are scattered over all.
   */
  KeyDistribution ZIPF = new Zipf(Zipf.DEFAULT_EXPONENT);

  /**
   * Returns a chooser of items.
   *
   * @param items number of items, 1 or more
   */
  KeyChooser over(long items);

  /**
   * Parses {@code uniform}, {@code sequential}, {@code zipf}, or {@code zipf(0.8)} with an
   * exponent.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  static KeyDistribution parse(String text) {
    String name = text.trim();
    Matcher zipf = Pattern.compile("zipf(?:\\((\\d*\\.?\\d+)\\))?").matcher(name);
    if (zipf.matches()) {
      return zipf.group(1) == null ? ZIPF : new Zipf(Double.parseDouble(zipf.group(1)));
    }
    return switch (name) {
      case "uniform" -> UNIFORM;
      case "sequential" -> SEQUENTIAL;
      default ->
          throw new IllegalArgumentException(
              text + ", allowed uniform, sequential, zipf, or zipf(EXPONENT) such as zipf(0.8)");
    };
  }

  /** See {@link #UNIFORM}. */
  record Uniform() implements KeyDistribution {
    @Override
    public KeyChooser over(long items) {
      return random -> random.nextLong(items);
    }

    @Override
    public String toString() {
      return "uniform";
    }
  }

  /** See {@link #SEQUENTIAL}. */
  record Sequential() implements KeyDistribution {
    @Override
    public KeyChooser over(long items) {
      AtomicLong next = new AtomicLong();
      return random -> next.getAndIncrement() % items;
    }

    @Override
    public String toString() {
      return "sequential";
    }
  }

  /**
   * Zipf's distribution: the item of rank r is requested in proportion to r to the power of minus
   * the exponent. Ranks are scattered over the items.
   *
   * @param exponent more than 0, up to 4
   */
  record Zipf(double exponent) implements KeyDistribution {
    /** The exponent of YCSB. */
    public static final double DEFAULT_EXPONENT = 0.99;

    /** Checks the range. */
    public Zipf {
      if (!(exponent > 0 && exponent <= 4)) {
        throw new IllegalArgumentException("zipf(" + exponent + "), allowed more than 0, to 4");
      }
    }

    @Override
    public KeyChooser over(long items) {
      ZipfSampler ranks = new ZipfSampler(items, exponent);
      Permutation scatter = new Permutation(items);
      return random -> scatter.of(ranks.next(random) - 1);
    }

    @Override
    public String toString() {
      return "zipf(" + exponent + ")";
    }
  }
}
