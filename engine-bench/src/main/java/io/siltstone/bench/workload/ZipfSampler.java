package io.siltstone.bench.workload;

import java.util.SplittableRandom;

/**
 * Ranks from 1 to n in Zipf's distribution, exactly, without a table: rejection-inversion (Hörmann,
 * Derflinger: Rejection-inversion to generate variates from monotone discrete distributions, ACM
 * Transactions on Modeling and Computer Simulation 6, 1996). Below the curve x^-exponent lies the
 * area h; a point of it is drawn, and rejected in the few cases in which it lies above the step of
 * its rank. Immutable.
 */
final class ZipfSampler {
  private final long count;
  private final double exponent;
  private final double areaAtFirst;
  private final double areaAtEnd;

  /** Nearer than this to its rank, a point needs no further look. */
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

  /** The integral of the curve, (x^(1-s) - 1) / (1-s), which is log x for s = 1. */
  private double area(double x) {
    double log = Math.log(x);
    return log * expm1Share((1 - exponent) * log);
  }

  private double pointOfArea(double area) {
    // Rounding may carry it below the pole.
    double t = Math.max(-1, area * (1 - exponent));
    return Math.exp(area * log1pShare(t));
  }

  /** (e^x - 1) / x. */
  private static double expm1Share(double x) {
    return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
  }

  /** log(1 + x) / x. */
  private static double log1pShare(double x) {
    return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
  }
}
