package io.siltstone.bench.volume;

/**
 * Reads that reached a disk.
 *
 * @param count number of reads
 * @param bytes read by all of them
 */
public record DiskReads(long count, long bytes) {
  /** Returns the reads since an earlier count. */
  public DiskReads since(DiskReads earlier) {
    return new DiskReads(count - earlier.count, bytes - earlier.bytes);
  }

  /** Returns the mean size of a read, 0 if there was none. */
  public double meanBytes() {
    return count == 0 ? 0 : (double) bytes / count;
  }
}
