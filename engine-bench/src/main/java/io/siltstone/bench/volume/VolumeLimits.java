package io.siltstone.bench.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The limits of a volume, each 0 for none. Writes are not limited. Immutable.
 *
 * @param readsPerSecond reads of at most 256 KiB
 * @param bytesPerSecond bytes read
 * @param memoryBytes memory of the process and the page cache of what it reads
 * @param isReadAheadOff whether the disk's own read-ahead is reduced meanwhile, if the user may, so
 *     that the disk sees the reads that the engine makes
 */
public record VolumeLimits(
    long readsPerSecond, long bytesPerSecond, long memoryBytes, boolean isReadAheadOff) {
  /** No limits. */
  public static final VolumeLimits NONE = new VolumeLimits(0, 0, 0);

  /** A general purpose cloud volume: 3,000 reads and 125 MiB per second. */
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
              + " bytes of memory; allowed 0 or more");
    }
  }

  /** Limits with the disk's read-ahead off if reads are limited. */
  public VolumeLimits(long readsPerSecond, long bytesPerSecond, long memoryBytes) {
    this(readsPerSecond, bytesPerSecond, memoryBytes, readsPerSecond > 0 || bytesPerSecond > 0);
  }

  /** Returns these limits with a limit of memory. */
  public VolumeLimits withMemory(long bytes) {
    return new VolumeLimits(readsPerSecond, bytesPerSecond, bytes, isReadAheadOff);
  }

  /** Returns these limits with the disk's read-ahead off. */
  public VolumeLimits withoutReadAhead() {
    return new VolumeLimits(readsPerSecond, bytesPerSecond, memoryBytes, true);
  }

  /** Returns whether reads are limited. */
  public boolean limitsReads() {
    return readsPerSecond > 0 || bytesPerSecond > 0;
  }

  /** Returns the limits of reads in words. */
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
