package io.siltstone.bench.workload;

import java.util.SplittableRandom;

/**
 * Samples ranks from 1 to n in a Zipf distribution, exactly and without a table, by
 * rejection-inversion (Hörmann, Derflinger: Rejection-inversion to generate variates from monotone
 * discrete distributions, ACM Transactions on Modeling and Computer Simulation 6, 1996). A point of
 * the area h below the curve x^-exponent is drawn, and rejected in the few cases in which it is
 * above the step of its rank. Immutable.
 */
final class ZipfSampler {
  private final long count;
  private final double exponent;
  private final double areaAtFirst;
  private final double areaAtEnd;

  /** A point nearer to its rank than this is accepted without a further test. */
  private final double near;

  ZipfSampler(long count, double exponent) {
    this.count = count;
    this.exponent = exponent;
    areaAtFirst = area(1.5) - 1;
    areaAtEnd = area(count + 0.5);
    near = 2 - pointOfArea(area(2.5) - height(2));
  }

  long next(SplittableRandom random) {
    while (true) {
      double area = areaAtEnd + random.nextDouble() * (areaAtFirst - areaAtEnd);
      double x = pointOfArea(area);
      long rank = Math.max(1, Math.min(count, (long) (x + 0.5)));
      if (rank - x <= near || area >= area(rank + 0.5) - height((double) rank)) {
        return rank;
      }
    }
  }

  private double height(double x) {
    return Math.exp(-exponent * Math.log(x));
  }

  /** Returns the integral of the curve, (x^(1-s) - 1) / (1-s), which is log x for s = 1. */
  private double area(double x) {
    double log = Math.log(x);
    return log * expm1Share((1 - exponent) * log);
  }

  private double pointOfArea(double area) {
    // Rounding may carry it below the pole.
    double t = Math.max(-1, area * (1 - exponent));
    return Math.exp(area * log1pShare(t));
  }

  /** Returns (e^x - 1) / x. */
  private static double expm1Share(double x) {
    return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
  }

  /** Returns log(1 + x) / x. */
  private static double log1pShare(double x) {
    return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
  }
}
