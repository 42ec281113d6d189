package io.siltstone.compaction.simulate;

import java.util.List;

/**
 * The state of a simulation at one moment.
 *
 * @param seconds since it began
 * @param ingestedBytes that were written by then, as they take on disk
 * @param writtenBytes to data files, flushes included
 * @param onDiskBytes of all data files
 * @param liveBytes of the rows that a full scan finds
 * @param debtBytes that the strategy has to merge before there is nothing left to do
 * @param runningBytes of the jobs that run, which they have still to read
 * @param jobs completed by then
 * @param tables there are
 * @param meanTablesPerRead tables that have a row of the partition that is read; more where rows
 *     are overwritten
 * @param maxTablesPerRead likewise, the most that was found
 * @param meanFiltersPerRead tables whose range of keys has the partition: their filters are asked,
 *     and about one in a hundred is read in vain
 * @param groups tables by level, window or size
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
   * Tables that a strategy sees together.
   *
   * @param name e.g. {@code level 2}, {@code window of 2027-01-15T00:00:00Z}, {@code to 4 GiB}
   * @param tables in it
   * @param onDiskBytes of them
   */
  public record Group(String name, int tables, long onDiskBytes) {}

  /** Bytes written to disk for each that came in. */
  public double writeAmplification() {
    return ingestedBytes == 0 ? 0 : (double) writtenBytes / ingestedBytes;
  }

  /** Bytes on disk for each of a row that is found; infinite if none is. */
  public double spaceAmplification() {
    return (double) onDiskBytes / liveBytes;
  }
}
