package io.siltstone.bench.workload;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The outcome of a workload.
 *
 * @param seconds time that it took
 * @param reads latencies of reads
 * @param writes latencies of writes
 * @param rowsRead number of rows that all reads returned
 * @param failures operations that failed, and reads that returned wrong data
 * @param allocatedBytes heap allocated by the threads that wrote and read, without flushes and
 *     compactions
 * @param usage resources that the whole process used meanwhile
 * @param samples one for each interval, in the order of time
 */
public record WorkloadResult(
    double seconds,
    Latencies reads,
    Latencies writes,
    long rowsRead,
    Failures failures,
    long allocatedBytes,
    ProcessUsage usage,
    List<WorkloadSample> samples) {

  /**
   * The latencies of one kind of operation.
   *
   * @param nanos latencies of the operations that succeeded, in nanoseconds, and how long the
   *     missed ones had waited; not changed any more
   * @param missed number of operations that should have begun before the end and had not; 0 unless
   *     a rate was asked for
   */
  public record Latencies(Histogram nanos, long missed) {
    /** Returns the latencies, waits of missed operations included; the count is without these. */
    public Latency summary() {
      return Latency.of(nanos).withoutMissed(missed);
    }
  }

  /**
   * The operations that went wrong.
   *
   * @param errors number of operations that failed
   * @param wrongReads number of reads that returned what they must not
   * @param first descriptions of the first of them
   */
  public record Failures(long errors, long wrongReads, List<String> first) {
    /** Copies the list. */
    public Failures {
      first = List.copyOf(first);
    }
  }

  /** Copies the list. */
  public WorkloadResult {
    samples = List.copyOf(samples);
  }

  /** Returns the number of operations that succeeded. */
  public long operations() {
    return readLatency().count() + writeLatency().count();
  }

  /** Returns the number of operations that succeeded per second. */
  public double opsPerSecond() {
    return seconds == 0 ? 0 : operations() / seconds;
  }

  /** Returns the number of operations that should have begun before the end and had not. */
  public long missed() {
    return reads.missed() + writes.missed();
  }

  /** Returns the latencies of reads; see {@link Latencies#summary}. */
  public Latency readLatency() {
    return reads.summary();
  }

  /** Returns the latencies of writes; see {@link Latencies#summary}. */
  public Latency writeLatency() {
    return writes.summary();
  }

  /** Returns whether nothing failed and every read was right. */
  public boolean isRight() {
    return failures.errors() == 0 && failures.wrongReads() == 0;
  }
}
