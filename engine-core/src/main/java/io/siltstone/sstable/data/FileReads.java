package io.siltstone.sstable.data;

/** Counts the reads of a plain file by one reader. Confined to that reader's thread. */
public final class FileReads {
  private long reads;
  private long bytes;

  /** Creates counters that are zero. */
  public FileReads() {}

  /** Counts a read of a number of bytes. */
  public void add(long count) {
    reads++;
    bytes += count;
  }

  /** Sets the counters to zero. */
  public void reset() {
    reads = 0;
    bytes = 0;
  }

  /** Returns the number of reads of the file. */
  public long reads() {
    return reads;
  }

  /** Returns the number of bytes read. */
  public long bytes() {
    return bytes;
  }
}
