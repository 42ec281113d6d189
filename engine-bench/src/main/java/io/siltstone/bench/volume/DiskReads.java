package io.siltstone.bench.volume;

/**
 * Reads that reached a disk.
 *
 * @param count of them
 * @param bytes in all
 */
public record DiskReads(long count, long bytes) {
  /** What came since an earlier count. */
  public DiskReads since(DiskReads earlier) {
    return new DiskReads(count - earlier.count, bytes - earlier.bytes);
  }

  /** Bytes of one on average, 0 if there was none. */
  public double meanBytes() {
    return count == 0 ? 0 : (double) bytes / count;
  }
}
