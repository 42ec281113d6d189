package io.siltstone.statistics;

/**
 * The traffic of flushes and compactions since a live set was opened, in bytes of data files.
 *
 * @param flushes number of committed flushes
 * @param flushedBytes bytes written by them
 * @param compactions number of committed compactions
 * @param compactionBytesRead bytes of their inputs, except those that were dropped unread
 * @param compactionBytesWritten bytes of their outputs
 */
public record Traffic(
    long flushes,
    long flushedBytes,
    long compactions,
    long compactionBytesRead,
    long compactionBytesWritten) {
  /** The traffic before the first flush and compaction. */
  public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

  /** Returns the traffic with one more flush. */
  public Traffic plusFlush(long bytes) {
    return new Traffic(
        flushes + 1,
        flushedBytes + bytes,
        compactions,
        compactionBytesRead,
        compactionBytesWritten);
  }

  /** Returns the traffic with one more compaction. */
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
