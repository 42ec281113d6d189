package io.siltstone.bench.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a volume may do, each 0 for no limit. Writes are not limited. Immutable.
 *
 * @param readsPerSecond each of at most 256 KiB
 * @param bytesPerSecond that are read
 * @param memoryBytes of the process and of the page cache of what it reads
 * @param isReadAheadOff whether the disk's own read-ahead is lowered meanwhile, if that is allowed,
 *     so that the reads that the engine makes are those that the disk sees
 */
public record VolumeLimits(
    long readsPerSecond, long bytesPerSecond, long memoryBytes, boolean isReadAheadOff) {
  /** The disk as it is. */
  public static final VolumeLimits NONE = new VolumeLimits(0, 0, 0);

  /** A cloud volume of the general kind: 3,000 reads and 125 MiB a second. */
  public static final VolumeLimits CLOUD = new VolumeLimits(3_000, 125L << 20, 0);

  /** Checks the values. */
  public VolumeLimits {
    if (readsPerSecond < 0 || bytesPerSecond < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException(
          "limits "
              + readsPerSecond
              + " reads/s, "
              + bytesPerSecond
              + " bytes/s, "
              + memoryBytes
              + " bytes of memory; allowed 0 and more");
    }
  }

  /** With the disk's read-ahead off if reads are limited. */
  public VolumeLimits(long readsPerSecond, long bytesPerSecond, long memoryBytes) {
    this(readsPerSecond, bytesPerSecond, memoryBytes, readsPerSecond > 0 || bytesPerSecond > 0);
  }

  /** With a limit of memory. */
  public VolumeLimits withMemory(long bytes) {
    return new VolumeLimits(readsPerSecond, bytesPerSecond, bytes, isReadAheadOff);
  }

  /** With the disk's read-ahead off. */
  public VolumeLimits withoutReadAhead() {
    return new VolumeLimits(readsPerSecond, bytesPerSecond, memoryBytes, true);
  }

  /** Whether reads are limited. */
  public boolean limitsReads() {
    return readsPerSecond > 0 || bytesPerSecond > 0;
  }

  /** The limits of reads alone, in words. */
  public String readsText() {
    List<String> parts = new ArrayList<>();
    if (readsPerSecond > 0) {
      parts.add(String.format(Locale.ROOT, "%,d reads/s", readsPerSecond));
    }
    if (bytesPerSecond > 0) {
      parts.add(String.format(Locale.ROOT, "%,d MiB/s", bytesPerSecond >> 20));
    }
    return parts.isEmpty() ? "no limit" : String.join(" and ", parts);
  }
}
