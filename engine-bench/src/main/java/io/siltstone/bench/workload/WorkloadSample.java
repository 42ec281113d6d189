package io.siltstone.bench.workload;

/**
 * The figures of a workload's last interval.
 *
 * @param seconds time since the beginning, at the interval's end
 * @param intervalSeconds length of the interval
 * @param reads in the interval
 * @param writes in the interval
 * @param errors since the beginning
 * @param wrongReads since the beginning
 * @param gauges at the end
 */
public record WorkloadSample(
    double seconds,
    double intervalSeconds,
    Latency reads,
    Latency writes,
    long errors,
    long wrongReads,
    Gauges gauges) {

  /** Returns the number of operations in the interval that succeeded. */
  public long operations() {
    return reads.count() + writes.count();
  }
}
