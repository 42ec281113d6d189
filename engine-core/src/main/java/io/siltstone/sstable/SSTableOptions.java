package io.siltstone.sstable;

/**
 * How a table is opened for reading.
 *
 * @param crcCheckChance probability from 0 to 1 with which the checksum of a chunk that is read is
 *     compared ({@code crc_check_chance})
 */
public record SSTableOptions(double crcCheckChance) {
  /** All checksums compared. */
  public static final SSTableOptions DEFAULT = new SSTableOptions(1.0);

  /** Checks the range. */
  public SSTableOptions {
    if (!(crcCheckChance >= 0 && crcCheckChance <= 1)) {
      throw new IllegalArgumentException(
          "crc_check_chance " + crcCheckChance + ", allowed 0.0 to 1.0");
    }
  }

  /** With another probability of checks. */
  public SSTableOptions withCrcCheckChance(double chance) {
    return new SSTableOptions(chance);
  }
}
