package io.siltstone.bench.workload;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What came of a load.
 *
 * @param seconds it took
 * @param reads latencies of reads that ended well, in nanoseconds, and what the missed ones had
 *     waited; nobody changes them any more
 * @param writes latencies of writes that ended well, in nanoseconds; likewise
 * @param missedReads reads that should have begun before the end, and had not: with a rate only
 * @param missedWrites writes of that kind
 * @param rowsRead by all reads
 * @param errors operations that failed
 * @param wrongReads reads that showed what they must not
 * @param problems the first errors and wrong reads, in words
 * @param allocatedBytes on the heap by the threads that wrote and read; flushes and compactions not
 *     included
 * @param usage of the whole process meanwhile
 * @param samples in the order of time
 */
public record LoadResult(
    double seconds,
    Histogram reads,
    Histogram writes,
    long missedReads,
    long missedWrites,
    long rowsRead,
    long errors,
    long wrongReads,
    List<String> problems,
    long allocatedBytes,
    ProcessUsage usage,
    List<Sample> samples) {
  /** Copies the lists. */
  public LoadResult {
    problems = List.copyOf(problems);
    samples = List.copyOf(samples);
  }

  /** Operations that ended well. */
  public long operations() {
    return readLatency().count() + writeLatency().count();
  }

  /** Operations that ended well, in a second. */
  public double opsPerSecond() {
    return seconds == 0 ? 0 : operations() / seconds;
  }

  /** Operations that should have begun before the end, and had not: with a rate only. */
  public long missed() {
    return missedReads + missedWrites;
  }

  /** Latencies of reads, the waiting of missed ones included; the count is of those that ended. */
  public Latency readLatency() {
    return Latency.of(reads).withoutMissed(missedReads);
  }

  /** Latencies of writes, likewise. */
  public Latency writeLatency() {
    return Latency.of(writes).withoutMissed(missedWrites);
  }

  /** Whether nothing failed and every read was right. */
  public boolean isRight() {
    return errors == 0 && wrongReads == 0;
  }
}
