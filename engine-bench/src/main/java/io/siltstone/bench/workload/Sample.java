package io.siltstone.bench.workload;

/**
 * A load's last interval.
 *
 * @param seconds since the beginning, at the interval's end
 * @param intervalSeconds how long the interval was
 * @param reads in the interval
 * @param writes in the interval
 * @param errors since the beginning
 * @param wrongReads since the beginning
 * @param gauges at the end
 */
public record Sample(
    double seconds,
    double intervalSeconds,
    Latency reads,
    Latency writes,
    long errors,
    long wrongReads,
    Gauges gauges) {

  /** Operations that ended well in the interval. */
  public long operations() {
    return reads.count() + writes.count();
  }
}
