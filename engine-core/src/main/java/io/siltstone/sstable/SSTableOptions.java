package io.siltstone.sstable;

/**
 * Options for opening an SSTable.
 *
 * @param crcCheckChance probability from 0 to 1 with which the checksum of a chunk is compared when
 *     it is read ({@code crc_check_chance})
 * @param isForSalvage whether it is opened even if its index, summary or filter is damaged or
 *     missing, because they can be rebuilt from the data, or if {@code CRC.db} or {@code
 *     CompressionInfo.db} does not match. Such an SSTable can only be scanned as a whole: lookups
 *     may miss rows
 */
public record SSTableOptions(double crcCheckChance, boolean isForSalvage) {
  /** All checksums are compared, and damage is an error. */
  public static final SSTableOptions DEFAULT = new SSTableOptions(1.0, false);

  /** Checks the range. */
  public SSTableOptions {
    if (!(crcCheckChance >= 0 && crcCheckChance <= 1)) {
      throw new IllegalArgumentException(
          "crc_check_chance " + crcCheckChance + ", allowed 0.0 to 1.0");
    }
  }

  /** Returns a copy with another probability of checks. */
  public SSTableOptions withCrcCheckChance(double chance) {
    return new SSTableOptions(chance, isForSalvage);
  }

  /** Returns a copy with or without salvage. */
  public SSTableOptions withSalvage(boolean isMeant) {
    return new SSTableOptions(crcCheckChance, isMeant);
  }
}
