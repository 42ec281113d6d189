package io.siltstone.compaction.simulate;

import java.util.List;

/**
 * The state of a simulation at one moment, with its write, space and read amplification.
 *
 * @param seconds since the simulation began
 * @param bytes the bytes written, stored and waiting
 * @param jobs the number of jobs completed
 * @param tables the number of SSTables
 * @param reads the cost of reads
 * @param groups the SSTables by level, window or size
 */
public record Measure(
    long seconds, Bytes bytes, long jobs, int tables, Reads reads, List<Group> groups) {

  /** Copies the list. */
  public Measure {
    groups = List.copyOf(groups);
  }

  /**
   * Bytes of data files.
   *
   * @param ingested bytes written by the client until then, as they take on disk
   * @param written bytes written to data files, flushes included
   * @param onDisk bytes of all data files
   * @param live bytes of the rows that a full scan returns
   * @param debt compaction debt: bytes that the strategy has to merge before no job is left
   * @param running bytes that the running jobs have still to read
   */
  public record Bytes(
      long ingested, long written, long onDisk, long live, long debt, long running) {}

  /**
   * The cost of a read.
   *
   * @param meanTables the mean number of SSTables that have a row of the partition that is read;
   *     greater where rows are overwritten
   * @param maxTables the greatest number found of such SSTables
   * @param meanFilters the mean number of SSTables whose key range has the partition: their bloom
   *     filters are asked, and about one in a hundred is read in vain
   */
  public record Reads(double meanTables, int maxTables, double meanFilters) {}

  /**
   * SSTables that a strategy treats as one group.
   *
   * @param name e.g. {@code level 2}, {@code window of 2027-01-15T00:00:00Z}, {@code up to 4 GiB}
   * @param tables the number of SSTables in it
   * @param onDiskBytes their bytes
   */
  public record Group(String name, int tables, long onDiskBytes) {}

  /** Returns the write amplification: the bytes written to disk for each byte ingested. */
  public double writeAmplification() {
    return bytes.ingested() == 0 ? 0 : (double) bytes.written() / bytes.ingested();
  }

  /**
   * Returns the space amplification: the bytes on disk for each byte of a live row; infinite if
   * there is none.
   */
  public double spaceAmplification() {
    return (double) bytes.onDisk() / bytes.live();
  }
}
