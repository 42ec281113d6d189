package io.siltstone.compaction.simulate;

import java.util.List;

/**
 * The state of a simulation at one moment, with its write, space and read amplification.
 *
 * @param seconds since the simulation began
 * @param ingestedBytes bytes written by the client until then, as they take on disk
 * @param writtenBytes bytes written to data files, flushes included
 * @param onDiskBytes bytes of all data files
 * @param liveBytes bytes of the rows that a full scan returns
 * @param debtBytes compaction debt: bytes that the strategy has to merge before no job is left
 * @param runningBytes bytes that the running jobs have still to read
 * @param jobs the number of jobs completed
 * @param tables the number of SSTables
 * @param meanTablesPerRead the mean number of SSTables that have a row of the partition that is
 *     read; greater where rows are overwritten
 * @param maxTablesPerRead the greatest number found of such SSTables
 * @param meanFiltersPerRead the mean number of SSTables whose key range has the partition: their
 *     bloom filters are asked, and about one in a hundred is read in vain
 * @param groups the SSTables by level, window or size
 */
public record Measure(
    long seconds,
    long ingestedBytes,
    long writtenBytes,
    long onDiskBytes,
    long liveBytes,
    long debtBytes,
    long runningBytes,
    long jobs,
    int tables,
    double meanTablesPerRead,
    int maxTablesPerRead,
    double meanFiltersPerRead,
    List<Group> groups) {

  /** Copies the list. */
  public Measure {
    groups = List.copyOf(groups);
  }

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
    return ingestedBytes == 0 ? 0 : (double) writtenBytes / ingestedBytes;
  }

  /**
   * Returns the space amplification: the bytes on disk for each byte of a live row; infinite if
   * there is none.
   */
  public double spaceAmplification() {
    return (double) onDiskBytes / liveBytes;
  }
}
