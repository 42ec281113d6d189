package io.siltstone.sstable.data;

/** Counts the reads of a plain file by one reader. Confined to that reader's thread. */
public final class FileReads {
  private long reads;
  private long bytes;

  /** All zero. */
  public FileReads() {}

  void add(long count) {
    reads++;
    bytes += count;
  }

  /** Begins anew at zero. */
  public void reset() {
    reads = 0;
    bytes = 0;
  }

  /** Times that the file was read. */
  public long reads() {
    return reads;
  }

  /** Bytes that were read. */
  public long bytes() {
    return bytes;
  }
}
