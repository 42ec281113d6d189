package io.siltstone.statistics;

/**
 * What flushes and compactions have moved since a live set was opened, in bytes of data files.
 *
 * @param flushes that were committed
 * @param flushedBytes that they have written
 * @param compactions that were committed
 * @param compactionBytesRead of their inputs, but for those that were dropped unread
 * @param compactionBytesWritten of their outputs
 */
public record Traffic(
    long flushes,
    long flushedBytes,
    long compactions,
    long compactionBytesRead,
    long compactionBytesWritten) {
  /** Before the first flush and compaction. */
  public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

  /** After a flush more. */
  public Traffic plusFlush(long bytes) {
    return new Traffic(
        flushes + 1,
        flushedBytes + bytes,
        compactions,
        compactionBytesRead,
        compactionBytesWritten);
  }

  /** After a compaction more. */
  public Traffic plusCompaction(long bytesRead, long bytesWritten) {
    return new Traffic(
        flushes,
        flushedBytes,
        compactions + 1,
        compactionBytesRead + bytesRead,
        compactionBytesWritten + bytesWritten);
  }

  /**
   * Returns the bytes written for each byte flushed, the flush itself included; 0 before the first
   * flush.
   */
  public double writeAmplification() {
    return flushedBytes == 0 ? 0 : (flushedBytes + compactionBytesWritten) / (double) flushedBytes;
  }
}
