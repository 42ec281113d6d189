package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;

/**
 * How a table is opened for reading.
 *
 * @param crcCheckChance probability from 0 to 1 with which the checksum of a chunk that is read is
 *     compared ({@code crc_check_chance})
 * @param readAheadBytes read at a time by scans, 0 or more; 0 to read each chunk for itself
 */
public record SSTableOptions(double crcCheckChance, int readAheadBytes) {
  /** All checksums compared, 256 KiB read ahead. */
  public static final SSTableOptions DEFAULT =
      new SSTableOptions(1.0, ChunkedFile.DEFAULT_READ_AHEAD_BYTES);

  /** Checks the ranges. */
  public SSTableOptions {
    if (!(crcCheckChance >= 0 && crcCheckChance <= 1)) {
      throw new IllegalArgumentException(
          "crc_check_chance " + crcCheckChance + ", allowed 0.0 to 1.0");
    }
    if (readAheadBytes < 0) {
      throw new IllegalArgumentException(
          "read-ahead " + readAheadBytes + " bytes, allowed 0 or more");
    }
  }

  /** With another probability of checks. */
  public SSTableOptions withCrcCheckChance(double chance) {
    return new SSTableOptions(chance, readAheadBytes);
  }

  /** With another read-ahead. */
  public SSTableOptions withReadAheadBytes(int bytes) {
    return new SSTableOptions(crcCheckChance, bytes);
  }
}
