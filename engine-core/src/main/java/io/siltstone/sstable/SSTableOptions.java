package io.siltstone.sstable;

/**
 * How a table is opened for reading.
 *
 * @param crcCheckChance probability from 0 to 1 with which the checksum of a chunk that is read is
 *     compared ({@code crc_check_chance})
 * @param isForSalvage whether it is opened although its index, summary or filter is damaged or
 *     missing, as all of that can be made anew from the data, or the {@code CRC.db} or {@code
 *     CompressionInfo.db} does not fit it. Such a table is there to be scanned as a whole: a
 *     look-up may not find what it has
 */
public record SSTableOptions(double crcCheckChance, boolean isForSalvage) {
  /** All checksums compared, nothing damaged. */
  public static final SSTableOptions DEFAULT = new SSTableOptions(1.0, false);

  /** Checks the range. */
  public SSTableOptions {
    if (!(crcCheckChance >= 0 && crcCheckChance <= 1)) {
      throw new IllegalArgumentException(
          "crc_check_chance " + crcCheckChance + ", allowed 0.0 to 1.0");
    }
  }

  /** With another probability of checks. */
  public SSTableOptions withCrcCheckChance(double chance) {
    return new SSTableOptions(chance, isForSalvage);
  }

  /** For salvage, or not. */
  public SSTableOptions withSalvage(boolean isMeant) {
    return new SSTableOptions(crcCheckChance, isMeant);
  }
}
